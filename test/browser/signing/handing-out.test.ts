/** A sender hands out the link of a signer: chosen, sent, copied, opened, in Chromium. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../../src/ports.ts'
import { changeServiceSettings } from '../../../src/settings/service-settings.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

setDefaultTimeout(90_000)
const place = useSigningService()

describe.skipIf(NO_BROWSER)('a link that the sender hands out', () => {
  test('is chosen beside the person, sent without an e-mail, copied from the page of the document, and opens', async () => {
    const { t } = place
    await t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, { signingLinks: 'on' }))
    const { page, complaints } = await place.signedIn()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const recipients = [{ ...ADA, verify: 'email_code', fields: [SIGNATURE] }]
    const { id } = (await t.api('POST', '/documents', await newDocument({ title: 'Lease', recipients }))).body
    await page.goto(`/documents/${id}/people`)
    await page.getByLabel('Link to the document').selectOption('link')
    await page.getByText('the code needs the link that was e-mailed').waitFor()
    await page.getByLabel('One-time code').selectOption('')
    await page.locator('[data-save-status][data-state="saved"]').waitFor()
    expect(await problemsAtAllSizes(page)).toEqual([])
    await page.goto(`/documents/${id}/review`)
    await page.getByText('No e-mail is sent now.').waitFor()
    expect(await problemsAtAllSizes(page)).toEqual([])
    await press(page, 'Send for signature')
    await page.getByText('you can create their links here').waitFor()
    await press(page, 'Create a signing link Ada Lovelace')
    expect(await problemsAtAllSizes(page)).toEqual([])
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await t.drain()
    expect(t.mails).toEqual([])
    const { page: signer } = await place.window()
    await signer.goto(link.trim())
    await press(signer, 'Open the document')
    await page.getByText('Ada Lovelace opened the document').waitFor()
    expect(complaints).toEqual([])
  })
})
