/**
 * A field is in the sealed PDF, as rendered, where its percent say: within 1 pt, for every
 * rotation, crop box and user unit. Of a radio field, only the chosen box has a mark.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { displayedSize, type PercentBox } from '../../src/core/field/geometry.ts'
import {
  checkInk,
  dotInk,
  edgeDifferences,
  GEOMETRY_BOXES,
  GEOMETRY_PAGES,
  type GeometryPage,
  geometryPdf,
  inkBeside,
} from '../support/geometry-pdf.ts'
import { hasPdftoppm, type Picture, pictureOf } from '../support/page-picture.ts'
import { ADA } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
/** Sealed files: ticked checkboxes, and radio fields with the first or the second choice. */
let checks: string
let choices: string[]
beforeAll(async () => {
  if (!hasPdftoppm) return
  t = await openTestApp()
  const check = { type: 'checkbox', value: 'true', readOnly: true }
  checks = await sealedWith(page => GEOMETRY_BOXES.map(box => ({ ...check, ...box, page })))
  choices = []
  for (const value of ['0', '1']) {
    const radio = (page: number) => ({ options: GEOMETRY_BOXES.map((box, i) => ({ ...box, page, value: String(i) })) })
    choices.push(await sealedWith(page => [{ type: 'radio', readOnly: true, value, ...radio(page) }]))
  }
}, 120_000)
afterAll(() => t?.close())

async function sealedWith(fieldsOf: (page: number) => object[]): Promise<string> {
  const fields = GEOMETRY_PAGES.flatMap((_, i) => fieldsOf(i + 1))
  const file = Buffer.from(geometryPdf()).toString('base64')
  const id = await sentDocument(t, { file, recipients: [{ ...ADA, fields }] })
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body.status).toBe('completed')
  return join(t.folder, 'data', 'files', `${body.sha256.sealed}.pdf`)
}

const DPI = 216
const TOLERANCE_PT = 1
type Ink = typeof checkInk | typeof dotInk

function expectInk(picture: Picture, field: PercentBox, box: GeometryPage['box'], inkOf: Ink): void {
  const shown = displayedSize(box)
  const ink = inkBeside(picture, field)
  expect(ink).toBeDefined()
  if (!ink) return
  for (const difference of edgeDifferences(ink, inkOf(field, shown), box)) {
    expect(Math.abs(difference)).toBeLessThan(TOLERANCE_PT)
  }
}

describe.skipIf(!hasPdftoppm)('a page', () => {
  const PAGES = GEOMETRY_PAGES.map(({ name, box }, i) => [name, box, i + 1] as const)

  test.each(PAGES)('%s', (_, box, page) => {
    const shown = displayedSize(box)
    const picture = pictureOf(checks, page, DPI)
    expect(picture.width / picture.height).toBeCloseTo(shown.width / shown.height, 1)
    for (const field of GEOMETRY_BOXES) expectInk(picture, field, box, checkInk)
  })

  test.each(PAGES)('%s: the chosen box of a radio field', (_, box, page) => {
    for (const [chosen, path] of choices.entries()) {
      const picture = pictureOf(path, page, DPI)
      for (const [i, field] of GEOMETRY_BOXES.entries()) {
        if (i === chosen) expectInk(picture, field, box, dotInk)
        else expect(inkBeside(picture, field)).toBeUndefined()
      }
    }
  })
})
