/**
 * Where "Next field" leads: to each place in reading order, then to the consent, and never past
 * what is missing.
 */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { BoxData } from '../../../views/signing/browser/data.ts'
import type { Entry } from '../../../views/signing/browser/entries.ts'
import { progressOf, Round, type Stop, stopsOf } from '../../../views/signing/browser/stops.ts'
import { NO_BROWSER, ON_A_PHONE, press } from '../../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

const place = useSigningService()

interface State {
  /** Of a choice: its boxes choose a value. */
  choice?: boolean
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
    isHidden: false,
    boxes: places.map(([page, y, x], i): BoxData => {
      const box = { page, y, x, width: 20, height: 4, label: name }
      return state.choice ? { ...box, option: String(i) } : box
    }),
    isFilled: () => state.filled === true,
    error: () => state.error ?? (required && !state.filled ? 'missing' : undefined),
    refusal: undefined,
    element: undefined as never,
    control: () => undefined as never,
    members: () => ({}),
  }
}

const CONSENT = () => entry('consent', [])
/** "name" or "name, page 2" where it has several places. */
const nameOf = ({ entry, boxes: [box] }: Stop) => (entry.boxes.length > 1 ? `${entry.name}, page ${box?.page}` : entry.name)

/** Presses "Next field" until it leads nowhere. `fill` names the entries that are filled in. */
function walk(entries: Entry[], fill: string[], round = new Round(), from?: string): string[] {
  const way: string[] = []
  let current = stopsOf(entries, 'ltr').find(stop => nameOf(stop) === from)
  for (let i = 0; i < 30; i++) {
    if (current) round.pass(current)
    current = round.next(stopsOf(entries, 'ltr'), current)
    if (!current) return way
    way.push(nameOf(current))
    if (fill.includes(current.entry.name)) (current.entry as Entry & { state: State }).state.filled = true
  }
  throw new Error('it never ends')
}

describe('stops', () => {
  test('are in reading order, values and marks alike; a mark has each of its places, what has no place and the consent come last', () => {
    const entries = [
      entry('no place', []),
      entry('right', [[1, 30, 60]]),
      entry('initials', [
        [1, 90, 10],
        [2, 90, 10],
      ]),
      entry('left', [[1, 30, 10]]),
      entry('second page', [[2, 5, 10]]),
      CONSENT(),
    ]
    const names = (direction: 'ltr' | 'rtl') => stopsOf(entries, direction).map(nameOf)
    const end = ['initials, page 1', 'second page', 'initials, page 2', 'no place', 'consent']
    expect(names('ltr')).toEqual(['left', 'right', ...end])
    expect(names('rtl')).toEqual(['right', 'left', ...end])
  })

  test('of a choice are one for each page that has boxes of it', () => {
    const places: [number, number, number][] = [
      [1, 30, 60],
      [2, 10, 10],
      [1, 30, 10],
    ]
    const [first, second] = stopsOf([entry('pet', places, { choice: true }), CONSENT()], 'ltr')
    expect([first, second].map(stop => stop?.boxes.map(({ page, x }) => [page, x]))).toEqual([
      [
        [1, 10],
        [1, 60],
      ],
      [[2, 10]],
    ])
  })
})

