/**
 * Seals documents step by step with the product's own code: prepare, sign, time-stamp, fill,
 * validation data, document time-stamp. EN 319 142-1 §6.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SEAL_SUB_FILTERS, type SealSubFilter } from '../../src/core/document/document.ts'
import { prepare } from '../../src/evidence/prepare.ts'
import { type Network, parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { addValidationData, prepareTimestamp } from '../../src/pades/augment.ts'
import { contentsBytesFor, fill, sign, signatureValueOf, withTimestamp } from '../../src/pades/cms.ts'
import type { PreparedFile } from '../../src/pades/revision-file.ts'
import { requestTimestamp, type Timestamp } from '../../src/pades/timestamp.ts'
import { collectValidationData } from '../../src/pades/validation-data.ts'
import { inspect } from '../../src/pdf/inspect/inspect.ts'
import { issueRevocationList } from '../../src/pki/issue.ts'
import { type KeyType, localKey, makeAuthority, type SealKey } from '../../src/pki/key.ts'
import { type Certificate, certificatePem, readCertificate } from '../../src/pki/x509.ts'
import type { BaselineLevel } from '../../src/verify/report.ts'
import { appearancesFor, evidenceFor, type Source } from './sources.ts'
import type { TimestampAuthorityServer } from './time-stamp-authorities.ts'

export const LEVELS: readonly BaselineLevel[] = ['B-B', 'B-T', 'B-LT', 'B-LTA']

export interface Authority {
  keyType: KeyType
  key: SealKey
  root: Uint8Array
  rootPath: string
  /** DER, as it is handed out now. */
  list: Uint8Array
  listPath: string
}

export interface SealedFile {
  name: string
  /** The level whose parts it has. */
  level: BaselineLevel
  subFilter: SealSubFilter
  documentTimestamps: number
  keyType: KeyType
  path: string
  /** The bytes that were sent: the sealed file must begin with them. */
  originalPath: string
  ownRootPath: string
  ownListPath: string
  timeRootPath: string
  timeListPath: string
}

const ALLOW: Network[] = parseNetworks('127.0.0.0/8')
const now = (): Date => new Date()
const DAY_MS = 86_400_000

/** As in an appliance at work: the authority was made a month ago, its list half a day ago. */
const MADE_AGO_MS = 30 * DAY_MS
const LISTED_AGO_MS = DAY_MS / 2
const ago = (ms: number): Date => new Date(Date.now() - ms)

/** An own authority, and its revocation list behind the loopback server. */
export async function openAuthority(
  folder: string,
  keyType: KeyType,
  authorityServer: TimestampAuthorityServer,
): Promise<Authority> {
  const crlUrl = `${authorityServer.ownListUrl}-${keyType}`
  const made = await makeAuthority({
    ...THIS_MACHINE,
    organisation: 'FieldValueResult Ltd',
    environment: 'judges',
    keyType,
    now: ago(MADE_AGO_MS),
    crlUrl,
  })
  const list = issueRevocationList({
    root: made.root,
    thisUpdate: ago(LISTED_AGO_MS),
    nextUpdate: new Date(Date.now() + 7 * DAY_MS),
    number: 1,
    revoked: [],
  })
  authorityServer.setOwnList(`own-${keyType}`, list)
  const [rootPath, listPath] = [join(folder, `root-${keyType}.pem`), join(folder, `list-${keyType}.crl`)]
  writeFileSync(rootPath, certificatePem(made.root.certificateDer))
  writeFileSync(listPath, list)
  const root = made.root.certificateDer
  return { keyType, key: localKey({ leaf: made.leaf, issuers: [root] }, THIS_MACHINE.threads), root, rootPath, list, listPath }
}

const [PADES] = SEAL_SUB_FILTERS

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Original {
  path: string
  pages: number
  /** Of the upload, where the original is a repaired one. */
  uploadedSha256: string | undefined
}

