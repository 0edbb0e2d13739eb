/**
 * Verifies an evidence pack from its bytes alone: audit trail, hashes, audit certificate, seal and
 * time-stamps. Without file access.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Json } from '../../core/document/event.ts'
import { differencesFrom, isJsonObject } from '../../core/document/logged-facts.ts'
import { LANGUAGES } from '../../core/language.ts'
import { isSha256Hex } from '../../lib/token.ts'
import type { EvidenceTexts } from '../../locales/evidence.ts'
import { catalogueOf } from '../../locales/index.ts'
import { remark } from '../../locales/remarks.ts'
import { decodePageContent, readFilterNames, readRawStream } from '../../pdf/parser/content.ts'
import { type LocatedValue, openPdf, type PdfFile, resolveEntry } from '../../pdf/parser/file.ts'
import { decodeContent } from '../../pdf/parser/filters.ts'
import { type Page, readPages } from '../../pdf/parser/page.ts'
import { findSignatureFields } from '../../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import { type CodeTexts, readToUnicode } from '../../pdf/parser/to-unicode.ts'
import { DerError } from '../../pki/der.ts'
import { type Certificate, certificateSummary, certificatesOfPem, readCertificate, readTrustFile } from '../../pki/x509.ts'
import { INK, MARGIN, MUTED } from '../../text/flow.ts'
import { writeReport } from '../../verify/report.ts'
import { verifyBytes } from '../../verify/verify.ts'
import { LABEL_GAP, LABEL_WIDTH } from '../typography.ts'
import { type AuditFile, isShown, type PackEvent, peopleOf, readAuditFile } from './audit-file.ts'
import { ATTACHMENTS, MARKS, openPack, PACK_FILES, type Pack, PackError } from './open-pack.ts'
import type { PackCheck, PackReport, UnreadablePack, VerifyPackRequest } from './report.ts'

export interface PackOptions {
  /** Certificates of the organisation, from elsewhere. Empty: those in the pack. */
  trust?: readonly Certificate[]
  /** Besides those in the pack. */
  timestampTrust?: readonly Certificate[]
  now?: Date
}

export function verifyPack(bytes: Uint8Array, options: PackOptions = {}): PackReport | UnreadablePack {
  try {
    const pack = openPack(bytes)
    return verifyOpened(pack, readAuditFile(fileIn(pack, PACK_FILES.audit)), options)
  } catch (error) {
    if (error instanceof PackError) return { verdict: 'unreadable', reason: error.message }
    throw error
  }
}

function fileIn(pack: Pack, name: string): Uint8Array {
  const bytes = pack.get(name)
  if (bytes === undefined) throw new PackError(`it lacks ${name}`)
  return bytes
}

