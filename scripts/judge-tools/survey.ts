/**
 * Verdicts of EU DSS, pyHanko and our verifier on any signed PDF, in comparable terms. Trust is
 * separate: the files' authorities are unknown and their certificates often expired.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PdfTaskError } from '../../src/sandbox/errors.ts'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'
import { type SignatureReport, type UnreadableReport, type VerificationReport, writeReport } from '../../src/verify/report.ts'
import { run } from '../judge-set/process.ts'
import { dssCommand, PYHANKO } from './install.ts'

export interface SurveyedFile {
  name: string
  path: string
  /** PEM file of trusted signers; may be empty. */
  trustPath: string
  /** PEM file of trusted time-stamp authorities; may be empty. */
  timeTrustPath: string
}

/**
 * `passed`: all checks passed. `intact`: bytes and form passed; trust, time or revocation did not.
 * `weak`: an algorithm is too weak. `warns`: as `intact`, and later changes are named.
 * `against`: bytes or form failed. `none`: no signature. Our verifier answers with its verdicts.
 */
export interface Opinion {
  kind: string
  words: string
  /** Of our verifier alone. */
  signatures?: Pick<SignatureReport, 'field' | 'integrity' | 'level'>[]
  /** Kinds of what follows the signatures; of our verifier alone. */
  changes?: string[]
}

const SURVEY_MS = 20 * 60_000
const cutShort = (text: string): Opinion => ({ kind: 'against', words: `it ended early: ${text.slice(-300)}` })

/** Runs a driver of EU DSS over the files; one line of answer for each. */
async function askDss(folder: string, files: readonly SurveyedFile[], ...more: string[]): Promise<Opinion[]> {
  const list = join(folder, 'survey-dss.list')
  writeFileSync(list, files.map(({ path, trustPath, timeTrustPath }) => `${path}\t${trustPath}\t${timeTrustPath}\n`).join(''))
  const { out, text } = await run([...dssCommand(folder, 'Survey'), list, ...more], { limitMs: SURVEY_MS })
  writeFileSync(join(folder, 'survey-dss.log'), text)
  const answers = [...out.matchAll(/^verdict\t([^\t\n]*)\t?(.*)$/gm)].map(([, kind = '', words = '']) => ({ kind, words }))
  return files.map((_, i) => answers[i] ?? cutShort(text))
}

/** Writes the trust files: the topmost certificate of each path in the file, by kind of signer. */
export async function writeAnchors(folder: string, files: readonly SurveyedFile[]): Promise<void> {
  await askDss(folder, files, 'anchors')
  for (const { trustPath, timeTrustPath } of files) {
    for (const path of [trustPath, timeTrustPath]) if (!existsSync(path)) writeFileSync(path, '')
  }
}

export const surveyByDss = (folder: string, files: readonly SurveyedFile[]): Promise<Opinion[]> => askDss(folder, files)

export async function surveyByPyHanko(folder: string, files: readonly SurveyedFile[]): Promise<Opinion[]> {
  const list = join(folder, 'survey-pyhanko.list')
  writeFileSync(list, files.map(file => `${JSON.stringify(file)}\n`).join(''))
  const driver = [join(folder, 'venv/bin/python'), join(PYHANKO, 'survey.py')]
  const { out, text } = await run(['sh', '-c', `exec "$0" "$@" < '${list}'`, ...driver], { limitMs: SURVEY_MS })
  const lines = out.split('\n').filter(line => line !== '')
  return files.map((_, i) => {
    const line = lines[i]
    if (line === undefined) return cutShort(text)
    const [kind, words]: [string, string] = JSON.parse(line)
    return { kind, words: words.replace(/\s+/g, ' ') }
  })
}

function opinionOf(found: VerificationReport | UnreadableReport): Opinion {
  const report = writeReport(found)
  if (report.verdict === 'unreadable') return { kind: report.verdict, words: report.reason }
  const words = [...report.signatures.flatMap(({ reasons }) => reasons), ...report.reasons]
  return {
    kind: report.verdict,
    words: [...new Set(words)].join(' '),
    signatures: report.signatures.map(({ field, integrity, level }) => ({ field, integrity, level })),
    changes: [...report.changes.map(({ kind }) => kind), ...(report.additions.length > 0 ? ['addition'] : [])],
  }
}

/** The earliest claimed time of signing, when an expired certificate is the only problem. */
function timeOfSigning(report: VerificationReport | UnreadableReport): string | undefined {
  if (report.verdict !== 'signer-unknown' || !report.signatures.some(({ trust }) => trust === 'expired')) return undefined
  const times = report.signatures.map(({ time }) => time.claimedAt).filter(time => time !== undefined)
  return times.sort((a, b) => Date.parse(a) - Date.parse(b))[0]
}

/** Verifies now and, with `isThenToo`, at the signing time of an expired certificate too. */
async function opinionOn(
  tools: PdfTools,
  { path, trustPath, timeTrustPath }: SurveyedFile,
  isThenToo: boolean,
): Promise<Opinion> {
  const [trust, timestampTrust] = [[readFileSync(trustPath, 'utf8')], [readFileSync(timeTrustPath, 'utf8')]]
  const order = { path, trust, timestampTrust, originalPath: undefined }
  const present = await tools.verify(order)
  const now = isThenToo ? timeOfSigning(present) : undefined
  if (now === undefined) return opinionOf(present)
  const then = opinionOf(await tools.verify({ ...order, now }))
  return { ...then, kind: `${then.kind} then` }
}

export interface OwnOptions {
  /** Starts a child of the product that reads PDFs. */
  command: string[]
  /** Asks about the time of signing too, where a certificate has expired since. */
  isThenToo: boolean
}

/** The product's own verifier, in its own child processes. */
export async function surveyByOurselves(files: readonly SurveyedFile[], { command, isThenToo }: OwnOptions): Promise<Opinion[]> {
  const tools = openPdfTools({ command, size: 1, limits: { cpuMs: 60_000, wallMs: 2 * 60_000, rssBytes: 1024 * 1024 * 1024 } })
  const opinions: Opinion[] = []
  try {
    for (const file of files) {
      try {
        opinions.push(await opinionOn(tools, file, isThenToo))
      } catch (error) {
        if (!(error instanceof Error)) throw error
        const kind = error instanceof PdfTaskError ? 'refused' : 'FAILED'
        opinions.push({ kind, words: `${error.name}: ${error.message}` })
      }
    }
  } finally {
    await tools.close()
  }
  return opinions
}