describe('next', () => {
  const all = () => [
    entry('town', [[1, 10, 10]]),
    entry('hours', [[1, 20, 10]], { required: false }),
    entry('signature', [
      [1, 30, 10],
      [2, 30, 10],
    ]),
    entry('bills', [[2, 10, 10]]),
    CONSENT(),
  ]
  const EVERY = ['town', 'hours', 'signature, page 1', 'bills', 'signature, page 2']

  test('leads to each place once, to those of a mark also when it is made, and leaves the consent to the end', () => {
    expect(walk(all(), ['town', 'signature', 'bills'])).toEqual(EVERY)
    expect(walk(all(), [])).toEqual(EVERY)
  })

  test('leads past what is filled in, unless it has several places', () => {
    const entries = all()
    for (const name of ['town', 'signature'])
      (entries.find(each => each.name === name) as Entry & { state: State }).state.filled = true
    expect(walk(entries, ['bills'])).toEqual(EVERY.slice(1))
  })

  test('begins behind where the person is, and goes round to what was before', () => {
    expect(walk(all(), [], new Round(), 'bills')).toEqual(['signature, page 2', ...EVERY.slice(0, 3)])
  })

  test('leads again to what is missing once it has been listed, and to nothing else', () => {
    const entries = all()
    const round = new Round()
    walk(entries, ['town', 'bills'], round)
    round.reopen(entries.filter(({ name }) => name === 'signature'))
    expect(walk(entries, ['signature'], round)).toEqual(['signature, page 1', 'signature, page 2'])
  })

  test('leads to what is wrong, optional or not', () => {
    const entries = [entry('hours', [[1, 10, 10]], { required: false, filled: true, error: 'no number' }), CONSENT()]
    expect(walk(entries, [])).toEqual(['hours'])
  })

  test('leads to a field that appeared before where the person is', () => {
    const entries = all()
    const [town] = entries
    if (town) town.isHidden = true
    const round = new Round()
    expect(walk(entries, ['signature', 'bills'], round)).toEqual(EVERY.slice(1))
    if (town) town.isHidden = false
    expect(walk(entries, ['town'], round)).toEqual(['town'])
  })
})

test('progress counts required fields: each place of a mark, a choice once, neither what is hidden nor the consent', () => {
  const entries = [
    entry('hours', [[1, 20, 10]], { required: false }),
    entry(
      'pet',
      [
        [1, 30, 10],
        [1, 30, 60],
      ],
      { choice: true, filled: true },
    ),
    entry('initials', [
      [1, 90, 10],
      [2, 90, 10],
      [3, 90, 10],
    ]),
    { ...entry('kind', [[1, 40, 10]]), isHidden: true },
    entry('signature', [], { filled: true }),
    CONSENT(),
  ]
  expect(progressOf(entries)).toEqual({ done: 2, all: 5 })
})

/** Initials on every page, two signatures, values of every sort between them, in no order. */
const CONTRACT = [
  ...[1, 2, 3, 4, 5].map(page => ({ type: 'initials', page, x: 80, y: 92, width: 12, height: 4 })),
  { ...SIGNATURE, page: 5, x: 10, y: 70 },
  { type: 'text', page: 2, x: 10, y: 30, width: 40, height: 3, label: 'Town' },
  { ...SIGNATURE, page: 2, x: 10, y: 60 },
  { type: 'checkbox', page: 5, x: 10, y: 10, width: 3, height: 2, label: 'Rules read', required: true },
  {
    type: 'radio',
    label: 'Pet',
    options: [
      { page: 3, x: 10, y: 40, width: 3, height: 2, value: 'yes' },
      { page: 3, x: 30, y: 40, width: 3, height: 2, value: 'no' },
      { page: 4, x: 10, y: 20, width: 3, height: 2, value: 'perhaps' },
    ],
  },
  { type: 'image', page: 4, x: 10, y: 50, width: 30, height: 10, label: 'Photo', required: false },
  { type: 'text', page: 1, x: 60, y: 20, width: 30, height: 3, label: 'Last name' },
  { type: 'text', page: 1, x: 10, y: 20.4, width: 30, height: 3, label: 'First name' },
]
const ORDER = [
  'First name, page 1',
  'Last name, page 1',
  'Initials, page 1',
  'Town, page 2',
  'Signature, page 2',
  'Initials, page 2',
  'Pet, page 3',
  'Initials, page 3',
  'Pet, page 4',
  'Photo, page 4',
  'Initials, page 4',
  'Rules read, page 5',
  'Signature, page 5',
  'Initials, page 5',
]

let people = 0

