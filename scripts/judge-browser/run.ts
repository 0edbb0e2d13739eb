/**
 * Asks the verifying core in Chromium, from `file://` and offline, about every file that the tests
 * verify, the corpus and what other judges left. Each whole report must be that of the executable.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { certificatesOfPem } from '../../src/pki/x509.ts'
import { CHROMIUM } from '../../test/support/browser.ts'
import { type BrowserCore, type CoreFile, openBrowserCore, reportHere } from '../../test/support/browser-core.ts'
import { recordedFiles } from '../../test/support/recorded-files.ts'
import { table } from '../judge-tools/table.ts'

export interface BrowserOptions {
  /** Folder of everything fetched and made. */
  here: string
  /** Only files whose path holds one of these; empty: all. */
  names: readonly string[]
}

const ROOT = join(import.meta.dir, '../..')
const CORPUS = join(ROOT, '../shared/corpus')
/** Tests that verify files. Their own failures are theirs to report. */
const TESTS = ['test/verify', 'test/pki', 'test/pades', 'test/evidence', 'test/appearance', 'test/pdf/parser']
/** Files in memory at once. */
const BATCH = 200

function recordTests(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const command = [process.execPath, 'test', '--timeout=120000', ...TESTS]
  const env = { ...process.env, SIGNET_TEST_RECORDED_FILES: folder }
  const { exitCode } = Bun.spawnSync(command, { cwd: ROOT, env, stdout: 'ignore', stderr: 'ignore' })
  if (exitCode !== 0) console.error(`a test failed while its files were kept (exit ${exitCode})`)
}

const certificatesAt = (path: string): Uint8Array[] => (existsSync(path) ? certificatesOfPem(readFileSync(path, 'utf8')) : [])

/** PDFs of a folder, with the certificates beside them. */
function* filesIn(folder: string): Generator<CoreFile> {
  if (!existsSync(folder)) return
  for (const name of [...new Bun.Glob('**/*.pdf').scanSync({ cwd: folder, absolute: true, dot: true })].sort()) {
    const stem = name.slice(0, -'.pdf'.length)
    yield {
      name,
      bytes: new Uint8Array(readFileSync(name)),
      trust: ['trust', 'signers'].flatMap(kind => certificatesAt(`${stem}.${kind}.pem`)),
      timestampTrust: ['time', 'times'].flatMap(kind => certificatesAt(`${stem}.${kind}.pem`)),
      now: new Date(),
    }
  }
}

interface Compared {
  name: string
  verdict: string
  hereMs: number
  browserMs: number
  /** Both reports, if they differ. */
  difference: string | undefined
}

async function compare(core: BrowserCore, files: readonly CoreFile[]): Promise<Compared[]> {
  const answers = await core.ask(files)
  return files.map((file, i) => {
    const start = performance.now()
    const here = reportHere(file)
    const hereMs = performance.now() - start
    const { report, failure, ms = 0 } = answers[i] ?? {}
    const difference = report === here ? undefined : `${file.name}\n    here: ${here}\n    browser: ${report ?? failure}`
    return { name: file.name, verdict: (JSON.parse(here) as { verdict: string }).verdict, hereMs, browserMs: ms, difference }
  })
}

/** Highest memory of the processes that run pages, in MB. Linux only. */
async function peakOfPages(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1000)
  return Math.round(Math.max(...peaks))
}

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', headless: true, args: ['--no-sandbox', '--disable-gpu'] })

/** One object of random octets makes a file of this size. */
function fileOf(bytes: number): Uint8Array {
  const head = '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n'
  const page = '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n'
  const before = Buffer.from(`${head}${page}4 0 obj<</Length ${bytes}>>stream\n`, 'latin1')
  const data = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(data.subarray(at, at + 65_536))
  const after = '\nendstream endobj\n'
  const offset = (number: number) => before.indexOf(`${number} 0 obj`)
  const rows = [1, 2, 3, 4].map(number => `${String(offset(number)).padStart(10, '0')} 00000 n \n`).join('')
  const start = before.length + bytes + after.length
  const end = `xref\n0 5\n0000000000 65535 f \n${rows}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.concat([before, data, Buffer.from(after + end, 'latin1')])
}

/** Each size in a browser of its own, whose memory is then that of one file. */
async function measure(): Promise<string> {
  const rows: string[][] = []
  for (const size of [1_000, 10_000_000, 100_000_000]) {
    const browser = await launch()
    try {
      const core = await openBrowserCore(browser)
      const empty = await peakOfPages(browser)
      const file = { name: 'size', bytes: fileOf(size), trust: [], timestampTrust: [], now: new Date() }
      const [found] = await compare(core, [file])
      const peak = await peakOfPages(browser)
      const ms = (value = 0) => `${value.toFixed(1)} ms`
      rows.push([`${size / 1000} kB`, ms(found?.hereMs), ms(found?.browserMs), `${peak - empty} MB`, found?.difference ?? 'same'])
    } finally {
      await browser.close()
    }
  }
  return table(['file', 'here', 'browser', 'memory', 'report'], rows)
}

const median = (values: readonly number[]): string => (values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(1)

function summary(results: readonly Compared[]): string {
  const verdicts = [...new Set(results.map(({ verdict }) => verdict))].sort()
  const rows = verdicts.map(verdict => {
    const own = results.filter(one => one.verdict === verdict)
    const differing = own.filter(({ difference }) => difference !== undefined).length
    return [
      verdict,
      String(own.length),
      String(differing),
      median(own.map(one => one.hereMs)),
      median(own.map(one => one.browserMs)),
    ]
  })
  return table(['verdict', 'files', 'other report', 'median ms here', 'in the browser'], rows)
}

/** Prints the tables. True when each whole report is the same. */
export async function judgeBrowser({ here, names }: BrowserOptions): Promise<boolean> {
  if (CHROMIUM === undefined) throw new Error('Chromium is not here')
  const folder = join(here, 'browser')
  recordTests(folder)
  const isWanted = (name: string) => names.length === 0 || names.some(part => name.includes(part))
  const browser = await launch()
  const results: Compared[] = []
  try {
    const core = await openBrowserCore(browser)
    let batch: CoreFile[] = []
    const flush = async () => {
      results.push(...(await compare(core, batch)))
      batch = []
    }
    const others = ['set', 'attacks', 'foreign'].map(name => filesIn(join(here, name)))
    for (const list of [recordedFiles(folder), filesIn(CORPUS), ...others]) {
      for (const file of list) {
        if (!isWanted(file.name)) continue
        batch.push(file)
        if (batch.length === BATCH) await flush()
      }
    }
    await flush()
  } finally {
    await browser.close()
  }
  console.log(summary(results))
  console.log(await measure())
  const differing = results.filter(({ difference }) => difference !== undefined)
  for (const { difference } of differing) console.log(difference)
  const slow = results.toSorted((a, b) => b.browserMs - a.browserMs).slice(0, 5)
  for (const { name, hereMs, browserMs } of slow)
    console.log(`longest: ${basename(name)} ${hereMs.toFixed(0)} ms here, ${browserMs.toFixed(0)} ms in the browser`)
  return results.length > 0 && differing.length === 0
}
