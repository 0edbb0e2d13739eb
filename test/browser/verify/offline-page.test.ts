/** In Chromium from file:// and offline: verify.html, which asks for nothing and stores nothing. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { LANGUAGES } from '../../../src/core/language.ts'
import { verifyPage } from '../../../src/files/verify-page.ts'
import { LANGUAGE_NAMES } from '../../../src/locales/language-names.ts'
import { localVerifyTextsOf } from '../../../src/locales/local-verify.ts'
import { verifyTextsOf } from '../../../src/locales/verify-texts.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, openBrowser, openWindow, words } from '../../support/browser.ts'
import { useFolder } from '../../support/folders.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { ADA, BOB, BOB_SIGNS, SIGNATURE } from '../../support/sample.ts'
import { sentDocument, signAs } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

setDefaultTimeout(120_000)
const folder = useFolder()
let t: TestApp
let browser: Browser
const files = { sealed: '', pack: '', seal: '', forged: '', brokenPack: '', locked: '', other: '', empty: '', receipt: '' }

beforeAll(async () => {
  if (NO_BROWSER) return
  browser = await openBrowser()
  t = await openTestApp()
  const put = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  put('verify.html', verifyPage().bytes)
  const id = await sentDocument(t, { title: 'Lease', recipients: [{ ...ADA, fields: [SIGNATURE] }, BOB_SIGNS] })
  await signAs(t, ADA.email, 'Ada')
  await signAs(t, BOB.email, 'Bob')
  await t.drain()
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  const receipt = (await t.api('GET', `/documents/${id}/recipients/${recipients[0].id}/receipt`)).body
  files.receipt = put('receipt.eml', Buffer.from(receipt))
  const sealed = Buffer.from((await t.api('GET', `/documents/${id}/file`)).body)
  const pack = Buffer.from((await t.api('GET', `/documents/${id}/evidence`)).body)
  files.sealed = put('sealed.pdf', sealed)
  files.pack = put('pack.zip', pack)
  files.seal = put('seal.pem', await (await t.fetch('/seal-certificate.pem')).bytes())
  const forged = Buffer.from(sealed)
  forged[2000] = (forged[2000] ?? 0) ^ 1
  files.forged = put('forged.pdf', forged)
  files.brokenPack = put('broken.zip', pack.subarray(0, 9000))
  // ISO 32000-2 §7.6.4.4: /U shows that the empty password does not open it.
  const encrypt = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> `
  const locked = Buffer.from(makePdf())
    .toString('latin1')
    .replace(/trailer\s*<</, `$& ${encrypt}`)
  files.locked = put('locked.pdf', Buffer.from(locked, 'latin1'))
  files.other = put('picture.png', Buffer.from('\x89PNG', 'latin1'))
  files.empty = put('empty.pdf', Buffer.alloc(0))
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await t?.close()
})

/** A window on the page without a network, in which every request and complaint is counted. */
async function open(options: BrowserContextOptions = {}) {
  const { context, page, watch } = await openWindow(browser, 'http://127.0.0.1:9', { offline: true, ...options })
  page.on('pageerror', error => void watch.complaints.push(error.message))
  const address = pathToFileURL(join(folder, 'verify.html')).href
  const end = async () => {
    expect(watch.foreign.filter(url => url !== address)).toEqual([])
    expect(watch.complaints).toEqual([])
    const stored = await page.evaluate(async () => [localStorage.length, document.cookie, (await indexedDB.databases()).length])
    expect(stored).toEqual([0, '', 0])
    await context.close()
  }
  await page.goto(address)
  await page.locator('#local-files').waitFor()
  return { page, end }
}

/** Chooses files, and waits for so many verdicts. */
async function choose(page: Page, paths: string[], verdicts: number): Promise<string[]> {
  await page.setInputFiles('#local-files', paths)
  await page.waitForFunction(
    count => document.querySelectorAll('.verdict h2').length === count && !document.querySelector('progress'),
    verdicts,
  )
  return page.locator('.verdict h2').allTextContents()
}

const { verdicts } = verifyTextsOf('en')
const local = localVerifyTextsOf('en')

