/** Prints sample contracts by Chromium, with the places of their blanks. */
import type { Browser } from 'playwright-core'
import type { FieldType } from '../../../src/core/field/field.ts'
import type { SampleContract } from './contracts.ts'

/** In points of the page, origin top-left. */
export interface ExpectedBlank {
  types: FieldType[]
  left: number
  right: number
  bottom: number
}

export interface PrintedContract {
  name: string
  pdf: Uint8Array
  blanks: ExpectedBlank[]
}

/** CSS pixels of A4: 96 to the inch. */
const VIEWPORT = { width: 794, height: 1123 }
const POINTS_PER_PIXEL = 0.75

export async function printContract(browser: Browser, { name, html }: SampleContract): Promise<PrintedContract> {
  const page = await browser.newPage({ viewport: VIEWPORT })
  try {
    await page.setContent(html)
    const places = await page.$$eval('[data-field]', elements =>
      elements.map(element => {
        const { left, right, bottom } = element.getBoundingClientRect()
        return { types: element.getAttribute('data-field') ?? '', left, right, bottom }
      }),
    )
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true })
    const blanks = places.map(({ types, left, right, bottom }) => ({
      types: types.split(',') as FieldType[],
      left: left * POINTS_PER_PIXEL,
      right: right * POINTS_PER_PIXEL,
      bottom: bottom * POINTS_PER_PIXEL,
    }))
    return { name, pdf, blanks }
  } finally {
    await page.close()
  }
}
