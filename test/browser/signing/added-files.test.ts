/** Files that signers added, on the page of their document in Chromium. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { download, NO_BROWSER } from '../../support/browser.ts'
import { openSigner, PHOTO, SCAN, withFiles } from '../../support/field-files.ts'
import { JPEG } from '../../support/jpegs.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useAppServer } from '../../support/use-app-server.ts'

const server = useAppServer()

const SCRIPTED = makePdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' })
const LONG = `Passport of ${'Ada-Augusta '.repeat(6)}Lovelace with the pages of all visas`

describe.skipIf(NO_BROWSER)('on the page of a document', () => {
  test('each file is named with its size, downloaded by its name, and a script in it is warned of', async () => {
    const ada = await openSigner(server.t, withFiles([SCAN, { ...SCAN, label: 'Visa', y: 26 }, PHOTO, SIGNATURE]))
    const plain = Buffer.from(await samplePdf(), 'base64')
    await ada.upload('Passport', plain, `${LONG}.pdf`)
    await ada.upload('Visa', SCRIPTED, 'visa.pdf')
    await ada.upload('Photo', JPEG, 'me.jpg')
    expect((await ada.finish()).status).toBe(303)
    await server.t.drain()
    const { page, watch } = await server.signedIn({})
    await page.goto(`/documents/${ada.documentId}`)
    const list = page.locator('.added-files > li')
    expect(await list.count()).toBe(3)
    expect(await list.nth(1).textContent()).toMatch(
      /Visa\s*visa\.pdf\s+0\.\d kB\s*This PDF may contain scripts or attached files/,
    )
    expect(await list.nth(0).textContent()).not.toContain('scripts')
    expect(readFileSync(await download(page, /Passport of/)).equals(plain)).toBe(true)
    expect(await problemsAtAllSizes(page)).toEqual([])
    expect(watch).toEqual({ foreign: [], complaints: [] })
  }, 120_000)
})
