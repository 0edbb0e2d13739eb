/** The sender's documents in Chromium: live progress, corrections, several at once, keys, axe. */
import { describe, expect, test } from 'bun:test'
import { axeViolations } from '../../support/axe.ts'
import { NO_BROWSER, PHONE, press, type Watch, words } from '../../support/browser.ts'
import { HOSTILE, LONG_TITLE, makeStates, type States } from '../../support/document-states.ts'
import { BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, sentDocument, signAs } from '../../support/story.ts'
import { useAppServer } from '../../support/use-app-server.ts'

let states: States

const server = useAppServer(async ({ t }) => {
  states = await makeStates(t)
})

const CLEAN: Watch = { foreign: [], complaints: [] }

describe.skipIf(NO_BROWSER)('a page that is open', () => {
  test('shows who opened and who signed, on the list and on the document, without a reload', async () => {
    const { t } = server
    const carl = { email: 'carl@example.com', name: 'Carl Current' }
    const id = await sentDocument(t, {
      title: 'Live lease',
      recipients: [
        { ...carl, fields: [SIGNATURE] },
        { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] },
      ],
    })
    const list = await server.signedIn()
    await list.page.goto('/documents')
    const row = list.page.locator(`#row-${id}`)
    expect(await row.textContent()).toContain('0 of 2')
    const shown = await server.signedIn()
    await shown.page.goto(`/documents/${id}`)
    const isMarked = (wanted: boolean) =>
      shown.page.waitForFunction(marked => (document.querySelector('canvas.marks') !== null) === marked, wanted)
    await shown.page.locator('canvas.paper').waitFor()
    await isMarked(false)
    // A reload would forget this.
    for (const { page } of [list, shown]) await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await row.locator('.pick input').check()
    await shown.page.locator('#record summary').click()

    await signAs(t, carl.email, 'Carl Current')
    await row.getByText('1 of 2').waitFor()
    await row.getByText('Carl Current signed').waitFor()
    await shown.page.locator('#document-head').getByText('Waiting for Bob Søndergård').waitFor()
    await shown.page.locator('#history').getByText('Carl Current signed').waitFor()
    await isMarked(true)
    // What the person has done stays.
    expect(await row.locator('.pick input').isChecked()).toBe(true)
    expect(await shown.page.locator('#record').getAttribute('open')).not.toBeNull()

    await signAs(t, BOB.email, 'Bob')
    await t.drain()
    await row.getByText('Completed', { exact: true }).waitFor()
    await shown.page.getByRole('link', { name: 'Download sealed PDF' }).waitFor()
    // The sealed file, with the audit certificate behind it.
    await shown.page
      .locator('.document-tools')
      .getByText(/of [2-9]/)
      .waitFor()
    for (const { page, watch } of [list, shown]) {
      expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
      expect(watch).toEqual(CLEAN)
    }
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('a person who was named wrongly', () => {
  test('is corrected on the page; the old link ends and the new one opens the document', async () => {
    const { t } = server
    const id = await sentDocument(t, {
      title: 'Typo',
      recipients: [{ email: 'bo@exampel.com', name: 'Bo Li', fields: [SIGNATURE] }],
    })
    const old = linkTo(t, 'bo@exampel.com')
    const { page, watch } = await server.signedIn()
    await page.goto(`/documents/${id}`)
    await page.getByText('Correct', { exact: true }).click()
    await page.getByLabel('E-mail address').fill('bo@')
    await press(page, 'Correct and send again')
    expect(await words(page)).toContain('must be an e-mail address')
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('bo@')
    await page.getByLabel('E-mail address').fill('bo@example.com')
    await press(page, 'Correct and send again')
    expect(await words(page)).toContain('A new link is being e-mailed')
    await t.drain()
    const signer = await server.window()
    expect((await signer.page.goto(old))?.status()).toBe(404)
    await signer.page.goto(linkTo(t, 'bo@example.com'))
    await press(signer.page, 'Open the document')
    await page.locator('#history').getByText('Bo Li opened the document').waitFor()
    expect(watch).toEqual(CLEAN)
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('several documents', () => {
  test('are ticked, labelled, downloaded as a ZIP that unzip reads, and voided with a reason', async () => {
    const { t } = server
    const ids = [
      (await t.api('POST', '/documents', await newDocument({ title: 'Batch draft', fileName: 'batch.pdf' }))).body.id,
      await sentDocument(t, { title: 'Batch sent', fileName: 'batch.pdf' }),
    ]
    const { page, watch } = await server.signedIn()
    await page.goto('/documents?view=all&q=batch')
    const bar = page.getByRole('form', { name: 'Actions for the chosen documents' })
    expect(await bar.isVisible()).toBe(false)
    for (const id of ids) await page.locator(`#row-${id} .pick input`).check()
    expect(await bar.textContent()).toContain('2 chosen')
    await bar.getByRole('combobox', { name: 'Label' }).fill('Batch of November')
    await press(page, 'Add label')
    expect(await words(page)).toContain('2 labelled.')
    expect(page.url()).toContain('q=batch')

    await page.locator(`#row-${ids[0]} .pick input`).check()
    await bar.locator('[data-tick-all]').check()
    expect(await bar.textContent()).toContain('2 chosen')
    const waiting = page.waitForEvent('download')
    await bar.getByRole('button', { name: 'Download as ZIP' }).click()
    const path = await (await waiting).path()
    expect(Bun.spawnSync(['unzip', '-t', path]).exitCode).toBe(0)
    expect(
      String(Bun.spawnSync(['unzip', '-Z1', path]).stdout)
        .trim()
        .split('\n'),
    ).toHaveLength(2)

    await bar.getByText('Void', { exact: true }).click()
    await page.getByLabel('Reason').fill('All wrong')
    await press(page, 'Void the chosen documents')
    expect(await words(page)).toContain('2 voided.')
    for (const id of ids) expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('voided')
    expect(watch).toEqual(CLEAN)
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('without scripts', () => {
  test('a document is found by search and filter, ticked, reminded, corrected and voided', async () => {
    const { t } = server
    t.clock.pass({ minutes: 5 })
    const ella = { email: 'ella@example.com', name: 'Ella Early' }
    const id = await sentDocument(t, { title: 'Plain letter', labels: ['plain'], recipients: [{ ...ella, fields: [SIGNATURE] }] })
    const { page } = await server.signedIn({ javaScriptEnabled: false })
    await page.goto('/documents')
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Label', { exact: true }).first().selectOption('plain')
    await press(page, 'Show')
    expect(await page.locator('.documents tbody tr').count()).toBe(1)
    await page.locator(`#row-${id} .pick input`).check()
    await press(page, 'Remind')
    expect(await words(page)).toContain('1 had nobody due.')
    await page.goto(`/documents/${id}`)
    await page.getByText('Correct', { exact: true }).click()
    await page.getByLabel('Name').fill('Ella Earlier')
    await press(page, 'Correct and send again')
    expect(await words(page)).toContain('The recipient is now Ella Earlier (ella@example.com).')
    expect(await page.getByRole('link', { name: /^Download the PDF/ }).isVisible()).toBe(true)
    await page.getByText('Void the document').first().click()
    await page.locator('#void-reason').fill('Not needed')
    await press(page, 'Void the document')
    expect(await words(page)).toContain('Voided today.')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('by keys alone', () => {
  test('rows are walked by j and k, opened by Enter, and the menu of a row by its arrows', async () => {
    const { page, watch } = await server.signedIn()
    await page.goto('/documents?view=waiting')
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
    const titles = await page.locator('.documents .title').allTextContents()
    await page.keyboard.press('j')
    expect(await focused()).toBe(titles[0])
    await page.keyboard.press('j')
    expect(await focused()).toBe(titles[1])
    await page.keyboard.press('k')
    expect(await focused()).toBe(titles[0])
    const arrived = page.waitForEvent('load')
    await page.keyboard.press('Enter')
    await arrived
    expect(await page.locator('h1').textContent()).toBe(titles[0] ?? '')

    await page.getByRole('button', { name: 'More' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.closest('[popover]'))
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Edit labels')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    // The question has the focus, and Escape gives it back.
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(watch).toEqual(CLEAN)
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('every state', () => {
  test('is accessible in light and dark, fits a phone and runs nothing that a sender of names wrote', async () => {
    const { page, watch } = await server.signedIn()
    const dialogs: string[] = []
    page.on('dialog', dialog => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const problems: string[] = []
    const pages = {
      ...Object.fromEntries(Object.entries(states).map(([name, id]) => [name, `/documents/${id}`])),
      list: '/documents',
      attention: '/documents?view=attention',
      filtered: '/documents?view=all&q=a&label=Sales&from=2026-01-01&to=x',
      none: '/documents?view=completed&q=nothing',
    }
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path)
      for (const found of await axeViolations(page)) problems.push(`${name}: ${found}`)
      await page.setViewportSize(PHONE)
      const px = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      if (px > 0) problems.push(`${name}: ${px} px wider than a phone`)
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    expect(problems).toEqual([])
    await page.goto(`/documents/${states.hostile}`)
    expect(await page.locator('h1').textContent()).toBe(HOSTILE)
    await page.goto(`/documents/${states.completed}`)
    expect(await page.locator('h1').textContent()).toBe(LONG_TITLE)
    expect(dialogs).toEqual([])
    // The file of one document is missing, which its page says.
    expect({ ...watch, complaints: watch.complaints.filter(text => !text.includes(states.sealingTrouble)) }).toEqual(CLEAN)
  }, 180_000)
})
