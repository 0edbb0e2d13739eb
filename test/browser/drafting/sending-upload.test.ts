/** The upload by script: progress, order, cancel, and refusals that leave nothing behind. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from '../../support/browser.ts'
import { PHONE_390 } from '../../support/editor-service.ts'
import { samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

setDefaultTimeout(60_000)
const place = useSigningService()

async function opened(path = '/documents/new'): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await place.signedIn()
  await page.goto(path)
  return { page, complaints }
}

const pdf = async (name: string, pages = 1) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(await samplePdf(pages), 'base64'),
})
const documents = () => place.t.app.db.selectFrom('documents').select(['id', 'title', 'page_count']).execute()
const files = () => place.t.app.db.selectFrom('files').select('sha256').execute()
const error = (page: Page) => page.locator('[data-upload-errors] .error')
const order = (page: Page) => page.locator('.upload-name').allTextContents()
/** Drops files as a person does with the mouse. */
const drop = (page: Page, names: string[], base64: string) =>
  page.evaluate(
    ([dropped, content]) => {
      const bytes = Uint8Array.from(atob(content), c => c.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      for (const name of dropped) dataTransfer.items.add(new File([bytes], name, { type: 'application/pdf' }))
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    },
    [names, base64] as const,
  )

describe.skipIf(NO_BROWSER)('the words of the area', () => {
  test('ask a finger to choose a PDF, and a mouse also to drop one', async () => {
    const { page } = await opened()
    await page.getByText('Drop a PDF here').waitFor()
    expect(await page.getByText('Choose a PDF').isVisible()).toBe(true)
    const phone = await place.signedIn(PHONE_390)
    await phone.page.goto('/documents/new')
    await phone.page.getByText('Choose a PDF').waitFor()
    expect(await phone.page.getByText('Drop a PDF here').isVisible()).toBe(false)
  })
})

describe.skipIf(NO_BROWSER)('a file', () => {
  test('dropped anywhere on the page, or on the list of documents, is uploaded and leads to the people', async () => {
    for (const path of ['/documents/new', '/documents']) {
      const { page, complaints } = await opened(path)
      await drop(page, [`Dropped on ${path.slice(1).replace('/', ' ')}.pdf`], await samplePdf())
      await page.waitForURL(/\/people/)
      expect(await page.locator('#title').inputValue()).toBe(`Dropped on ${path.slice(1).replace('/', ' ')}`)
      expect(complaints).toEqual([])
    }
  })

  test('that is no PDF, is empty or is too large is refused before it is sent, by name', async () => {
    const { page } = await opened()
    place.asked.length = 0
    await page.setInputFiles('#file', [{ name: '<b>notes</b>.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }])
    await error(page).waitFor()
    expect(await error(page).textContent()).toBe('<b>notes</b>.txt is not a PDF. Save or print it as a PDF first.')
    await page.setInputFiles('#file', [{ name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) }])
    await error(page).getByText('empty.pdf is empty').waitFor()
    await page.locator('form[data-upload]').evaluate(form => form.setAttribute('data-max-bytes', '500'))
    await page.setInputFiles('#file', [await pdf('large.pdf')])
    await error(page).getByText('large.pdf has').waitFor()
    expect(place.asked.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('that the service refuses says why; another one can be chosen, and nothing is stored', async () => {
    const { page } = await opened()
    const before = [await documents(), await files()]
    const broken = Buffer.from('%PDF-1.7\nnothing that can be repaired')
    await page.setInputFiles('#file', [{ name: 'broken.pdf', mimeType: 'application/pdf', buffer: broken }])
    await error(page).waitFor()
    expect(await error(page).textContent()).toContain('create it again, or print it to a new PDF')
    expect([await documents(), await files()]).toEqual(before)
    await page.setInputFiles('#file', [await pdf('whole.pdf')])
    await page.waitForURL(/\/people/)
  })

  test('whose upload is cancelled or interrupted is reported, and leaves nothing behind', async () => {
    const { page } = await opened()
    const before = [await documents(), await files()]
    const waiting = Promise.withResolvers<Response | undefined>()
    place.instead = (method, path) => (method === 'POST' && path === '/documents/new' ? waiting.promise : undefined)
    await page.setInputFiles('#file', [await pdf('slow.pdf')])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await error(page).getByText('cancelled. Nothing was stored').waitFor()
    waiting.resolve(new Response('', { status: 500 }))
    await page.route('**/documents/new', route => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await page.setInputFiles('#file', [await pdf('cut.pdf')])
    await error(page).getByText('interrupted. Nothing was stored').waitFor()
    expect([await documents(), await files()]).toEqual(before)
  })
})

describe.skipIf(NO_BROWSER)('several files', () => {
  test('are joined in the order that keys and drag gave them', async () => {
    const { page, complaints } = await opened()
    await page.setInputFiles('#file', [await pdf('A.pdf', 1), await pdf('B.pdf', 2), await pdf('C.pdf', 3)])
    await page.locator('.upload-files li').nth(2).waitFor()
    await page.getByRole('button', { name: 'Move C.pdf up' }).focus()
    await page.keyboard.press('Enter')
    expect(await order(page)).toEqual(['A.pdf', 'C.pdf', 'B.pdf'])
    expect(await page.locator('[data-upload-status]').textContent()).toBe('C.pdf is now file 2 of 3.')
    await page.keyboard.press('Enter')
    expect(await order(page)).toEqual(['C.pdf', 'A.pdf', 'B.pdf'])
    const [grip, first] = [
      await page.locator('.grip').nth(2).boundingBox(),
      await page.locator('.upload-files li').first().boundingBox(),
    ]
    if (!grip || !first) throw new Error('the files are not shown')
    await page.mouse.move(grip.x + 5, grip.y + 5)
    await page.mouse.down()
    await page.mouse.move(grip.x + 5, first.y + 2, { steps: 6 })
    await page.mouse.up()
    expect(await order(page)).toEqual(['B.pdf', 'C.pdf', 'A.pdf'])
    await page.getByRole('button', { name: 'Remove A.pdf' }).click()
    await page.getByRole('button', { name: 'Upload and continue' }).click()
    await page.waitForURL(/\/people/)
    expect(await page.locator('#title').inputValue()).toBe('B')
    expect((await documents()).find(({ title }) => title === 'B')?.page_count).toBe(5)
    expect(complaints).toEqual([])
  })
})
