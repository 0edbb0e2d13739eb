/** In Chromium, the verify page: each verdict by a word and a shape, not by its colour alone. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { problemsAtAllSizes } from '../support/axe.ts'
import { NO_BROWSER, press, words } from '../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../support/sample.ts'
import { useSigningService } from '../support/signing-service.ts'
import { signAs } from '../support/story.ts'

setDefaultTimeout(120_000)
const place = useSigningService()

async function sealed(): Promise<Buffer> {
  const { id } = await place.send({ recipients: [{ ...ADA, fields: [SIGNATURE] }] }, ADA.email)
  await signAs(place.t, ADA.email, 'Ada')
  await place.t.drain()
  return Buffer.from((await place.t.api('GET', `/documents/${id}/file`)).body)
}

/** Drops the file anywhere on the page, and sends the form. */
async function verify(bytes: Buffer) {
  const { page, watch } = await place.window()
  await page.goto('/verify')
  const dropped = await page.evaluateHandle(base64 => {
    const transfer = new DataTransfer()
    const file = Uint8Array.from(atob(base64), c => c.charCodeAt(0))
    transfer.items.add(new File([file], 'contract.pdf', { type: 'application/pdf' }))
    return transfer
  }, bytes.toString('base64'))
  await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped })
  await page.getByText('contract.pdf').waitFor()
  await press(page, 'Verify')
  const shape = await page.locator('.verdict-head .icon').innerHTML()
  return { page, shape, heading: await page.locator('#verdict').textContent(), complaints: watch.complaints }
}

test.skipIf(NO_BROWSER)('a file sealed here, a changed one and one without a signature differ in word and shape', async () => {
  const own = await sealed()
  const valid = await verify(own)
  expect(valid.heading).toBe('Valid')
  expect(await words(valid.page)).toContain('Ada Lovelacesigned on 20 November 2026')
  const changed = await verify(Buffer.concat([own, Buffer.from('\n')]))
  expect(changed.heading).toBe('Not valid')
  expect(await words(changed.page)).not.toContain('Ada')
  const unsigned = await verify(Buffer.from(await samplePdf(), 'base64'))
  expect(unsigned.heading).toBe('Not signed')
  expect(new Set([valid.shape, changed.shape, unsigned.shape]).size).toBe(3)
  for (const { page, complaints } of [valid, changed, unsigned]) {
    expect(await problemsAtAllSizes(page)).toEqual([])
    expect(complaints).toEqual([])
  }
})