async function openContract(options: BrowserContextOptions, fields: unknown[] = CONTRACT, pages = 5): Promise<Page> {
  const email = `ada${++people}@example.com`
  const { link } = await place.send({ file: await samplePdf(pages), recipients: [{ ...ADA, email, fields }] }, email)
  const { page } = await place.window(options)
  await page.goto(link)
  await press(page, 'Open the document')
  if (options.javaScriptEnabled !== false) await page.locator('.marker').first().waitFor()
  return page
}

const current = (page: Page) => page.locator('.entry.current').getAttribute('data-entry')
const placeName = (page: Page) => page.locator('#place').textContent()
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)
const MISSING = '#summary a'

/** Until nothing covers the middle of the marker of the current place: the sheet may still grow. */
const currentInSight = (page: Page) =>
  page.waitForFunction(() => {
    const button = document.querySelector('.marker.current')
    if (!button) return false
    const { left, top, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

describe.skipIf(NO_BROWSER)('a contract of five pages with initials on every page', () => {
  const TOUCH: BrowserContextOptions = { ...ON_A_PHONE, viewport: { width: 390, height: 844 } }
  const ways: [string, BrowserContextOptions, (page: Page) => Promise<void>][] = [
    ['by mouse', {}, page => page.locator('#bar .next').click()],
    ['by touch', TOUCH, page => page.locator('#bar .next').tap()],
    [
      'by keys',
      {},
      async page => {
        await page.locator('#bar .next').focus()
        await page.keyboard.press('Enter')
      },
    ],
  ]

  test.each(ways)(
    '%s, each place is visited in reading order and is in sight, and what is left open is listed',
    async (_, options, press) => {
      const page = await openContract(options)
      const way: (string | null)[] = []
      for (const [i] of ORDER.entries()) {
        await press(page)
        way.push(await placeName(page))
        const [name] = (ORDER[i] ?? '').split(', page')
        if (name === 'Town') await page.keyboard.type('Bern')
        await currentInSight(page)
      }
      expect(way).toEqual(ORDER)
      await press(page)
      expect(await focused(page)).toBe('summary')
      expect(await page.locator(MISSING).allTextContents()).toEqual([
        'First name: please fill this in.',
        'Last name: please fill this in.',
        'Please add your signature.',
        'Pet: please choose one.',
        'Rules read: please tick the box.',
        'Please agree by ticking the box.',
      ])
      await press(page)
      expect(await placeName(page)).toBe('First name, page 1')
      expect(place.asked.filter(({ path }) => path.endsWith('/finish'))).toEqual([])
    },
    90_000,
  )

  test('a place stays in sight when the sheet over the document grows', async () => {
    const page = await openContract(TOUCH)
    await page.locator('#bar .next').tap()
    await currentInSight(page)
    await page.locator('.entry.current').evaluate(entry => {
      ;(entry as HTMLElement).style.paddingBottom = '45vh'
    })
    await currentInSight(page)
  })

  test('is filled in on the way: marks made once are seen at all places, then the consent is asked for, then it can be finished', async () => {
    const page = await openContract(TOUCH)
    const next = page.locator('#bar .next')
    const count = () => page.locator('#bar .count').textContent()
    expect(await count()).toBe('0 of 12 done')
    const texts: Record<string, string> = { 'First name': 'Ada', 'Last name': 'Lovelace', Town: 'Bern' }
    const way: (string | null)[] = []
    for (let i = 0; i < ORDER.length; i++) {
      await next.tap()
      const name = await placeName(page)
      way.push(name)
      const [field = ''] = name?.split(', page') ?? []
      if (texts[field]) await page.keyboard.type(texts[field])
      if (field === 'Rules read' || name?.startsWith('Pet, page 3')) await page.keyboard.press('Space')
      if (name?.startsWith('Initials, page 1')) {
        await page.locator('[data-mark="initials"] .use').tap()
        expect(await count()).toBe('7 of 12 done')
      }
      if (name?.startsWith('Signature, page 2')) {
        await page.locator('[data-mark="signature"]').getByRole('radio', { name: 'Type' }).check({ force: true })
        await page.getByLabel('Your full name').fill('Ada Lovelace')
      }
    }
    expect(way).toEqual(ORDER)
    expect(await count()).toBe('Last step: your consent.')
    await next.tap()
    expect([await focused(page), await placeName(page), await page.locator('[id="consent-error"]').isVisible()]).toEqual([
      'consent',
      'Last step: your consent.',
      false,
    ])
    await next.tap()
    expect(await page.locator('[id="consent-error"]').textContent()).toBe('Please agree by ticking the box.')
    expect(await page.locator('#panel').isVisible()).toBe(true)
    await page.keyboard.press('Space')
    expect(await count()).toBe('Everything is filled in.')
    await next.tap()
    expect(await page.locator('#panel').isVisible()).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign and finish')
  }, 90_000)

  test('on a phone is enlarged where a field is, so that it can be read, and is as wide as the screen again when the sheet is closed', async () => {
    const page = await openContract(TOUCH)
    const width = () =>
      page
        .locator('.page')
        .first()
        .evaluate(paper => paper.getBoundingClientRect().width)
    const fitted = await width()
    await page.locator('#bar .next').tap()
    await page.waitForFunction(
      fitted => (document.querySelector('.page')?.getBoundingClientRect().width ?? 0) > fitted * 1.5,
      fitted,
    )
    await currentInSight(page)
    await page.getByRole('button', { name: 'Close' }).tap()
    expect(await width()).toBe(fitted)
    await page.getByRole('button', { name: 'Zoom in' }).tap()
    const own = await width()
    await page.locator('#bar .next').tap()
    await page.getByRole('button', { name: 'Close' }).tap()
    expect(await width()).toBe(own)
  }, 60_000)

  test('has the same order in the form, with and without a script, and in the summary of the server', async () => {
    const inForm = ['First name', 'Last name', 'initials', 'Town', 'signature', 'Pet', 'Photo', 'Rules read', 'consent']
    for (const javaScriptEnabled of [true, false]) {
      const page = await openContract({ javaScriptEnabled })
      const names = await page.locator('#sign [data-entry]').evaluateAll(entries =>
        entries.map(entry => {
          const name = (entry as HTMLElement).dataset.entry ?? ''
          return name.startsWith('fields.') ? (entry.querySelector('legend, label')?.textContent ?? '') : name
        }),
      )
      const listed = names.map(name => inForm.find(label => name.trim().startsWith(label)) ?? name)
      expect([javaScriptEnabled, listed]).toEqual([javaScriptEnabled, inForm])
      if (javaScriptEnabled) continue
      await page.locator('#sign').evaluate(form => ((form as HTMLFormElement).noValidate = true))
      await page.getByLabel('Your initials').fill('')
      await press(page, 'Sign and finish')
      const lines = await page.locator(MISSING).evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
      const entries = await page
        .locator('#sign [data-entry]')
        .evaluateAll(all => all.map(e => `#${(e as HTMLElement).dataset.entry}`))
      expect(lines).toEqual(entries.filter(name => lines.includes(name)))
      expect(lines.length).toBe(8)
    }
  }, 60_000)
})

test.skipIf(NO_BROWSER)(
  'a document with one field counts one field, and its consent is asked for behind it',
  async () => {
    const page = await openContract({}, [SIGNATURE], 1)
    const count = () => page.locator('#bar .count').textContent()
    expect(await count()).toBe('0 of 1 done')
    await page.locator('#bar .next').click()
    expect(await placeName(page)).toBe('Signature, page 1')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada Lovelace')
    await page.locator('#bar .next').click()
    expect([await current(page), await count()]).toEqual(['consent', 'Everything is filled in.'])
  },
  60_000,
)
