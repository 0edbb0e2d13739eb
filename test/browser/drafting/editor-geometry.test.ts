/** A box drawn in the editor is where the sealed PDF has its ink: rotated, cropped, user unit. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { displayedSize, type PercentBox } from '../../../src/core/field/geometry.ts'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, kind, saved, sheet, useEditorService } from '../../support/editor-service.ts'
import { checkInk, edgeDifferences, GEOMETRY_PAGES, geometryPdf, inkBeside } from '../../support/geometry-pdf.ts'
import { hasPdftoppm, pictureOf } from '../../support/page-picture.ts'
import { signAs } from '../../support/story.ts'

setDefaultTimeout(120_000)
const editor = useEditorService()

/** One page of each rotation, alternately of a plain and of a larger user unit, with both crops. */
const PAGES = GEOMETRY_PAGES.filter(({ name }, i) => /cropped|negative/.test(name) && i % 2 === (/cropped/.test(name) ? 0 : 1))
const TOLERANCE_PT = 1

/** Draws a box with the mouse, without snapping. Returns it as the page shows it. */
async function drawBox(page: Page, number: number): Promise<PercentBox> {
  const paper = sheet(page, number)
  await paper.scrollIntoViewIfNeeded()
  await kind(page, 'Checkbox').click()
  const outer = (await paper.boundingBox())!
  const [from, to] = [
    { x: outer.x + 0.07 * outer.width, y: outer.y + 0.1 * outer.height },
    { x: outer.x + 0.26 * outer.width, y: outer.y + 0.21 * outer.height },
  ]
  await page.keyboard.down('Control')
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x - 9, to.y - 7, { steps: 3 })
  await page.mouse.move(to.x, to.y)
  await page.mouse.up()
  await page.keyboard.up('Control')
  await paper.locator('.field').waitFor()
  await page.keyboard.press('Escape')
  return percentOf(paper.locator('.field'), paper)
}

test.skipIf(NO_BROWSER || !hasPdftoppm)('a drawn box, the stored percent and the ink agree within 1 pt', async () => {
  const { t } = editor.place
  const id = await editor.draft({ file: Buffer.from(geometryPdf(PAGES)).toString('base64'), recipients: [ANNA] })
  const { page, complaints } = await editor.open(id)
  const drawn: PercentBox[] = []
  for (const number of PAGES.keys()) drawn.push(await drawBox(page, number + 1))
  await saved(page)
  const stored = (await editor.fields(id)).toSorted((a, b) => a.page - b.page)
  expect(stored.map(field => field.page)).toEqual(PAGES.map((_, i) => i + 1))
  await t.api('POST', `/documents/${id}/send`)
  await t.drain()
  await signAs(t, ANNA.email, 'Anna', Object.fromEntries(stored.map(field => [`fields.${field.id}`, 'on'])))
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body.status).toBe('completed')
  const path = join(t.folder, 'data', 'files', `${body.sha256.sealed}.pdf`)
  for (const [i, { name, box }] of PAGES.entries()) {
    const ink = inkBeside(pictureOf(path, i + 1, 216), drawn[i]!)
    expect({ name, ink }).toMatchObject({ name, ink: expect.anything() })
    const differences = [
      ...edgeDifferences(stored[i]!, drawn[i]!, box),
      ...edgeDifferences(ink!, checkInk(drawn[i]!, displayedSize(box)), box),
    ]
    const largest = Math.max(...differences.map(Math.abs))
    expect({ name, isNear: largest < TOLERANCE_PT, differences }).toMatchObject({ name, isNear: true })
  }
  expect(complaints).toEqual([])
})

test.skipIf(NO_BROWSER)('the boxes of choices are stored where they are shown, on rotated and cropped pages', async () => {
  const id = await editor.draft({ file: Buffer.from(geometryPdf(PAGES)).toString('base64'), recipients: [ANNA] })
  const { page, complaints } = await editor.open(id)
  for (const [index, { name, box }] of PAGES.entries()) {
    const paper = sheet(page, index + 1)
    await paper.scrollIntoViewIfNeeded()
    await kind(page, 'Choice of one').click()
    const around = (await paper.boundingBox())!
    await page.mouse.click(around.x + 0.4 * around.width, around.y + 0.3 * around.height)
    const choices = paper.locator('.field')
    await choices.nth(1).focus()
    await page.keyboard.press('g')
    await page.keyboard.press('Shift+ArrowRight')
    await saved(page)
    const stored = (await editor.fields(id)).flatMap(
      ({ options }) => (options ?? []) as unknown as (PercentBox & { page: number })[],
    )
    const own = stored.filter(each => each.page === index + 1)
    expect(own).toHaveLength(2)
    for (const [i, choice] of own.entries()) {
      const shown = await percentOf(choices.nth(i), paper)
      const largest = Math.max(...edgeDifferences(choice, shown, box).map(Math.abs))
      expect({ name, isNear: largest < TOLERANCE_PT }).toEqual({ name, isNear: true })
    }
    await page.keyboard.press('Escape')
  }
  expect(complaints).toEqual([])
})

async function percentOf(target: Locator, paper: Locator): Promise<PercentBox> {
  const [shown, around] = [(await target.boundingBox())!, (await paper.boundingBox())!]
  return {
    x: (100 * (shown.x - around.x)) / around.width,
    y: (100 * (shown.y - around.y)) / around.height,
    width: (100 * shown.width) / around.width,
    height: (100 * shown.height) / around.height,
  }
}
