/**
 * Where "Next field" leads: in reading order, round again, then the consent, and never past what is
 * missing.
 */
import { describe, expect, test } from 'bun:test'
import type { FieldData } from '../../views/browser/signing-data.ts'
import { type Entry, inReadingOrder, nextOpen } from '../../views/browser/signing-entries.ts'
import { NO_BROWSER, ON_A_PHONE, press } from '../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../support/sample.ts'
import { useSigningService } from '../support/signing-service.ts'

const place = useSigningService()

interface State {
  required?: boolean
  filled?: boolean
  error?: string
}

/** An entry as the order sees it. Its places: page, height, side. */
function entry(name: string, places: [page: number, y: number, x: number][], state: State = {}): Entry & { state: State } {
  const { required = true } = state
  return {
    state,
    name,
    label: name,
    isRequired: required,
    boxes: places.map(([page, y, x]) => ({ page, y, x }) as FieldData),
    isFilled: () => state.filled === true,
    error: () => state.error ?? (required && !state.filled ? 'missing' : undefined),
    refusal: undefined,
    element: undefined as never,
    control: () => undefined as never,
    members: () => ({}),
  }
}

const names = (entries: Entry[]) => entries.map(({ name }) => name)

describe('reading order', () => {
  test('is by page, then height, then side; values and marks alike, a mark by its first place, what has no place last', () => {
    const entries = [
      entry('no place', []),
      entry('second page', [[2, 5, 10]]),
      entry('right', [[1, 30, 60]]),
      entry('left', [[1, 30, 10]]),
      entry('signature', [
        [1, 20, 10],
        [3, 80, 10],
      ]),
      entry('top', [[1, 10, 90]]),
    ]
    expect(names(inReadingOrder(entries))).toEqual(['top', 'signature', 'left', 'right', 'second page', 'no place'])
  })
})

/** Presses "Next field" so many times. `fill` names the entries that are filled in. */
function walk(entries: Entry[], fill: string[], steps = 12): string[] {
  const passed = new Set<Entry>()
  const way: string[] = []
  let current: Entry | undefined
  for (let i = 0; i < steps; i++) {
    if (current) passed.add(current)
    const to = nextOpen(entries, current, passed)
    if (!to) return [...way, 'end']
    way.push(to.name)
    if (fill.includes(to.name)) (to as Entry & { state: State }).state.filled = true
    current = to
  }
  return way
}

describe('next', () => {
  const all = () => [
    entry('town', [[1, 10, 10]]),
    entry('hours', [[1, 20, 10]], { required: false }),
    entry('signature', [[1, 30, 10]]),
    entry('bills', [[2, 10, 10]]),
    entry('consent', []),
  ]

  test('leads through values and marks in the order of the pages, then to the consent, and ends when all is done', () => {
    expect(walk(all(), ['town', 'signature', 'bills', 'consent'])).toEqual([
      'town',
      'hours',
      'signature',
      'bills',
      'consent',
      'end',
    ])
  })

  test('passes an optional one once, and comes back to what is missing for as long as it is', () => {
    expect(walk(all(), ['town', 'bills', 'consent'], 9)).toEqual([
      'town',
      'hours',
      'signature',
      'bills',
      'signature',
      'consent',
      'signature',
      'signature',
      'signature',
    ])
  })

  test('never ends on the consent that was not given', () => {
    expect(walk(all(), ['town', 'signature', 'bills'], 7)).toEqual([
      'town',
      'hours',
      'signature',
      'bills',
      'consent',
      'consent',
      'consent',
    ])
  })

  test('leads to what is wrong, optional or not, also when it was passed', () => {
    const entries = [
      entry('hours', [[1, 10, 10]], { required: false, filled: true, error: 'no number' }),
      entry('consent', [], { filled: true }),
    ]
    const [hours] = entries
    expect(nextOpen(entries, undefined, new Set(entries))?.name).toBe('hours')
    expect(nextOpen(entries, hours, new Set(entries))?.name).toBe('hours')
  })

  test('begins behind where the person is', () => {
    const entries = all()
    expect(nextOpen(entries, entries[2], new Set())?.name).toBe('bills')
    expect(nextOpen(entries, entries[4], new Set())?.name).toBe('town')
  })
})

test.skipIf(NO_BROWSER)(
  'on a phone “Next field” leads to signature and initials in reading order, and never past an open entry: it names what is missing',
  async () => {
    const email = 'ada@example.com'
    const fields = [
      { type: 'text', page: 2, x: 10, y: 30, width: 40, height: 4, label: 'Town' },
      { type: 'initials', page: 1, x: 60, y: 20, width: 20, height: 5 },
      { ...SIGNATURE, page: 1, x: 10, y: 20 },
      { type: 'checkbox', page: 3, x: 10, y: 10, width: 4, height: 3, label: 'Rules read', required: true },
    ]
    const { link } = await place.send({ file: await samplePdf(3), recipients: [{ ...ADA, email, fields }] }, email)
    const { page } = await place.window(ON_A_PHONE)
    await page.goto(link)
    await press(page, 'Open the document')
    await page.locator('.marker').first().waitFor()
    const next = page.getByRole('button', { name: 'Next field' })
    const current = () => page.locator('.entry.current').getAttribute('data-entry')
    const way: (string | null)[] = []
    for (let i = 0; i < 4; i++) {
      await next.tap()
      way.push(await current())
      if (i === 2) await page.keyboard.type('Bern')
    }
    expect(way.map(name => name?.replace(/fields\..*/, 'field'))).toEqual(['signature', 'initials', 'field', 'field'])
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(way[3] ?? '')
    await page.keyboard.press('Space')
    await next.tap()
    expect(await current()).toBe('signature')
    for (let i = 0; i < 2; i++) {
      await next.tap()
      expect(await page.locator('#summary a').allTextContents()).toEqual([
        'Please add your signature.',
        'Please agree to sign electronically by ticking the box.',
      ])
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('summary')
    }
    await page.getByLabel('I have read this and agree.').check()
    await next.tap()
    expect(await current()).toBe('signature')
    expect(await page.locator('[id="signature-error"]').isVisible()).toBe(true)
    await page.locator('[data-mark="signature"]').getByRole('radio', { name: 'Type' }).check({ force: true })
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await next.tap()
    expect(await page.locator('#panel').isVisible()).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign and finish')
    expect(place.asked.filter(({ path }) => path.endsWith('/finish'))).toEqual([])
  },
  60_000,
)
