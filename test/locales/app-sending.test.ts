/** The refusals of an upload are German where the web app is German. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { errors as germanRefusal } from '../../src/locales/de/app/errors.ts'
import { sending as de } from '../../src/locales/de/app/sending.ts'
import { sending as en } from '../../src/locales/en/app/sending.ts'

test('every refusal of an inspected PDF has a German text with its numbers', () => {
  const code = readFileSync('src/pdf/inspect/inspect.ts', 'utf8')
  const messages = [...code.matchAll(/['`]((?:This PDF|This file|Page) [^'`]+)['`]/g)].map(([, message = '']) =>
    message.replace(/\$\{points\}/g, '10 × 20').replace(/\$\{[^}]+\}/g, '17'),
  )
  expect(messages.length).toBeGreaterThan(10)
  expect(messages.filter(message => germanRefusal(message) === message)).toEqual([])
  expect(germanRefusal('This PDF has 2001 pages, but may have at most 2000; split it into smaller documents.')).toContain('2001')
})

test('every warning of an inspected PDF has a text in both languages', () => {
  const files = ['active-content-messages', 'form-state', 'inspect'].map(name =>
    readFileSync(`src/pdf/inspect/${name}.ts`, 'utf8'),
  )
  const codes = [...files.join('\n').matchAll(/code: '(\w+)'|^ {2}(\w+): '/gm)].flatMap(([, code, kind]) => code ?? kind ?? [])
  const refused = new Set(['foreign_content', 'password', 'permission', 'damaged', 'code', 'message'])
  const warned = codes.filter(code => !/_pdf$/.test(code) && !refused.has(code))
  expect(warned.length).toBeGreaterThan(15)
  expect(warned.filter(code => !(en.warnings.all[code] && de.warnings.all[code]))).toEqual([])
})

test('German texts use the same placeholders as the English ones', () => {
  const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
  const compare = (a: object, b: object, path: string): string[] =>
    Object.entries(a).flatMap(([key, value]) => {
      const other = (b as Record<string, unknown>)[key]
      if (typeof value === 'object' && value !== null) return compare(value, other as object, `${path}.${key}`)
      if (typeof value !== 'string') return []
      return String(placeholders(value)) === String(placeholders(String(other))) ? [] : [`${path}.${key}`]
    })
  expect(compare(en, de, 'sending')).toEqual([])
})
