/**
 * A field is in the sealed PDF, as rendered, where its percent say: within 1 pt, for every
 * rotation, crop box and user unit.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { displayedSize } from '../../src/core/geometry.ts'
import { checkInk, edgeDifferences, GEOMETRY_BOXES, GEOMETRY_PAGES, geometryPdf, inkBeside } from '../support/geometry-pdf.ts'
import { hasPdftoppm, pictureOf } from '../support/page-picture.ts'
import { ADA } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
let path: string
beforeAll(async () => {
  if (!hasPdftoppm) return
  t = await openTestApp()
  const check = { type: 'checkbox', value: 'true', readOnly: true }
  const fields = GEOMETRY_PAGES.flatMap((_, i) => GEOMETRY_BOXES.map(box => ({ ...check, ...box, page: i + 1 })))
  const file = Buffer.from(geometryPdf()).toString('base64')
  const id = await sentDocument(t, { file, recipients: [{ ...ADA, fields }] })
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body.status).toBe('completed')
  path = join(t.folder, 'data', 'files', `${body.sha256.sealed}.pdf`)
}, 60_000)
afterAll(() => t?.close())

const DPI = 216
const TOLERANCE_PT = 1

describe.skipIf(!hasPdftoppm)('a page', () => {
  test.each(GEOMETRY_PAGES.map(({ name, box }, i) => [name, box, i + 1] as const))('%s', (_, box, page) => {
    const shown = displayedSize(box)
    const picture = pictureOf(path, page, DPI)
    expect(picture.width / picture.height).toBeCloseTo(shown.width / shown.height, 1)
    for (const field of GEOMETRY_BOXES) {
      const expected = checkInk(field, shown)
      const ink = inkBeside(picture, field)
      expect(ink).toBeDefined()
      if (!ink) continue
      for (const difference of edgeDifferences(ink, expected, box)) expect(Math.abs(difference)).toBeLessThan(TOLERANCE_PT)
    }
  })
})
