/** The language of the code, as far as a test can check it. */
import { describe, expect, test } from 'bun:test'
import { sourcesIn } from './support/sources.ts'

const expectNone = (list: string[]) => expect(list).toEqual([])

/** The comments of a file: each with the number of its first line. */
function commentsOf(text: string): { line: number; text: string }[] {
  const found = [...text.matchAll(/^[ \t]*(\/\*[\s\S]*?\*\/|\/\/.*|--.*)/gm)]
  return found.map(match => ({ line: text.slice(0, match.index).split('\n').length, text: match[0] }))
}

const MAX_HEADER_WORDS = 40
const MAX_COMMENT_COLUMNS = 100

/** Words that hide what is meant: metaphors, archaisms and invented names. */
const BANNED =
  /\b(whence|wherefore|rooms?|house|doors?|told|stands?|stood|dangling|of anyone|in the end|comes? to it|saying|spoken|faults?|judge[sd]?|judging|judgement|climb\w*|quietly|unsound|certificate pages?|happenings?|putNewest|(MOST|LONGEST|LEAST|THINNEST)_\w+)\b/i

/** The text with the words of each identifier apart: `sealFault` becomes `seal Fault`. */
function withWordsApart(text: string): string {
  return text.replace(/([a-z\d])([A-Z])/g, '$1 $2')
}

const bannedWord = (text: string) => (BANNED.exec(text) ?? BANNED.exec(withWordsApart(text)))?.[0]

describe('language', () => {
  const written = ['src', 'views', 'migrations', 'test', 'scripts'].flatMap(sourcesIn)

  test('the guards find what they look for', () => {
    const comments = commentsOf('/** One. */\n\nconst a = 1\n  // Two\n  // lines.\n')
    expect(comments.map(({ line, text }) => [line, text.trim()])).toEqual([
      [1, '/** One. */'],
      [4, '// Two'],
      [5, '// lines.'],
    ])
    expect(['whence', 'WHENCE', 'the door', 'MOST_PAGES', 'sealFault', 'isTold'].filter(text => !bannedWord(text))).toEqual([])
    expect(['outdoors', 'standard', 'default', 'almost'].filter(bannedWord)).toEqual([])
  })

  test('a header has at most 40 words', () => {
    const words = (text: string) => text.split(/\s+/).filter(word => /\w/.test(word)).length
    const headers = written.flatMap(({ path, text }) => {
      const [first] = commentsOf(text)
      return first?.line === 1 ? [{ path, words: words(first.text) }] : []
    })
    expectNone(headers.filter(header => header.words > MAX_HEADER_WORDS).map(header => `${header.path}: ${header.words}`))
  })

  test('a comment line has at most 100 columns', () => {
    expectNone(
      written.flatMap(({ path, text }) =>
        commentsOf(text).flatMap(comment =>
          comment.text.split('\n').flatMap((row, i) => (row.length > MAX_COMMENT_COLUMNS ? [`${path}:${comment.line + i}`] : [])),
        ),
      ),
    )
  })

  test('no banned word occurs', () => {
    /** Texts in other languages; the names of programs that compare verdicts; this list. */
    const exempt = /^(src\/locales\/(?!en\/)|(scripts|test)\/(judge|faults)|test\/language\.test\.ts|migrations\/00(0\d|1[01])_)/
    expectNone(
      written
        .filter(({ path }) => !exempt.test(path))
        .flatMap(({ path, text }) =>
          text.split('\n').flatMap((row, i) => {
            const word = bannedWord(row)
            return word ? [`${path}:${i + 1}: ${word}`] : []
          }),
        ),
    )
  })

  test('every class of error ends in Error; a Refusal is the one exception', () => {
    const classes = written.flatMap(({ path, code }) =>
      [...code.matchAll(/\bclass (\w+) extends \w*(?:Error|Refusal)\b/g)].map(match => ({ path, name: match[1] ?? '' })),
    )
    expect(classes.length).toBeGreaterThan(15)
    expectNone(classes.filter(c => !/Error$|^Refusal$/.test(c.name)).map(c => `${c.path}: ${c.name}`))
  })
})
