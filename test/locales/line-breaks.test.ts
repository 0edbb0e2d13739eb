/** Texts in French: the space before a mark does not break, so that no line begins with one. */
import { expect, test } from 'bun:test'
import { catalogueOf } from '../../src/locales/index.ts'

/** Functions are called with texts and with numbers; those that take neither are left out. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  if (typeof value !== 'function') return []
  return [Array(5).fill('Ada'), Array(5).fill(2)].flatMap(values => {
    try {
      return textsIn(value(...values))
    } catch {
      return []
    }
  })
}

test('no line can begin with a mark, or end with an opening quote', () => {
  const texts = textsIn(catalogueOf('fr'))
  expect(texts.length).toBeGreaterThan(400)
  expect(texts.filter(text => / [:;?!»]|« /.test(text))).toEqual([])
})
