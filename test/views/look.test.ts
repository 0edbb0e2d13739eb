/** The look as rules: contrast of the colours, weight of the scripts, texts in both languages. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPack } from '../../src/lib/asset-pack.ts'
import { MARK_COLOUR, MARK_COLOUR_DARK } from '../../src/lib/mark.ts'
import { appTextsOf } from '../../src/locales/app.ts'
import { ROOT } from '../support/sources.ts'

const STYLES = [...new Bun.Glob('views/*/*.css').scanSync({ cwd: ROOT })].filter(path => !path.startsWith('views/styles/')).sort()
const TOKENS = readFileSync(join(ROOT, 'views/styles/tokens.css'), 'utf8')

type Theme = 'light' | 'dark'

/** The colours of a theme by their names. */
function coloursOf(theme: Theme): Map<string, string> {
  const found = [...TOKENS.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)]
  return new Map(found.map(([, name = '', light = '', dark = '']) => [name, theme === 'light' ? light : dark]))
}

/** WCAG 2.2: relative luminance. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const GROUNDS = ['ground', 'surface', 'sunken', 'raised']
const STATES = ['good', 'warn', 'bad', 'info']
const PEOPLE = [1, 2, 3, 4, 5, 6, 7, 8].map(n => `person-${n}`)

/** Text on its ground: 4.5 (WCAG 1.4.3). */
const TEXT: [text: string, ground: string][] = [
  ...['ink', 'quiet', 'action', 'action-hover', ...STATES].flatMap(text =>
    GROUNDS.map(ground => [text, ground] as [string, string]),
  ),
  ...['ink', 'quiet'].flatMap(text => [...STATES, 'action'].map(state => [text, `${state}-soft`] as [string, string])),
  ...[...STATES, 'action', ...PEOPLE].map(name => [name, `${name}-soft`] as [string, string]),
  ...PEOPLE.map(name => [name, 'surface'] as [string, string]),
  ['on-action', 'action'],
  ['on-action', 'action-hover'],
]
/** Parts that must be seen: 3 (WCAG 1.4.11). */
const PARTS: [part: string, ground: string][] = [
  ...['edge', 'focus', 'seal'].flatMap(part => GROUNDS.map(ground => [part, ground] as [string, string])),
]

describe.each(['light', 'dark'] as const)('in %s windows', theme => {
  const colours = coloursOf(theme)
  const ratio = ([a, b]: [string, string]) => contrast(colours.get(a) ?? '', colours.get(b) ?? '')
  const below = (pairs: [string, string][], least: number) =>
    pairs.filter(pair => !(ratio(pair) >= least)).map(pair => `${pair.join(' on ')}: ${ratio(pair).toFixed(2)}`)

  test('text has a contrast of 4.5 to its ground, parts have 3', () => {
    expect(below(TEXT, 4.5)).toEqual([])
    expect(below(PARTS, 3)).toEqual([])
  })

  test('the impression in the mark is seen, and its wax has the colour of the seal', () => {
    const wax = theme === 'light' ? MARK_COLOUR : MARK_COLOUR_DARK
    expect(colours.get('seal')).toBe(wax)
    expect(contrast(wax, '#ffffff')).toBeGreaterThanOrEqual(3)
  })
})

test('the measure of contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('style sheets of parts and pages take their colours from the tokens; the wax red is for the mark alone', () => {
  const raw = (path: string) => readFileSync(join(ROOT, path), 'utf8').match(/#[0-9a-f]{3,8}\b(?![-\w])/gi) ?? []
  /** White paper, and marks on it, are the same in every theme. */
  const ON_PAPER = /^views\/(signing\/signing-marks|documents\/document-view|drafting\/fields-(gestures|pages))\.css$/
  expect(STYLES.length).toBeGreaterThan(15)
  expect(
    STYLES.filter(path => !ON_PAPER.test(path)).flatMap(path =>
      raw(path)
        .filter(c => c !== '#ffffff')
        .map(c => `${path} ${c}`),
    ),
  ).toEqual([])
  const red = STYLES.filter(path => readFileSync(join(ROOT, path), 'utf8').includes('var(--seal)'))
  expect(red).toEqual(['views/parts/icon.css', 'views/reference/design.css'])
})

test.each(['sending.js', 'use.js'])('the script of the pages and %s have at most 60 kB, and 22 kB by gzip', bundle => {
  const pack = openPack(readFileSync(join(ROOT, '.built/static.pack')))
  const scripts = pack.filter(({ entry }) => entry.name === 'app.js' || entry.name === bundle)
  expect(scripts).toHaveLength(2)
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
  expect(sum(scripts.map(({ entry }) => entry.length))).toBeLessThanOrEqual(22_000)
  expect(sum(scripts.map(({ body }) => Bun.gunzipSync(new Uint8Array(body)).length))).toBeLessThanOrEqual(60_000)
})

describe('the texts of the web app', () => {
  /** Every text with its path; functions are called with names that must appear. */
  function textsOf(value: unknown, path: string): [string, unknown][] {
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([key, each]) => textsOf(each, `${path}.${key}`))
    return [[path, value]]
  }
  const [en, de] = [new Map(textsOf(appTextsOf('en'), '')), new Map(textsOf(appTextsOf('de'), ''))]

  test('are the same in both languages, none is empty', () => {
    expect([...de.keys()].sort()).toEqual([...en.keys()].sort())
    for (const texts of [en, de]) for (const [path, text] of texts) expect([path, text === '']).toEqual([path, false])
  })

  test('use one German word for one thing, that of the texts for signers', () => {
    const other = /Prüfprotokoll|API-Schlüssel|Freigabe|freigegeben|Kürzel|\b(diese|eine|keine|die) PDF\b(?!-)|versiegel|\S…/
    expect([...de].filter(([, text]) => other.test(String(text)))).toEqual([])
  })

  test('address people as Sie, never as du', () => {
    const informal = [...de].filter(([, text]) => typeof text === 'string' && /\b(du|dein|deine|dich|dir)\b/i.test(text))
    expect(informal).toEqual([])
  })
})

describe('stored English texts in German', () => {
  const { storedText } = appTextsOf('de')

  test('are found by their English text, with the numbers and names in it; others stay', () => {
    expect(storedText('must not be empty')).toBe('darf nicht leer sein')
    expect(storedText('must have at most 100 characters')).toBe('darf höchstens 100 Zeichen haben')
    expect(storedText('is already the address of $& Co')).toBe('ist bereits die Adresse von $& Co')
    expect(storedText('must be something new')).toBe('must be something new')
  })
})