function verifyOpened(pack: Pack, audit: AuditFile, options: PackOptions): PackReport {
  const { document, events } = audit
  const completed = events.findLast(({ type }) => type === 'document.completed')
  const sealCertificateSha256 = textOf(completed?.data.sealCertificateSha256)
  const given = options.trust ?? []
  const trust = given.length > 0 ? given : certificatesIn(pack, PACK_FILES.seal).filter(hasFingerprint(sealCertificateSha256))
  const timestampTrust = [...(options.timestampTrust ?? []), ...certificatesIn(pack, PACK_FILES.authorities)]
  const sealed = fileIn(pack, PACK_FILES.sealed)
  const seal = writeReport(verifyBytes(sealed, trust, timestampTrust, options.now ? { now: options.now } : {}))
  const printed = readPrinted(pack)
  const checks = [
    ...checkFiles(pack, audit),
    ...audit.checks,
    ...sealChecks(seal, sealCertificateSha256),
    ...certificateChecks(audit, printed),
  ]
  return {
    verdict: verdictOf(seal.verdict, checks),
    documentId: String(document.id),
    title: textOf(document.title) ?? '',
    people: peopleOf(audit),
    trustedBy: given.length > 0 ? 'given' : 'pack',
    sealCertificateSha256,
    seal,
    sealedEntry: 'entry' in printed ? printed.entry : undefined,
    checks,
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const hasFingerprint = (sha256: string | undefined) => (certificate: Certificate) =>
  certificateSummary(certificate.der).sha256 === sha256

/** @throws PackError */
function certificatesIn(pack: Pack, name: string): Certificate[] {
  const bytes = pack.get(name)
  if (bytes === undefined) return []
  const result = readTrustFile(bytes)
  if ('error' in result) throw new PackError(`${name} in it cannot be used: ${result.error}`)
  return certificatesOfPem(result.pem).map(readCertificate)
}

function verdictOf(seal: string, checks: readonly PackCheck[]): PackReport['verdict'] {
  if (seal === 'signer-unknown' || seal === 'not-checked' || seal === 'valid') {
    if (checks.some(({ outcome }) => outcome === 'failed')) return 'not-valid'
    if (seal === 'not-checked' || checks.some(({ outcome }) => outcome === 'not-checked')) return 'not-checked'
    return seal
  }
  return 'not-valid'
}

function sealChecks(seal: PackReport['seal'], sealCertificateSha256: string | undefined): PackCheck[] {
  if (sealCertificateSha256 === undefined)
    return [{ outcome: 'failed', text: 'The log does not say that the document was completed and sealed.' }]
  if (seal.verdict === 'unreadable') return [{ outcome: 'failed', text: `sealed.pdf cannot be read: ${seal.reason}.` }]
  const own = seal.signatures.filter(({ kind }) => kind === 'signature')
  const isOwn = own.length > 0 && own.every(({ certificateSha256 }) => certificateSha256 === sealCertificateSha256)
  if (!isOwn)
    return [{ outcome: 'failed', text: 'sealed.pdf is not sealed by the certificate that the log names, or not by it alone.' }]
  return [{ outcome: 'passed', text: 'sealed.pdf is sealed by the certificate that the log names.' }]
}

type Printed = PrintedFacts | { problem: string }

function readPrinted(pack: Pack): Printed {
  try {
    const [sealed, original] = [PACK_FILES.sealed, PACK_FILES.original].map(name =>
      openPdf(fileIn(pack, name), { decrypts: true }),
    )
    return sealed && original ? printedFacts(sealed, original) : { problem: 'a file is missing' }
  } catch (error) {
    if (error instanceof CertificateTextError || error instanceof PdfSyntaxError || error instanceof DerError)
      return { problem: error.message }
    throw error
  }
}

/** After the seal nobody signs, and nothing about people or the document changes. */
const AFTER_SEAL: ReadonlySet<string> = new Set([
  ...['document.completed', 'document.seal_augmented', 'document.sealing_failed', 'document.viewed', 'document.owner_changed'],
  ...['document.legal_hold_set', 'document.legal_hold_lifted', 'recipient.notified', 'recipient.email_accepted'],
  ...['recipient.email_written', 'recipient.email_failed', 'recipient.access_code_failed', 'recipient.access_code_accepted'],
  ...['recipient.access_code_locked', 'recipient.access_code_unlocked', 'recipient.code_sent', 'recipient.code_failed'],
  'recipient.identified',
  ...['recipient.link_created', 'recipient.link_opened'],
])

function certificateChecks({ events, document, instanceId, environment }: AuditFile, printed: Printed): PackCheck[] {
  if ('problem' in printed)
    return [{ outcome: 'not-checked', text: `sealed.pdf does not show which entry was the newest: ${printed.problem}.` }]
  const { entry } = printed
  const at = events.findIndex(({ hash, sequence }) => hash === entry.hash && sequence === entry.sequence)
  const where = `Page ${entry.page} of sealed.pdf, the audit certificate, prints entry ${entry.sequence} of the log`
  if (at === -1) return [{ outcome: 'failed', text: `${where}, with a hash that no event of audit.json has.` }]
  const later = events.slice(at + 1)
  const wrong = later.filter(({ type }) => !AFTER_SEAL.has(type))
  return [
    { outcome: 'passed', text: `${where} with its hash: the seal covers all ${at + 1} events up to it.` },
    ...wrong.map(
      ({ type, sequence }): PackCheck => ({
        outcome: 'failed',
        text: `Entry ${sequence} (${type}) comes after the seal, which is impossible.`,
      }),
    ),
    ...sealedDocumentChecks(events.slice(0, at + 1), document),
    ...instanceChecks(printed, instanceId, environment),
    ...(later.length > 0 ? [afterSeal(later)] : []),
  ]
}

function afterSeal(later: readonly PackEvent[]): PackCheck {
  const list = later.map(({ sequence, type }) => `${sequence} ${type}`).join(', ')
  return {
    outcome: 'note',
    text: `The seal does not cover the entries after it (${list}): only the log of the service, or a checkpoint of it, shows them.`,
  }
}

/** What was agreed must follow from the entries that the seal covers. */
function sealedDocumentChecks(covered: readonly PackEvent[], document: AuditFile['document']): PackCheck[] {
  const isLater = (member: string) =>
    /^(status|completedAt|sealLevel|sha256\.sealed)$|^recipients\[\w+\]\.(status|viewedAt|sentAt)$/.test(member)
  const wrong = differencesFrom(covered, document, member => !isLater(member) && isShown(member))
  return wrong.map(({ member }) => ({
    outcome: 'failed',
    text: `The entries that the seal covers say another ${member} than audit.json.`,
  }))
}

function instanceChecks(printed: PrintedFacts, instanceId: string, environment: string): PackCheck[] {
  if (printed.instanceId === instanceId && printed.environment === environment)
    return [{ outcome: 'passed', text: `The audit certificate names the same instance: ${instanceId}, ${environment}.` }]
  return [{ outcome: 'failed', text: 'The audit certificate names another instance or environment than audit.json.' }]
}

// Verifies an evidence pack that is a file.

const MAX_PACK_BYTES = 1024 * 1024 * 1024

/** @throws DerError if the given certificates cannot be read; file system errors */
export async function verifyPackFile({
  path,
  trust,
  timestampTrust,
  now,
}: VerifyPackRequest): Promise<PackReport | UnreadablePack> {
  const { size } = await stat(path)
  if (size > MAX_PACK_BYTES) return { verdict: 'unreadable', reason: `it is larger than ${MAX_PACK_BYTES} bytes` }
  const read = (list: string[]) => list.flatMap(certificatesOfPem).map(readCertificate)
  return verifyPack(await readFile(path), {
    trust: read(trust),
    timestampTrust: read(timestampTrust),
    now: now === undefined ? new Date() : new Date(now),
  })
}

// Compares the files of an evidence pack with SHA256SUMS and with what the log says of them.

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function checkFiles(pack: Pack, audit: AuditFile): PackCheck[] {
  const hashes = new Map([...pack].map(([name, bytes]) => [name, hashOf(bytes)]))
  return [
    ...checkSums(pack, hashes),
    ...checkPdfs(pack, hashes, audit),
    ...checkMarks(hashes, audit),
    ...checkAttachments(hashes, audit),
  ]
}

const passed = (text: string): PackCheck => ({ outcome: 'passed', text })
const failed = (text: string): PackCheck => ({ outcome: 'failed', text })

function checkSums(pack: Pack, hashes: ReadonlyMap<string, string>): PackCheck[] {
  const text = new TextDecoder().decode(pack.get(PACK_FILES.sums))
  const lines = text.split('\n').filter(line => line !== '')
  const listed = new Map(lines.map(line => [line.slice(66), line.slice(0, 64)]))
  const wrong = [...listed].filter(([name, hash]) => hashes.get(name) !== hash).map(([name]) => name)
  const summed = [...pack.keys()].filter(name => name.endsWith('.pdf') || name.startsWith(ATTACHMENTS))
  const left = summed.filter(name => !listed.has(name))
  if (wrong.length > 0) return [failed(`Not as SHA256SUMS says: ${wrong.join(', ')}.`)]
  if (left.length > 0) return [failed(`SHA256SUMS lacks ${left.join(', ')}.`)]
  return [passed(`The files have the hashes of SHA256SUMS: ${[...listed.keys()].join(', ')}.`)]
}

function checkPdfs(pack: Pack, hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const of = (type: string) => events.findLast(event => event.type === type)?.data
  const originalSha256 = of('document.sent')?.originalSha256
  const newest = events.findLast(({ type }) => type === 'document.completed' || type === 'document.seal_augmented')
  const shown = events.filter(({ type }) => type === 'recipient.signed').map(({ data }) => data.originalSha256)
  const [original, sealed] = [pack.get(PACK_FILES.original), pack.get(PACK_FILES.sealed)]
  const isStart = original && sealed && Buffer.compare(original, sealed.subarray(0, original.length)) === 0
  return [
    hashes.get(PACK_FILES.original) === originalSha256 && shown.every(sha256 => sha256 === originalSha256)
      ? passed('original.pdf is the file that was sent and that everybody who signed was shown.')
      : failed('original.pdf is not the file that the log says was sent and shown.'),
    hashes.get(PACK_FILES.sealed) === newest?.data.sealedSha256
      ? passed('sealed.pdf is the file that the log says was sealed.')
      : failed('sealed.pdf is not the file that the log says was sealed.'),
    isStart
      ? passed('sealed.pdf begins with original.pdf, byte for byte.')
      : failed('sealed.pdf does not begin with original.pdf.'),
  ]
}

/** Those that were drawn or uploaded: their hashes are in the entries of the signatures. */
function checkMarks(hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const expected = new Map(events.flatMap(loggedMarks))
  const found = [...hashes.keys()].filter(name => name.startsWith(MARKS))
  const wrong = [...new Set([...expected.keys(), ...found])].filter(name => hashes.get(name) !== expected.get(name))
  if (wrong.length > 0) return [failed(`Not the signatures that the log has: ${wrong.join(', ')}.`)]
  return expected.size > 0 ? [passed(`The ${expected.size} drawn or uploaded signatures are those of the log.`)] : []
}

/** The names of the files and the hashes that they must have. */
function loggedMarks({ type, recipientId, personal }: PackEvent): [string, Json][] {
  if (type !== 'recipient.signed' || personal === null) return []
  return ['signature', 'initials'].flatMap((name): [string, Json][] => {
    const mark = personal[name]
    if (!isJsonObject(mark) || mark.kind === 'typed') return []
    return [[`${MARKS}${recipientId}-${name}.${mark.kind === 'drawn' ? 'json' : 'png'}`, mark.sha256 ?? null]]
  })
}

function checkAttachments(hashes: ReadonlyMap<string, string>, { events }: AuditFile): PackCheck[] {
  const files = events.flatMap(({ type, personal }) =>
    type === 'recipient.signed' && isJsonObject(personal?.fieldFiles) ? Object.values(personal.fieldFiles) : [],
  )
  const logged = files.map(file => (isJsonObject(file) ? String(file.sha256) : '')).sort()
  const found = [...hashes].flatMap(([name, hash]) => (name.startsWith(ATTACHMENTS) ? [hash] : [])).sort()
  if (logged.join() !== found.join()) return [failed('The files in attachments/ are not those that the log says signers added.')]
  return logged.length > 0 ? [passed(`The ${logged.length} files that signers added are those of the log.`)] : []
}

// Finds what the audit certificate prints about the log: by the label of the row, its column and
// its colour. A text of the sender that looks alike is in another place.

interface PrintedFacts {
  /** The newest entry before the seal. */
  entry: { sequence: number; hash: string; page: number }
  environment: string
  instanceId: string
}

/** The certificate cannot be read, or does not say it clearly. The message is a clause. */
class CertificateTextError extends Error {}

const ROUNDING = 0.6

/** @throws CertificateTextError, PdfSyntaxError */
function printedFacts(sealed: PdfFile, original: PdfFile): PrintedFacts {
  const rows = rowsOf(certificateLines(sealed, original))
  if (rows.length === 0) throw new CertificateTextError('it has no page of an audit certificate after those of the original')
  const entries = LANGUAGES.flatMap(language => rows.flatMap(row => entryIn(row, catalogueOf(language).evidence) ?? []))
  const distinct = new Map(entries.map(entry => [`${entry.sequence} ${entry.hash}`, entry]))
  const [entry, another] = distinct.values()
  if (entry === undefined) throw new CertificateTextError('its audit certificate does not show an entry of the audit log')
  if (another !== undefined) throw new CertificateTextError('its audit certificate shows two entries of the audit log')
  // The first: what the sender wrote follows.
  const software = rows.find(row => LANGUAGES.some(language => hasLabel(row, catalogueOf(language).evidence, 'software')))
  const [, environment = '', instanceId = ''] = software?.value[0]?.text.split(' · ') ?? []
  return { entry, environment, instanceId }
}

/** A row of the record: a label in its column, and beside it one value without a page number. */
interface CertificateRow {
  label: string
  value: CertificateLine[]
}

const isAt = (x: number, expected: number) => Math.abs(x - expected) <= ROUNDING

/** In the column of labels, where reading begins. */
const isLabel = ({ x, width, colour }: CertificateLine, mirrored: boolean): boolean =>
  colour === MUTED && (mirrored ? x >= width - MARGIN - (LABEL_WIDTH - LABEL_GAP) - ROUNDING : isAt(x, MARGIN))

const isValue = ({ x, width }: CertificateLine, mirrored: boolean): boolean =>
  mirrored ? x < width - MARGIN - LABEL_WIDTH + ROUNDING : isAt(x, MARGIN + LABEL_WIDTH)

function rowsOf(lines: readonly CertificateLine[]): CertificateRow[] {
  const onBaselines = new Map<string, CertificateLine[]>()
  for (const line of lines) {
    const key = `${line.page} ${line.y}`
    onBaselines.set(key, [...(onBaselines.get(key) ?? []), line])
  }
  const baselines = [...onBaselines.values()]
  return [false, true].flatMap(mirrored => baselines.flatMap((_, i) => rowAt(baselines.slice(i), mirrored) ?? []))
}

/** The row that begins at the first of these baselines. */
function rowAt([first = [], ...rest]: CertificateLine[][], mirrored: boolean): CertificateRow | undefined {
  const [label, value, other] = first
  if (label === undefined || value === undefined || other !== undefined) return undefined
  if (!isLabel(label, mirrored) || !isValue(value, mirrored) || value.colour !== INK) return undefined
  const end = rest.findIndex(baseline => !isNote(baseline, value, mirrored))
  const notes = rest.slice(0, end === -1 ? rest.length : end).flat()
  return { label: label.text, value: [value, ...notes] }
}

/**
 * Alone on its baseline, in the column of the value: rows of the sender have no words there in
 * this colour.
 */
function isNote([note, beside]: CertificateLine[], { page }: CertificateLine, mirrored: boolean): boolean {
  if (note === undefined || beside !== undefined || note.page !== page) return false
  return note.colour === MUTED && isValue(note, mirrored) && !isLabel(note, mirrored)
}

/**
 * Without what lines are broken at, and of Arabic without an order: the page has it from the left.
 */
function comparable(text: string, { direction }: EvidenceTexts): string {
  const characters = [...text.normalize('NFC').replace(/[\s\p{Cf}]/gu, '')]
  return (direction === 'rtl' ? characters.sort() : characters).join('')
}

function hasLabel({ label }: CertificateRow, words: EvidenceTexts, name: 'auditLog' | 'software'): boolean {
  return comparable(label, words) === comparable(words.labels[name], words)
}

function entryIn(row: CertificateRow, words: EvidenceTexts): PrintedFacts['entry'] | undefined {
  const [value, ...notes] = row.value
  const hash = value?.text
  if (!isSha256Hex(hash) || value === undefined || !hasLabel(row, words, 'auditLog')) return undefined
  const note = notes.map(({ text }) => text).join('')
  const sequence = Number(/\d+/.exec(note)?.[0])
  const isNote = comparable(note, words) === comparable(words.auditEntry(sequence), words)
  return isNote ? { sequence, hash, page: value.page } : undefined
}

// Reads back the lines that the audit certificate shows, with place and colour, from the pages that
// follow those of the original. It reads only what `PageFlow` writes.

/** One line of one column. */
interface CertificateLine {
  /** 1 is the first page of the file. */
  page: number
  /** Where it begins, and its baseline; pt. */
  x: number
  y: number
  /** The operands of `rg`. */
  colour: string
  /** In the order of the page: in Arabic that is from the left. */
  text: string
  /** Of the page. */
  width: number
}

/** What a reader of the certificate needs. @throws PdfSyntaxError */
function certificateLines(sealed: PdfFile, original: PdfFile): CertificateLine[] {
  const catalog = (file: PdfFile): LocatedValue => file.resolve(file.crossReference.trailer.entries.get('Root'))
  const ownPages = readPages(original, catalog(original)).length
  const revision = sealedRevision(sealed, original.bytes.length)
  const pages = readPages(revision, catalog(revision))
  return pages.slice(ownPages).flatMap((page, i) => linesOf(revision, page, ownPages + i + 1))
}

/** As it was sealed: later revisions add proofs, and nothing in them is the certificate's. */
function sealedRevision(file: PdfFile, originalByteLength: number): PdfFile {
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  if (catalog === undefined) throw new PdfSyntaxError(remark('catalog_missing'))
  const ends = findSignatureFields(file, catalog).map(({ value }) => endOf(value))
  const first = Math.min(...ends.filter(end => end > originalByteLength))
  if (!Number.isFinite(first)) throw new PdfSyntaxError(remark('seal_missing'))
  return first >= file.bytes.length ? file : file.revisionAt(first)
}

function endOf({ entries }: PdfDictionary): number {
  const range = entries.get('ByteRange')
  const numbers = range?.kind === 'array' ? range.items.map(item => (item.kind === 'number' ? item.value : Number.NaN)) : []
  return (numbers[2] ?? Number.NaN) + (numbers[3] ?? Number.NaN)
}

/** By the name of the font. */
type Characters = ReadonlyMap<string, CodeTexts>

function linesOf(file: PdfFile, page: Page, number: number): CertificateLine[] {
  const reader = new LineReader(charactersOf(file, page), { page: number, width: page.box.width })
  const content = Buffer.from(decodePageContent(file, page)).toString('latin1')
  for (const operation of content.split('\n')) reader.read(operation)
  return reader.lines
}

class LineReader {
  readonly lines: CertificateLine[] = []
  #colour = ''
  #line: CertificateLine | undefined
  #font: CodeTexts | undefined

  constructor(
    private readonly characters: Characters,
    private readonly place: Pick<CertificateLine, 'page' | 'width'>,
  ) {}

  read(operation: string): void {
    const fill = /^([\d. ]+) rg$/.exec(operation)
    if (fill) this.#colour = fill[1] ?? ''
    else if (operation === 'ET') this.#end()
    else if (operation.endsWith(' Tm')) this.#begin(operation)
    else if (operation.endsWith('] TJ')) this.#show(operation)
  }

  #begin(operation: string): void {
    const [, font = '', x, y] = /^\/(\w+) [\d.]+ Tf 1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm$/.exec(operation) ?? []
    this.#font = this.characters.get(font)
    this.#line ??= { ...this.place, x: Number(x), y: Number(y), colour: this.#colour, text: '' }
  }

  #show(operation: string): void {
    if (this.#line === undefined) return
    for (const [, code = ''] of operation.matchAll(/<([0-9a-f]{4})>/g)) this.#line.text += this.#font?.get(code) ?? ''
  }

  #end(): void {
    if (this.#line !== undefined) this.lines.push(this.#line)
    this.#line = undefined
  }
}

function charactersOf(file: PdfFile, { resources }: Page): Characters {
  const fonts = resolveEntry(file, resources, 'Font')
  const names = fonts.value.kind === 'dictionary' ? [...fonts.value.entries.keys()] : []
  return new Map(names.map(name => [name, charactersOfFont(file, resolveEntry(file, fonts, name))]))
}

function charactersOfFont(file: PdfFile, font: LocatedValue): CodeTexts {
  const stream = resolveEntry(file, font, 'ToUnicode')
  return readToUnicode(decodeContent(readRawStream(file, stream) ?? new Uint8Array(), readFilterNames(file, stream)))
}
