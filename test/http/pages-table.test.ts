/**
 * Each API call, verb and setting beside the page that does the same, or the reason why none does:
 * the tables of src/settings/README.md.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { helpVerb } from '../../src/cli/help.ts'
import type { Verb } from '../../src/cli/verb.ts'
import { SERVICE_SETTING_NAMES, serviceRow } from '../../src/config/service-rows.ts'
import { SETTINGS } from '../../src/config.ts'
import * as pagePaths from '../../src/core/page-paths.ts'
import { PAGES } from '../../src/http/page-routes.ts'
import { API_ROUTES } from '../../src/http/server.ts'

const ROOT = join(import.meta.dir, '../..')

async function allVerbs(): Promise<Verb[]> {
  const files = [...new Bun.Glob('src/cli/*.ts').scanSync({ cwd: ROOT })].sort()
  const modules = await Promise.all(files.map(path => import(join(ROOT, path))))
  const values = modules.flatMap(exported => Object.values(exported as Record<string, unknown>))
  return [...values.filter(isVerb), helpVerb(async () => [])]
}

function isVerb(value: unknown): value is Verb {
  return typeof value === 'object' && value !== null && 'usage' in value && 'run' in value && 'name' in value
}

/** The rows of the table below a heading: a name, and its page or the reason why there is none. */
function placesBelow(heading: string): [name: string, place: string][] {
  const sections = readFileSync(join(ROOT, 'src/settings/README.md'), 'utf8').split(/^## /m)
  const section = sections.find(text => text.startsWith(heading)) ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name = '', place = '']) => [name, place])
}

const paths = new Set(PAGES.map(({ path }) => path))

test.each([
  ['API calls', () => API_ROUTES.map(({ method, path }) => `${method} ${path}`)],
  ['Verbs', async () => (await allVerbs()).map(({ name }) => name).sort()],
  ['Settings', () => Object.values(SETTINGS).map(({ variable }) => variable)],
] as const)('%s are all in their table, in order, each with a page that exists or a reason', async (heading, namesOf) => {
  const places = placesBelow(heading)
  expect(places.map(([name]) => name)).toEqual(await namesOf())
  for (const [name, place] of places) {
    const page = /^`(.*)`$/.exec(place)?.[1]
    const isRight = page === undefined ? /^none: [A-Z].*\.$/.test(place) : paths.has(page)
    expect([name, place, isRight]).toEqual([name, place, true])
  }
})

test('a setting that a page changes is listed with that page', () => {
  const places = Object.fromEntries(placesBelow('Settings'))
  for (const { variable, page } of SERVICE_SETTING_NAMES.map(serviceRow)) {
    if (variable !== undefined) expect([variable, places[variable]]).toEqual([variable, `\`${page}\``])
  }
})

test('a path that links take by its name is that of a page, or of those below it', () => {
  const leadsToPage = (named: string) => [...paths].some(path => path === named || path.startsWith(`${named}/`))
  expect(Object.values(pagePaths).filter(path => !leadsToPage(path))).toEqual([])
})
