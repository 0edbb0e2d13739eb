/** Evidence packs of documents that the signer's own device signed too, and rewritten ones. */
import { unzipSync } from 'fflate'
import { canonicalJson, commitment } from '../../src/core/document/audit-chain.ts'
import type { Json } from '../../src/core/document/event.ts'
import { askedBy, proofFor } from './device-key.ts'
import type { PackFiles } from './packs.ts'
import { ONE } from './sample.ts'
import { SoftAuthenticator } from './soft-authenticator.ts'
import { openedDocument, SIGNED } from './story.ts'
import type { TestApp } from './test-app.ts'

type Fields = Record<string, Json>
type Change = (event: Fields & { personal: Fields; data: Fields }) => unknown

const HOST = 'sign.example.com'
export const KEY_ORIGIN = `https://${HOST}`

export const newDevice = (): SoftAuthenticator => new SoftAuthenticator(KEY_ORIGIN, HOST)

/** Of a document for one signer, whose device signed. The base URL of the app is `KEY_ORIGIN`. */
export async function packWithKey(t: TestApp, device: SoftAuthenticator, email: string): Promise<PackFiles> {
  const recipients = [{ ...ONE.recipients[0], email }]
  const { id, visitor, page } = await openedDocument(t, { recipients, deviceKey: 'required' }, email)
  const step = await visitor.submit(page, SIGNED, '/finish')
  await visitor.submit(step, { deviceKeyProof: proofFor(askedBy(step), device) }, '/finish')
  await t.drain()
  return unzipSync((await t.api('GET', `/documents/${id}/evidence`)).body)
}

/** Changes the entry of the signature and the commitment to it, as whoever has the database can. */
export function withEntry(pack: PackFiles, change: Change): PackFiles {
  const audit = JSON.parse(Buffer.from(pack['audit.json'] ?? '').toString())
  const event = audit.events.find(({ type }: Fields) => type === 'recipient.signed')
  change(event)
  const entry = { ...JSON.parse(event.entry), data: event.data, recipientId: event.recipientId, at: event.at }
  event.entry = canonicalJson({ ...entry, personal: commitment(event.salt, event.personal) })
  return { ...pack, 'audit.json': Buffer.from(`${JSON.stringify(audit, null, 2)}\n`) }
}

const proofIn = (personal: Fields) => personal.deviceKey as Fields & { facts: Fields }

/** What somebody rewrites, and a part of what the verifier says of the device then. */
export const ENTRY_CHANGES: readonly [what: string, change: Change, said: string][] = [
  ['another name of the mark', ({ personal }) => Object.assign(personal.signature as Fields, { text: 'Eve' }), 'something else'],
  ['another value', ({ personal }) => Object.assign(personal.fieldValues as Fields, { fld_x: '1000000' }), 'something else'],
  ['another file', ({ data }) => Object.assign(data, { originalSha256: 'ab'.repeat(32) }), 'something else'],
  ['another consent', ({ data }) => Object.assign(data, { consentSha256: 'ab'.repeat(32) }), 'something else'],
  ['another person', event => Object.assign(event, { recipientId: 'rcp_other' }), 'something else'],
  ['another day', event => Object.assign(event, { at: '2020-01-01T00:00:00.000Z' }), 'at another time'],
  ['a proof that is gone', ({ personal }) => Object.assign(personal, { deviceKey: null }), 'cannot be read'],
  ['another origin', ({ personal }) => Object.assign(proofIn(personal).facts, { origin: 'https://evil.example' }), 'not of'],
  ['another document', ({ personal }) => Object.assign(proofIn(personal).facts, { documentId: 'doc_x' }), 'another document'],
  [
    'less asked of the device',
    ({ personal }) => Object.assign(proofIn(personal).facts, { userVerification: 'preferred' }),
    'something else',
  ],
  ['a key of their own', ({ personal }) => Object.assign(proofIn(personal), { publicKey: newDevice().publicKey }), 'is wrong'],
]
