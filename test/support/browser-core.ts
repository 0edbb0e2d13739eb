/** Asks the verifying core about files, in a worker of a page from `file://`, offline. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { bundleForBrowser } from '../../scripts/browser-bundle.ts'
import { toBase64 } from '../../src/lib/bytes.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { reportOn } from './core-report.ts'
import type { CoreAnswer } from './core-worker.ts'

/** A file, and what it is verified with: DER. */
export interface CoreFile {
  name: string
  bytes: Uint8Array
  trust: readonly Uint8Array[]
  timestampTrust: readonly Uint8Array[]
  revocationLists?: readonly Uint8Array[]
  now: Date
}

export interface BrowserCore {
  ask(files: readonly CoreFile[]): Promise<CoreAnswer[]>
  close(): Promise<void>
}

/** Files in one message to the page. */
const BATCH = 100

const PAGE = `<!doctype html><title>core</title><input type=file multiple><script type=text/plain>WORKER</script><script>
const source = document.querySelector('script').textContent
// A module would not start: a page from a file has no origin that a worker of modules accepts.
const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
const octets = list => list.map(text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0)))
const ask = (file, { trust, timestampTrust, revocationLists, now }) => new Promise((resolve, reject) => {
  worker.onmessage = event => resolve(event.data)
  worker.onerror = event => reject(new Error(event.message))
  worker.postMessage({
    file, now, trust: octets(trust), timestampTrust: octets(timestampTrust), revocationLists: octets(revocationLists),
  })
})
const askAll = async questions => {
  const answers = []
  const { files } = document.querySelector('input')
  for (let i = 0; i < questions.length; i++) answers.push(await ask(files[i], questions[i]))
  return answers
}
</script>`

const questionOf = ({ trust, timestampTrust, revocationLists = [], now }: CoreFile) => ({
  now: now.toISOString(),
  trust: trust.map(toBase64),
  timestampTrust: timestampTrust.map(toBase64),
  revocationLists: revocationLists.map(toBase64),
})

/** A page in a context of its own, which has no network. */
export async function openBrowserCore(browser: Browser): Promise<BrowserCore> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-core-'))
  const worker = new TextDecoder().decode(await bundleForBrowser(join(import.meta.dir, 'core-worker.ts')))
  const path = join(folder, 'core.html')
  writeFileSync(
    path,
    PAGE.replace('WORKER', () => worker.replaceAll('</script', '<\\/script')),
  )
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  await page.goto(pathToFileURL(path).href)

  async function askBatch(files: readonly CoreFile[]): Promise<CoreAnswer[]> {
    const paths = files.map(({ bytes }, i) => {
      const own = join(folder, `${i}.pdf`)
      writeFileSync(own, bytes)
      return own
    })
    await page.locator('input').setInputFiles(paths)
    return page.evaluate(`askAll(${JSON.stringify(files.map(questionOf))})`)
  }

  return {
    async ask(files) {
      const answers: CoreAnswer[] = []
      for (let at = 0; at < files.length; at += BATCH) answers.push(...(await askBatch(files.slice(at, at + BATCH))))
      return answers
    },
    async close() {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The report of this process, as the worker writes it. */
export function reportHere({ bytes, trust, timestampTrust, revocationLists = [], now }: CoreFile): string {
  const [signers, times] = [trust, timestampTrust].map(list => list.map(der => readCertificate(der)))
  return JSON.stringify(reportOn(bytes, signers ?? [], times ?? [], { now, revocationLists }))
}

/** Names of the files whose whole report differs, with both reports. */
export async function findDifferences(core: BrowserCore, files: readonly CoreFile[]): Promise<string[]> {
  const answers = await core.ask(files)
  return files.flatMap((file, i) => {
    const [here, { report, failure } = {}] = [reportHere(file), answers[i]]
    return report === here ? [] : [`${file.name}\n  here: ${here}\n  in the browser: ${report ?? failure}`]
  })
}
