/** The sender who signs herself, in Chromium: from "Needs you" to the page that signs. */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { axeViolations } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press } from '../../support/browser.ts'
import { ADMIN } from '../../support/people.ts'
import { BOB, SIGNATURE } from '../../support/sample.ts'
import { sentDocument } from '../../support/story.ts'
import { useAppServer } from '../../support/use-app-server.ts'

const server = useAppServer()

const TEXTS = {
  en: { list: 'Waiting for your signature', turn: 'It is your turn to sign', sign: 'Sign now' },
  de: {
    list: 'Wartet auf Ihre Unterschrift',
    turn: 'Sie sind an der Reihe zu unterschreiben',
    sign: 'Jetzt unterschreiben',
  },
} as const

describe.skipIf(NO_BROWSER)('the sender who signs herself', () => {
  for (const [device, options, language] of [
    ['on a wide screen', {}, 'en'],
    ['on a phone', ON_A_PHONE, 'de'],
  ] as [string, BrowserContextOptions, 'en' | 'de'][])
    test(`${device}, in the language ${language}, finds the document, proves who she is, and has it open to sign`, async () => {
      const { t } = server
      const texts = TEXTS[language]
      const title = `Lease ${language} ${device}`
      const people = [
        { ...ADMIN, fields: [SIGNATURE] },
        { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] },
      ].map(({ name, email, fields }) => ({ name, email, fields }))
      const id = await sentDocument(t, { title, recipients: people, locale: language })
      const { page, watch } = await server.signedIn({ locale: language, ...options })
      t.clock.pass({ minutes: 16 })

      await page.goto('/documents?view=attention')
      const item = page.locator('.to-sign li', { hasText: title })
      await page.getByRole('heading', { name: texts.list }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await item.getByRole('link', { name: title }).click()
      await page.getByText(texts.turn).waitFor()
      expect(await axeViolations(page)).toEqual([])

      await press(page, texts.sign)
      await page.locator('input[type="password"]').fill(ADMIN.password)
      await Promise.all([page.waitForURL(/\/sign\/rcp_/), page.locator('main form button[type="submit"]').first().click()])
      await page.locator('#bar .end').waitFor()
      const recipient = (await t.api('GET', `/documents/${id}`)).body.recipients[0]
      expect(recipient).toMatchObject({ email: ADMIN.email, status: 'viewed' })

      await page.goto('/documents?view=attention')
      expect(await item.count()).toBe(1)
      expect(watch.complaints).toEqual([])
    })
})