/** The canonical bytes of a source. @throws Error when it is refused or not of the named kind */
async function originalOf(source: Source, folder: string): Promise<Original> {
  const bytes = await source.bytes()
  const stem = join(folder, source.name.replaceAll(' ', '-'))
  const [path, canonicalPath] = [`${stem}.upload.pdf`, `${stem}.canonical.pdf`]
  writeFileSync(path, bytes)
  rmSync(canonicalPath, { force: true })
  const verdict = await inspect({ path, canonicalPath, maxPages: 5000 })
  if (verdict.verdict === 'refused') throw new Error(`${source.name} is refused: ${verdict.violation.code}`)
  if (source.isRepaired === true && !verdict.rewritten) throw new Error(`${source.name} needed no repair`)
  return {
    path: verdict.rewritten ? canonicalPath : path,
    pages: verdict.pages.length,
    uploadedSha256: verdict.rewritten ? sha256(bytes) : undefined,
  }
}

async function prepared(
  source: Source,
  original: Original,
  { authority: { key }, subFilter }: Raise,
  outPath: string,
): Promise<PreparedFile> {
  const at = now().toISOString()
  const { subject, issuer, serialNumber } = new X509Certificate(key.certificate)
  const bytes = readFileSync(original.path)
  return prepare(
    {
      sourcePath: original.path,
      outPath,
      fields: appearancesFor(source, dirname(outPath)),
      evidence: {
        ...evidenceFor(source, {
          at,
          original: { bytes: bytes.length, sha256: sha256(bytes), pages: original.pages },
          uploadedSha256: original.uploadedSha256,
          certificate: { subject, issuer, serial: serialNumber, sha256: sha256(key.certificate), algorithm: key.algorithm },
        }),
        sealSubFilter: subFilter,
      },
      signature: {
        name: 'FieldValueResult Ltd',
        reason: `Sealed: ${source.title}`,
        location: undefined,
        at,
        contentsBytes: contentsBytesFor(key.chain, true),
      },
    },
    THIS_MACHINE,
  )
}

interface Raise {
  authority: Authority
  subFilter: SealSubFilter
  /** Used for all tokens: offline, only an earlier token's data proves the last one's authority. */
  url: string
  ca: string
  /** Beginning of the names of the files on the way. */
  stem: string
}

const stampFor = (digest: Uint8Array, { url, ca }: Raise): Promise<Timestamp> =>
  requestTimestamp({ digest, authority: { url, ca }, allow: ALLOW, send: THIS_MACHINE.send, now, random: THIS_MACHINE.random })

/** A file on its way up, and the newest token in it. */
interface Stage {
  path: string
  stamp: Timestamp
}

/** The DSS for the chains. @throws Error when something could not be had */
async function withMaterial(below: Stage, chains: Certificate[][], { authority, stem }: Raise, step: string): Promise<Stage> {
  const { root, list } = authority
  const { material, missing, revoked } = await collectValidationData({
    chains,
    at: now(),
    net: { allow: ALLOW, send: THIS_MACHINE.send },
    own: { root: readCertificate(root), revocationList: list },
  })
  const against = [...missing, ...revoked]
  if (against.length > 0) throw new Error(against.join('; '))
  const outPath = `${stem}.${step}.stage`
  await addValidationData({ sourcePath: below.path, outPath, material }, THIS_MACHINE)
  return { ...below, path: outPath }
}

async function withDocumentTimestamp(below: Stage, raise: Raise, step: string): Promise<Stage> {
  const outPath = `${raise.stem}.${step}.stage`
  const prepared = await prepareTimestamp(
    { sourcePath: below.path, outPath, contentsBytes: contentsBytesFor([], true) },
    THIS_MACHINE,
  )
  const stamp = await stampFor(Buffer.from(prepared.digest, 'hex'), raise)
  await fill(THIS_FILE_SYSTEM, { prepared, contents: stamp.token })
  return { path: outPath, stamp }
}

