/**
 * Signed checkpoints of the audit log: its newest entry, to be kept elsewhere. S/MIME with a
 * detached signature (RFC 8551 §3.5.3) by the seal key, which `openssl cms -verify` verifies.
 */
import { createHash } from 'node:crypto'
import { isSha256Hex } from '../lib/token.ts'
import { createSignedData } from '../pades/cms.ts'
import {
  findSigner,
  isSignedByKey,
  readAlgorithms,
  readAttributes,
  readSignedData,
  signingCertificate,
} from '../pades/signed-data.ts'
import { UnsupportedError } from '../pki/algorithm.ts'
import { DerError, equalBytes, readDer } from '../pki/der.ts'
import { CMS_OID } from '../pki/oid.ts'
import { certificateSummary } from '../pki/x509.ts'
import type { App, Origin } from '../ports.ts'
import { appendInstanceEvent, auditHead } from './log.ts'

export interface Checkpoint {
  /** The id of the instance. */
  instance: string
  /** Of the newest entry. */
  sequence: number
  hash: string
  /** Entries up to this one. */
  count: number
  at: string
}

export interface SignedCheckpoint {
  checkpoint: Checkpoint
  fileName: string
  /** An S/MIME message. */
  text: string
}

const BOUNDARY = 'signet-audit-checkpoint'
const CONTENT_TYPE = 'Content-Type: application/json; charset=utf-8'

/** Records it first: it covers the entry before its own. */
export async function makeCheckpoint(app: App, origin: Origin): Promise<SignedCheckpoint> {
  const key = await app.sealKey()
  const at = app.now().toISOString()
  const { sequence, hash } = await app.write(async tx => {
    const head = await auditHead(tx)
    await appendInstanceEvent(tx, app, { type: 'audit.checkpoint_made', data: { ...head } }, origin)
    return head
  })
  const checkpoint = { instance: app.instance.id, sequence, hash, count: sequence, at }
  const signed = [CONTENT_TYPE, '', ...JSON.stringify(checkpoint, null, 2).split('\n')].join('\r\n')
  const cms = await createSignedData({ digest: createHash('sha256').update(signed).digest(), key })
  const lines =
    Buffer.from(cms)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  const text = [
    'MIME-Version: 1.0',
    `Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="${BOUNDARY}"`,
    '',
    `--${BOUNDARY}`,
    signed,
    `--${BOUNDARY}`,
    'Content-Type: application/pkcs7-signature; name="smime.p7s"',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename="smime.p7s"',
    '',
    ...lines,
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n')
  return { checkpoint, text, fileName: `audit-checkpoint-${at.slice(0, 10)}-${sequence}.eml` }
}

/** The file is no checkpoint, or its signature is not valid. The message says which. */
export class CheckpointError extends Error {}

export interface VerifiedCheckpoint {
  checkpoint: Checkpoint
  signer: { subject: string; sha256: string }
}

/** Verifies the signature. Whether to trust the signer is the caller's decision. */
export function readCheckpoint(text: string): VerifiedCheckpoint {
  const { signed, cms } = partsOf(text.replaceAll(/\r?\n/g, '\r\n'))
  try {
    const content = Buffer.from(signed)
    const data = readSignedData({ node: readDer(cms), isDer: true }, CMS_OID.data)
    const signer = findSigner(data)
    const list = data.signer.signedAttributes
    if (!signer || !list) throw new CheckpointError('it does not contain the certificate of its signer')
    const attributes = readAttributes(list)
    const digest = attributes.get(CMS_OID.messageDigest)?.contents
    const { hash, scheme } = readAlgorithms(data)
    const isUnchanged = digest !== undefined && equalBytes(digest, createHash(hash).update(content).digest())
    if (!isUnchanged) throw new CheckpointError('its content was changed after it was signed')
    const isSigned = isSignedByKey(data, scheme, signer, [content]) && signingCertificate(attributes, signer) === 'version 2'
    if (!isSigned) throw new CheckpointError('its signature is not valid')
    const { subject, sha256 } = certificateSummary(signer.der)
    return { checkpoint: contentOf(signed), signer: { subject, sha256 } }
  } catch (error) {
    if (error instanceof DerError || error instanceof UnsupportedError)
      throw new CheckpointError(`its signature cannot be read: ${error.message}`)
    throw error
  }
}

function partsOf(text: string): { signed: string; cms: Uint8Array } {
  const [, before, signature] = text.split(`--${BOUNDARY}`)
  const encoded = signature?.split('\r\n\r\n')[1]
  if (before === undefined || encoded === undefined || !before.startsWith('\r\n'))
    throw new CheckpointError('it is no checkpoint of an audit log')
  // The line break before a boundary belongs to it. RFC 2046 §5.1.1
  return { signed: before.slice(2, -2), cms: Buffer.from(encoded.replaceAll(/\s/g, ''), 'base64') }
}

function contentOf(signed: string): Checkpoint {
  try {
    const { instance, sequence, hash, count, at } = JSON.parse(signed.slice(CONTENT_TYPE.length)) as Checkpoint
    const isComplete = typeof instance === 'string' && Number.isSafeInteger(sequence) && isSha256Hex(hash)
    if (isComplete) return { instance, sequence, hash, count, at }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CheckpointError('its content is not that of a checkpoint')
}