describe.skipIf(NO_BROWSER)('verify.html', () => {
  test('says of a sealed file that it is intact, by whom it is trusted, and what it does not know', async () => {
    const { page, end } = await open()
    expect(await choose(page, [files.sealed], 1)).toEqual([verdicts.unknown.heading])
    expect(await words(page)).toContain(local.trust.none)
    // The certificate that is given afterwards counts for the file that is there.
    await choose(page, [files.seal], 1)
    await page.getByRole('heading', { name: verdicts.valid.heading, exact: true }).waitFor()
    expect(await words(page)).toContain(local.trust.given('seal.pem'))
    await page.getByLabel(local.trust.purpose('seal.pem')).selectOption('timestamps')
    await page.getByRole('heading', { name: verdicts.unknown.heading }).waitFor()
    await page.getByRole('button', { name: local.trust.remove('seal.pem') }).click()
    await page.waitForFunction(
      () => !document.querySelector('progress') && !document.querySelector('select:not(.language-choice)'),
    )
    await end()
  })

  test('names who signed an evidence pack, and says that only the pack itself vouches for its certificate', async () => {
    const { page, end } = await open()
    expect(await choose(page, [files.pack], 1)).toEqual([local.pack.verdicts.validByPack.heading])
    const text = await words(page)
    expect(text).toMatch(/Ada Lovelace \(ada@example\.com\) signed on 20 November 2026/)
    expect(text).toContain(BOB.name)
    expect(text).toContain(local.trust.pack)
    const problems = await problemsAtAllSizes(page)
    expect(problems).toEqual([])
    await choose(page, [files.seal], 1)
    await page.getByRole('heading', { name: local.pack.verdicts.valid.heading, exact: true }).waitFor()
    await end()
  })

  test('reads a receipt, alone and against the log in the pack that is chosen later', async () => {
    const { page, end } = await open()
    const { verdicts: ofReceipts, source } = local.receipt
    expect(await choose(page, [files.receipt], 1)).toEqual([ofReceipts.unknown.heading])
    expect(await words(page)).toContain('This receipt says that Ada Lovelace signed “Lease” on 20 November 2026')
    await choose(page, [files.seal], 1)
    await page.getByRole('heading', { name: ofReceipts.valid.heading, exact: true }).waitFor()
    expect(await words(page)).toContain(source)
    expect(await choose(page, [files.pack], 2)).toEqual([local.pack.verdicts.valid.heading, ofReceipts.validWithLog.heading])
    await end()
  })

  test('says of each file that cannot be verified what to do, each in its own words', async () => {
    const { page, end } = await open()
    const { problems } = local
    const chosen = [files.forged, files.locked, files.brokenPack, files.other, files.empty]
    expect(await choose(page, chosen, 5)).toEqual([
      verdicts.notValid.heading,
      problems.locked.heading,
      problems.damagedPack.heading,
      problems.unknownKind.heading,
      problems.empty.heading,
    ])
    expect(await words(page)).not.toContain('Ada')
    expect(await problemsAtAllSizes(page)).toEqual([])
    await end()
  })

  test('is used by keys alone, gives the focus to the verdict, and opens the details on paper', async () => {
    const { page, end } = await open()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('language-choice')
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await (await chooser).setFiles([files.seal, files.sealed])
    await page.getByRole('heading', { name: verdicts.valid.heading, exact: true }).waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'H2')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY')
    const isOpen = () => page.locator('.verdict details').evaluate(details => (details as HTMLDetailsElement).open)
    expect(await isOpen()).toBe(false)
    await page.evaluate(() => {
      window.addEventListener('beforeprint', () => {
        document.title = `${document.querySelector<HTMLDetailsElement>('.verdict details')?.open}`
      })
    })
    const paper = await page.pdf()
    expect(paper.length).toBeGreaterThan(10_000)
    expect([await page.title(), await isOpen()]).toEqual(['true', false])
    await end()
  })

  test('speaks nine languages, chosen by the reader, from the right in Arabic, on a phone too', async () => {
    const { page, end } = await open({ locale: 'fr-FR', ...ON_A_PHONE })
    expect(await page.locator('h1').textContent()).toBe(verifyTextsOf('fr').title)
    await choose(page, [files.pack], 1)
    for (const language of LANGUAGES) {
      await page.locator('.language-choice').selectOption({ label: LANGUAGE_NAMES[language] })
      const texts = localVerifyTextsOf(language)
      const text = await words(page)
      for (const part of [texts.lead, texts.stays, texts.pack.verdicts.validByPack.heading, texts.pack.source])
        expect([language, text]).toEqual([language, expect.stringContaining(part.replace(/\s+/g, ' '))])
      const html = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.title])
      expect(html).toEqual([language, language === 'ar' ? 'rtl' : 'ltr', `${verifyTextsOf(language).title} · Signet`])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    }
    expect(await problemsAtAllSizes(page)).toEqual([])
    await end()
  })

  test('a check that the reader cancels says nothing of the file, and a worker that dies says so', async () => {
    const { page, end } = await open()
    await page.evaluate(() => {
      Worker.prototype.postMessage = function () {
        const kill = (globalThis as { kill?: boolean }).kill
        if (kill) this.onerror?.(new ErrorEvent('error'))
      }
    })
    await page.setInputFiles('#local-files', files.sealed)
    await page.getByRole('button', { name: local.cancel }).click()
    await page.getByText(local.cancelled).first().waitFor()
    expect(await page.locator('.verdict').count()).toBe(0)
    await page.evaluate(() => {
      Object.assign(globalThis, { kill: true })
    })
    expect(await choose(page, [files.sealed], 1)).toEqual([local.problems.stopped.heading])
    await end()
  })
})
