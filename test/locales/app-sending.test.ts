/** The texts of the pages for sending are the same in both languages. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { sending as de } from '../../src/locales/de/app/sending.ts'
import { sending as en } from '../../src/locales/en/app/sending.ts'

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
