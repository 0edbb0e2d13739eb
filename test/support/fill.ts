/** Fills in the signing form, with or without script. */
import type { Page } from 'playwright-core'

/** Fills the form with the fields of `FIELDS`. */
export async function fill(page: Page): Promise<void> {
  const form = page.locator('#sign')
  await form.getByLabel(/^Place/).fill('Zürich')
  await form.getByLabel(/^Hours a week/).fill('38.5')
  await form.getByLabel(/^Term/).selectOption('2 years')
  await form.getByLabel(/price list/).check()
  await form.getByLabel('I have read this and agree.').check()
  await typeMark(page, /^Your full name/, 'Ada Lovelace')
  await typeMark(page, /^Your initials \(/, 'AL')
}

/** Chooses a typed signature if there is a choice, and types it. */
export async function typeMark(page: Page, label: RegExp, text: string): Promise<void> {
  const way = page
    .locator('#sign [data-mark]')
    .filter({ has: page.getByLabel(label) })
    .getByRole('radio', { name: 'Type' })
  if (await way.isVisible()) await way.check()
  await page.locator('#sign').getByLabel(label).fill(text)
}
