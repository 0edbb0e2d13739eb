/** The field editor with the mouse: placing, drawing, moving, resizing, copying, undo, saving. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { NO_BROWSER } from '../support/browser.ts'
import { at, boxOf, field, kind, saved, useEditorService } from '../support/editor-service.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()

describe.skipIf(NO_BROWSER)('with the mouse', () => {
  test('a kind and a click on a page place a field, which is saved where it was placed', async () => {
    const id = await editor.draft()
    const { page, complaints, foreign } = await editor.open(id)
    await kind(page, 'Signature').click()
    const point = await at(page, 1, 200, 300)
    await page.mouse.click(point.x, point.y)
    await field(page, 'Signature, Anna Berg, required').waitFor()
    await saved(page)
    if (process.env.SHOTS) await page.screenshot({ path: '/tmp/ed1.png' })
    const [stored] = await editor.fields(id)
    expect(stored).toMatchObject({ person: 'Anna Berg', type: 'signature', page: 1 })
    const shown = await boxOf(page, field(page, /Signature/))
    expect(Math.abs((stored!.x / 100) * 595.28 - shown.x)).toBeLessThan(1)
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
  })
})
