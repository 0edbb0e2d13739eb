/**
 * Seals a page that nobody signed the way documents are sealed, and asks for a time-stamp. Neither
 * is stored.
 */
import { createHash } from 'node:crypto'
import type { SealLevel, SealSubFilter } from '../../core/document/document.ts'
import { type Violation, violation } from '../../core/violation.ts'
import { errorMessage } from '../../lib/log.ts'
import { ANY_NETWORK } from '../../lib/net-guard.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { type Diagnosis, diagnosis, englishOfDiagnosis } from '../../locales/diagnoses.ts'
import { requestTimestamp, TimestampError } from '../../pades/timestamp.ts'
import { SealKeyError } from '../../pki/issue.ts'
import type { SealKey } from '../../pki/key.ts'
import { certificateSummary } from '../../pki/x509.ts'
import type { App } from '../../ports.ts'
import { PdfChildError } from '../../sandbox/errors.ts'
import { pemOf } from '../../settings/service-settings.ts'
import { noteTimestampAnswer, readTimestampSettings } from '../../settings/timestamp-settings.ts'
import { instanceEvidence } from '../evidence/evidence.ts'
import { InvalidSealError, type SealedCopy, type SealOptions, sealFile } from './seal-file.ts'

export interface TestPage {
  file: Uint8Array
  subFilter: SealSubFilter
  level: SealLevel
  /** Why the configured level was not reached, in clauses. */
  missing: string[]
}

/** One page of constant ASCII with its cross-reference table. ISO 32000-2 §7.5. */
function testPdf(lines: readonly string[]): Uint8Array {
  const text = lines.map((line, i) => `1 0 0 1 72 ${720 - i * 28} Tm (${line}) Tj`).join('\n')
  const content = `BT\n/F 16 Tf\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.7\n'
  const offsets = objects.map((object, i) => {
    const offset = pdf.length
    pdf += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(`${pdf}xref\n0 ${size}\n0000000000 65535 f \n${entries}${trailer}`, 'latin1')
}

const TITLE = 'Signet test page'
const SOURCE = testPdf([TITLE, 'Nobody has signed this page.', 'It shows whether the seal works.'])
const SOURCE_SHA256 = sha256Hex(SOURCE)

const DOCUMENT = {
  id: 'test-page',
  title: TITLE,
  fileName: 'test-page.pdf',
  pageCount: 1,
  signingOrder: 'parallel',
  originalByteLength: SOURCE.length,
  originalSha256: SOURCE_SHA256,
  uploadedSha256: undefined,
  senderValues: [],
} as const

async function withSealedPage<T>(app: App, options: SealOptions, work: (page: SealedCopy) => Promise<T>): Promise<T> {
  const evidence = {
    ...(await instanceEvidence(app, certificateSummary(options.key.certificate))),
    document: DOCUMENT,
    recipients: [],
    events: [],
    consents: [],
    audit: undefined,
  }
  const source = await app.storage.writeTemporary(SOURCE)
  try {
    const subject = {
      id: DOCUMENT.id,
      sourcePath: source.path,
      sourceSha256: SOURCE_SHA256,
      reason: 'Test of the seal: nobody signed this page',
      withContent: async <U>(seal: (content: { fields: []; evidence: typeof evidence }) => Promise<U>) =>
        seal({ fields: [], evidence }),
    }
    const page = await sealFile(app, subject, options)
    return await work(page).finally(() => app.storage.discard(page.path))
  } finally {
    await app.storage.discard(source.path)
  }
}

/** Failures that tell the administrator what to change. */
function failureOf(error: unknown): Violation | undefined {
  if (!(error instanceof Error)) return undefined
  const reason = error.message.replace(/\.$/, '')
  if (error instanceof InvalidSealError) return violation('test_page_invalid', { reason })
  if (error instanceof SealKeyError) return violation('seal_certificate_unusable', { reason: `${reason}.` })
  if (error instanceof TimestampError) return violation('timestamp_missing', { reason })
  return error instanceof PdfChildError ? violation('test_page_unsealable', { reason }) : undefined
}

/** With the active key at the configured level, or why it failed. */
export async function sealTestPage(app: App): Promise<TestPage | { failure: Violation }> {
  try {
    const { level: goal, subFilter } = await readTimestampSettings(app)
    const options = { key: await app.sealKey(), level: goal, subFilter }
    return await withSealedPage(app, options, async ({ path, level, missing }) => ({
      file: await app.fileSystem.read(path),
      level,
      subFilter,
      missing: [...missing],
    }))
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    app.log('warn', 'test page not sealed', { error: errorMessage(error) })
    return { failure }
  }
}

/** Why a page sealed with this key is not valid. Asks no time-stamp authority. */
export async function testSealKey(app: App, key: SealKey): Promise<string | undefined> {
  try {
    const { subFilter } = await readTimestampSettings(app)
    return await withSealedPage(app, { key, level: 'B-B', subFilter }, async () => undefined)
  } catch (error) {
    if (!(error instanceof InvalidSealError || error instanceof SealKeyError)) throw error
    return error.message
  }
}

// Asks every time-stamp authority for a time-stamp that is not used.

/** The time in the time-stamp, and who signed it; or why there is none. */
export type AuthorityAnswer = { url: string } & (
  | { answer: { at: Date; subject: string; issuer: string; notAfter: Date }; failure?: undefined }
  | { answer?: undefined; failure: Diagnosis }
)

export async function askAuthorities(app: App): Promise<AuthorityAnswer[]> {
  const { authorities, roots } = await readTimestampSettings(app)
  const ca = await pemOf(app, roots)
  const digest = createHash('sha256').update(app.random(32)).digest()
  const answers = await Promise.all(
    authorities.map(async (authority): Promise<AuthorityAnswer> => {
      try {
        const { send, now, random } = app
        const options = { digest, authority: { ...authority, ca }, allow: ANY_NETWORK, send, now, random }
        const { at, path } = await requestTimestamp(options)
        const [own] = path
        if (!own) throw new TimestampError(diagnosis('authority_without_certificate', { authority: new URL(authority.url).host }))
        const { subject, issuer, notAfter } = certificateSummary(own.der)
        return { url: authority.url, answer: { at, subject, issuer, notAfter } }
      } catch (error) {
        if (!(error instanceof TimestampError && error.found)) throw error
        return { url: authority.url, failure: error.found }
      }
    }),
  )
  await noteAnswers(app, answers)
  return answers
}

/** As a seal would see it: one authority that answers is enough. */
async function noteAnswers(app: App, answers: readonly AuthorityAnswer[]): Promise<void> {
  const given = answers.find(({ answer }) => answer !== undefined)?.answer
  const failures = answers.flatMap(({ failure }) => (failure ? [englishOfDiagnosis(failure)] : []))
  if (given) await noteTimestampAnswer(app, { stampedAt: given.at })
  else if (failures.length > 0) await noteTimestampAnswer(app, { failure: failures.join('; ') })
}
