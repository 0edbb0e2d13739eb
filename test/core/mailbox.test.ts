/** People as mail programs copy them. */
import { describe, expect, test } from 'bun:test'
import { parseMailboxes } from '../../src/core/draft/mailbox.ts'

const read = (text: string) => parseMailboxes(text).map(({ name, email }) => `${name}|${email}`)

describe('a pasted text', () => {
  test.each([
    ['Bo Li <bo@example.com>', ['Bo Li|bo@example.com']],
    ['  bo@example.com ', ['|bo@example.com']],
    ['"Li, Bo" <bo@example.com>', ['Li, Bo|bo@example.com']],
    ['Li, Bo <bo@example.com>; Berg, Ann <ann@example.com>', ['Li, Bo|bo@example.com', 'Berg, Ann|ann@example.com']],
    ['Li, Bo <bo@example.com>', ['Li, Bo|bo@example.com']],
    ['bo@example.com, Ann Berg <ann@example.com>', ['|bo@example.com', 'Ann Berg|ann@example.com']],
    ['bo@example.com\nann@example.com\r\n', ['|bo@example.com', '|ann@example.com']],
    [
      'bo@example.com; ann@example.com, "Ng, Cy" <cy@example.com>',
      ['|bo@example.com', '|ann@example.com', 'Ng, Cy|cy@example.com'],
    ],
    ['bo@example.com (Bo Li)', ['Bo Li|bo@example.com']],
    ['<mailto:bo@example.com>', ['|bo@example.com']],
    ["'Bo Li' <bo@example.com>", ['Bo Li|bo@example.com']],
    ['bo@example.com <bo@example.com>', ['|bo@example.com']],
    ['Jürgen Groß <jürgen@bücher.example>', ['Jürgen Groß|jürgen@bücher.example']],
  ])('%p names %p', (text, people) => expect(read(text)).toEqual(people))

  test('without a usable address names nobody', () => {
    for (const text of ['', 'Bo Li', 'Bo <bo@>', '@', 'a@b@', '<>', 'bo@exa mple.com', 'javascript:alert(1)'])
      expect([text, read(text)]).toEqual([text, []])
  })

  test('of any length ends, with at most 100 people', () => {
    expect(parseMailboxes('a@example.com,'.repeat(100_000))).toHaveLength(100)
    expect(parseMailboxes(`${'"'.repeat(200_000)}<`)).toEqual([])
    expect(parseMailboxes(`${' '.repeat(100_000)}@${' '.repeat(100_000)}`)).toEqual([])
  })
})
