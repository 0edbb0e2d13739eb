/** A mistyped domain is asked about wherever a recipient is named, and never refused. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../../support/axe.ts'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { LEASE_HEADER, leaseTemplate, tenantRows, westernCsv } from '../../support/bulk-scenes.ts'
import { PHONE_390 } from '../../support/editor-service.ts'
import { newDocument, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

setDefaultTimeout(60_000)
const place = useSigningService()

const TYPO = { name: 'Ada', email: 'ada@gmial.com' }
const question = (page: Page, text = 'Did you mean gmail.com?') => page.getByRole('status').getByText(text, { exact: true })
const emails = async (id: string) =>
  (await place.t.api('GET', `/documents/${id}`)).body.recipients.map(({ email }: { email: string }) => email)

/** Opens the page of people of a new draft. */
async function draft(page: Page): Promise<string> {
  await page.goto('/documents/new')
  const buffer = Buffer.from(await samplePdf(), 'base64')
  await page.setInputFiles('#file', [{ name: 'Lease.pdf', mimeType: 'application/pdf', buffer }])
  await page.waitForURL(/\/people/)
  return /doc_[0-9a-z]{26}/.exec(page.url())?.[0] ?? ''
}

describe.skipIf(NO_BROWSER)('a mistyped domain', () => {
  test('of a person of a draft is asked about when it was left, and mended by one press', async () => {
    for (const window of [{}, PHONE_390]) {
      const { page, complaints } = await place.signedIn(window)
      const id = await draft(page)
      const email = page.locator('[name="recipients[0].email"]')
      await page.locator('[name="recipients[0].name"]').fill('Ada')
      await email.fill(TYPO.email)
      expect(await question(page).count()).toBe(0)
      await email.press('Tab')
      await question(page).waitFor()
      await page.locator('[data-save-status][data-state="saved"]').waitFor()
      expect(await emails(id)).toEqual([TYPO.email])
      const rowOf = async (name: string) => (await page.locator(`[name="recipients[0].${name}"]`).boundingBox())!.y
      if (window !== PHONE_390) expect(await rowOf('email')).toBe(await rowOf('name'))
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Use gmail.com' }).click()
      expect(await email.inputValue()).toBe('ada@gmail.com')
      await question(page).waitFor({ state: 'detached' })
      await page.getByRole('heading').first().click()
      await page.locator('[data-save-status][data-state="saved"]').waitFor()
      await page.reload()
      expect([await email.inputValue(), await question(page).count()]).toEqual(['ada@gmail.com', 0])
      expect(complaints).toEqual([])
    }
  })

  test('is asked about after a press that leaves the address: the press is not lost', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    const email = page.locator('[name="recipients[0].email"]')
    await email.fill(TYPO.email)
    const before = await page.getByRole('button', { name: 'I sign too' }).boundingBox()
    await page.getByRole('button', { name: 'I sign too' }).click()
    await question(page).waitFor()
    await page.locator('[name="recipients[1].name"]').waitFor()
    expect((await page.getByRole('button', { name: 'Add a person' }).boundingBox())!.y).toBeGreaterThan(before!.y + 20)
    await page.locator('[data-save-status][data-state="saved"]').waitFor()
    expect(await emails(id)).toEqual([TYPO.email, 'grace@example.com'])
  })

  test('is asked about in each row of its own, also in one that was pasted, and can stay', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    const first = page.locator('[name="recipients[0].name"]')
    await first.fill('Ada <ada@example.com>, Bo <bo@web.dee>')
    await first.press('Tab')
    await question(page, 'Did you mean web.de?').waitFor()
    expect(await page.locator('[data-person]').nth(1).getByText('Did you mean web.de?').count()).toBe(1)
    await page.locator('[data-save-status][data-state="saved"]').waitFor()
    await press(page, 'Continue')
    expect(await emails(id)).toEqual(['ada@example.com', 'bo@web.dee'])
    await page.goto(`/documents/${id}/people`)
    await question(page, 'Did you mean web.de?').waitFor()
  })

  test('is asked about in the use of a template, in a correction and among the contacts', async () => {
    const { page } = await place.signedIn()
    await page.goto(`/templates/${await leaseTemplate(place.t)}/use`)
    await page.locator('[name="recipients[0].email"]').fill(TYPO.email)
    await page.locator('[name="recipients[0].email"]').press('Tab')
    await question(page).waitFor()
    const { id } = await place.send(
      { recipients: [{ ...TYPO, fields: [{ type: 'signature', page: 1, x: 9, y: 9, width: 20, height: 5 }] }] },
      TYPO.email,
    )
    await page.goto(`/documents/${id}`)
    await page.locator('details.correct summary').first().click()
    await question(page).waitFor()
    await page.goto('/contacts/new')
    await page.locator('[name="email"]').fill(TYPO.email)
    await page.locator('[name="email"]').press('Tab')
    await question(page).waitFor()
  })

  test('in a list is a warning that holds nothing up', async () => {
    const { page } = await place.signedIn()
    await page.goto(`/templates/${await leaseTemplate(place.t)}/bulk`)
    const rows = tenantRows(3)
    rows[1]![1] = TYPO.email
    const buffer = Buffer.from(westernCsv([LEASE_HEADER, ...rows]))
    await page.locator('input[type="file"]').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer })
    await press(page, 'Read the list')
    await page.getByText('ada@gmial.com in line 3: did you mean ada@gmail.com?').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await press(page, /^Send/)
    expect(await page.getByText('did you mean').count()).toBe(0)
    const [row] = await place.t.app.db
      .selectFrom('batch_rows')
      .select(({ fn }) => fn.countAll().as('n'))
      .execute()
    expect(Number(row?.n)).toBe(3)
  })

  test('is accepted by the API without a word', async () => {
    const created = await place.t.api('POST', '/documents', await newDocument({ recipients: [TYPO] }))
    expect(created.status).toBe(201)
    expect(JSON.stringify(created.body)).not.toContain('gmail.com')
  })
})