/** Paths of the file at each level, each made from the one before; the last is B-LTA renewed. */
async function* raised(source: Source, original: Original, raise: Raise): AsyncGenerator<string> {
  const { key } = raise.authority
  const stage = await prepared(source, original, raise, `${raise.stem}.sealed.stage`)
  const signed = await sign(stage, key)
  const plainPath = `${raise.stem}.plain.stage`
  copyFileSync(stage.path, plainPath)
  await fill(THIS_FILE_SYSTEM, { prepared: { ...stage, path: plainPath }, contents: signed.contents })
  yield plainPath
  const stamp = await stampFor(createHash('sha256').update(signatureValueOf(signed.contents)).digest(), raise)
  await fill(THIS_FILE_SYSTEM, { ...signed, contents: withTimestamp(signed.contents, stamp.token) })
  const stamped = { path: stage.path, stamp }
  yield stamped.path
  const first = await withMaterial(stamped, [key.chain.map(readCertificate), stamp.path], raise, 'material')
  yield first.path
  const archived = await withDocumentTimestamp(first, raise, 'archived')
  yield archived.path
  const second = await withMaterial(archived, [archived.stamp.path], raise, 'material-2')
  yield (await withDocumentTimestamp(second, raise, 'renewed')).path
}

/** What `raised` yields, in its order. */
const STEPS: readonly { level: BaselineLevel; documentTimestamps: number; suffix: string }[] = [
  { level: 'B-B', documentTimestamps: 0, suffix: '' },
  { level: 'B-T', documentTimestamps: 0, suffix: '' },
  { level: 'B-LT', documentTimestamps: 0, suffix: '' },
  { level: 'B-LTA', documentTimestamps: 1, suffix: '' },
  { level: 'B-LTA', documentTimestamps: 2, suffix: ' renewed' },
]

export interface Setting {
  folder: string
  authorityServer: TimestampAuthorityServer
  authorities: readonly Authority[]
  /** Each document at each level with each key, instead of with one key in turn. */
  isEvery: boolean
}

/** One document with one key, augmented level by level; only the `wanted` levels are kept. */
async function sealWith(
  source: Source,
  original: Original,
  raise: Raise,
  { authorityServer }: Setting,
  wanted: (step: number) => boolean,
): Promise<SealedFile[]> {
  const { keyType, rootPath, listPath } = raise.authority
  const files: SealedFile[] = []
  let step = 0
  for await (const made of raised(source, original, raise)) {
    const kept = STEPS[step]
    if (kept !== undefined && wanted(step)) {
      const path = `${raise.stem}-${kept.level}${kept.suffix.replace(' ', '-')}.pdf`
      copyFileSync(made, path)
      files.push({
        name: `${source.name}${kept.suffix}${raise.subFilter === PADES ? '' : ' PKCS#7'}`,
        level: kept.level,
        subFilter: raise.subFilter,
        documentTimestamps: kept.documentTimestamps,
        keyType,
        path,
        originalPath: original.path,
        ownRootPath: rootPath,
        ownListPath: listPath,
        timeRootPath: authorityServer.rootPath,
        timeListPath: authorityServer.listPath,
      })
    }
    step++
  }
  for (const name of ['sealed', 'plain', 'material', 'archived', 'material-2', 'renewed'])
    rmSync(`${raise.stem}.${name}.stage`, { force: true })
  return files
}

/** One document at all levels, each with another key. Leaves the original and the sealed files. */
export async function sealSource(source: Source, turn: number, setting: Setting): Promise<SealedFile[]> {
  const { folder, authorityServer, authorities, isEvery } = setting
  const original = await originalOf(source, folder)
  const files: SealedFile[] = []
  const url = Math.floor(turn / 2) % 2 === 0 ? authorityServer.urls.list : authorityServer.urls.ocsp
  for (const [i, authority] of authorities.entries()) {
    for (const subFilter of SEAL_SUB_FILTERS) {
      const stem = join(folder, `${source.name} ${authority.keyType} ${subFilter}`.replaceAll(' ', '-'))
      // In the second form each document is sealed at one level, by one key.
      const isTurn = (step: number) => subFilter === PADES || step === turn % STEPS.length
      const wanted = (step: number) => isEvery || ((turn + step) % authorities.length === i && isTurn(step))
      if (!STEPS.some((_, step) => wanted(step))) continue
      const raise = { authority, subFilter, url, ca: authorityServer.rootPem, stem }
      files.push(...(await sealWith(source, original, raise, setting, wanted)))
    }
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}

const rank = ({ level, documentTimestamps }: SealedFile): number => LEVELS.indexOf(level) + documentTimestamps / 10
