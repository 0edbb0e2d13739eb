/** The JSON scanner agrees with JSON.parse, in parts of any size, without buffering the file. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../../../src/core/refusal.ts'
import { violation } from '../../../src/core/violation.ts'
import { JsonScanner } from '../../../src/http/body/json-scanner.ts'

const MEGABYTE = 1_000_000

interface Outcome {
  value: unknown
  /** The streamed string, `undefined` when there was none. */
  file: string | undefined
  keptBytes: number
}

/** Scans a text in parts of these sizes, repeated. */
function scan(text: string | Uint8Array, sizes: number[] = [1], maxKeptBytes = MEGABYTE): Outcome {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  let file = ''
  const take = (part: Uint8Array) => {
    file += Buffer.from(part).toString('latin1')
  }
  let count = 0
  const open = () => {
    count++
    return take
  }
  const scanner = new JsonScanner(maxKeptBytes, { name: 'file', open })
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1)
    scanner.add(bytes.subarray(at, at + size))
    at += size
  }
  const value = scanner.end()
  return { value, file: count > 0 ? file : undefined, keptBytes: scanner.keptBytes }
}

function reasonOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
  return 'accepted'
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

describe('valid JSON', () => {
  test('of any shape gives the value of JSON.parse, in parts of any size', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), sizes, (text, parts) => {
        const expected = JSON.parse(text)
        const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected)
        const isFile = isObject && typeof expected.file === 'string'
        const { value, file } = scan(text, parts)
        expect(file).toBe(isFile ? expected.file.replace(/[^\0-\x7f]/g, '\xff') : undefined)
        expect(value).toEqual(isFile ? { ...expected, file: '' } : expected)
      }),
    )
  })

  test('with a file among other members streams the file, in every order and with every escape', () => {
    const character = fc.constantFrom('A', 'z', '9', '+', '/', '=', '\n', '"', '\\', '\u{7f}')
    const members = fc.shuffledSubarray(['fileName', 'file', 'recipients', 'nested', '__proto__'], { minLength: 5 })
    const written = fc.array(fc.tuple(character, fc.integer({ min: 0, max: 2 })), { maxLength: 40 })
    fc.assert(
      fc.property(written, members, sizes, fc.constantFrom('', ' ', '\r\n\t'), (signs, names, parts, space) => {
        const text = signs.map(([sign]) => sign).join('')
        const file = signs.map(([sign, way]) => escaped(sign, way)).join('')
        const values: Record<string, string> = {
          fileName: '"file"',
          file: `"${file}"`,
          recipients: '[{"file":"kept"},["file"]]',
          nested: '{"file":"\\"kept: {[,"}',
          ['__proto__']: 'null',
        }
        const body = `${space}{${space}${names.map(name => `"${name}"${space}:${space}${values[name]}`).join(`${space},`)}${space}}`
        const outcome = scan(body, parts)
        expect(outcome.file).toBe(text)
        expect(outcome.value).toEqual({ ...JSON.parse(body), file: '' })
        expect(Object.keys(outcome.value as object)).toEqual(names)
      }),
    )
  })

  /** The ways to write a character: plain where allowed, by its short escape, or by its code. */
  function escaped(sign: string, way: number): string {
    const number = `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
    if (way === 2) return number
    if (sign === '/') return way === 1 ? '\\/' : '/'
    const short = JSON.stringify(sign).slice(1, -1)
    return way === 0 ? short : short.length > 1 ? short : number
  }

  test('may escape the name of the file member', () => {
    expect(scan('{"\\u0066ile":"QUJD"}')).toEqual({ value: { file: '' }, file: 'QUJD', keptBytes: 16 })
  })

  test.each(['1', 'null', '[]', '{}', '["QUJD"]', '{"file":"QUJD"}', 'true'])(
    'a file that is %s is left to the schema',
    value => {
      const { value: found, file } = scan(`{"file":${value},"a":"b"}`)
      expect([found, file]).toEqual([{ ...JSON.parse(`{"file":${value}}`), a: 'b' }, undefined])
    },
  )

  test('buffers nothing of the file', () => {
    const { keptBytes, file } = scan(`{"file":"${'QUJD'.repeat(500_000)}","a":1}`, [65_536])
    expect([keptBytes, file?.length]).toEqual([17, 2_000_000])
  })
})

describe('invalid JSON', () => {
  test('is refused where JSON.parse refuses it, for a change of any one character', () => {
    const text = '{"a":[1,-2.5e3,true,{"b":"c\\u00e9\\n"}],"file":"QU\\/JDQQ==","d":null}'
    const place = fc.integer({ min: 0, max: text.length - 1 })
    fc.assert(
      fc.property(place, fc.constantFrom(...'{}[]:,"\\ \n\t0eu/xé\u{1F600}', ''), sizes, (at, sign, parts) => {
        const changed = text.slice(0, at) + sign + text.slice(at + 1)
        const names = [...changed.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, name]) => name)
        fc.pre(new Set(names).size === names.length)
        const expected = reasonOf(() => {
          try {
            JSON.parse(changed)
          } catch {
            throw new Refusal('malformed_json', violation('json_malformed'))
          }
        })
        expect([changed, reasonOf(() => scan(changed, parts))]).toEqual([changed, expected])
      }),
      { numRuns: 2000 },
    )
  })

  const inFile: [what: string, bytes: Uint8Array][] = [
    ['a raw line break', Buffer.from('QU\nJD')],
    ['a NUL', Buffer.from([0])],
    ['an escape that does not exist', Buffer.from('\\x41')],
    ['half an escape', Buffer.from('\\u00')],
    ['a number that is none', Buffer.from('\\u00zz')],
    ['bytes that are not UTF-8', Buffer.from([0xc3, 0x28])],
    ['a cut-off UTF-8 sequence', Buffer.from([0x41, 0xe2, 0x82])],
    [
      'a UTF-8 sequence with an escape in it',
      Buffer.concat([Buffer.from([0xe2]), Buffer.from('\\n'), Buffer.from([0x82, 0xac])]),
    ],
  ]
  test.each(inFile)('is refused for %s inside the file', (_, content) => {
    const bytes = Buffer.concat([Buffer.from('{"file":"'), content, Buffer.from('"}')])
    for (const size of [1, 3, 100]) expect(reasonOf(() => scan(bytes, [size]))).toBe('malformed_json')
  })

  test('is refused when it ends early, at any byte', () => {
    const text = '{"a":"b","file":"QUJD"}'
    for (let end = 1; end < text.length; end++)
      expect([end, reasonOf(() => scan(text.slice(0, end), [2]))]).toEqual([end, 'malformed_json'])
  })

  test('is refused with a second object after the first', () => {
    expect(reasonOf(() => scan('{"file":"QUJD"}{"file":"QUJD"}', [3]))).toBe('malformed_json')
    expect(reasonOf(() => scan('{"file":"QUJD" "file":"QUJD"}', [3]))).toBe('malformed_json')
  })
})

describe('duplicate members', () => {
  const twice = [
    '{"a":1,"a":1}',
    '{"file":"QUJD","file":"QUJD"}',
    '{"file":1,"file":"QUJD"}',
    '{"file":"QUJD","\\u0066ile":1}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":[{"b":{"c":1,"d":2,"c":3}}]}',
    '{"a":{"":0,"":0}}',
    '{"é":1,"\\u00e9":2}',
    '{"a":{"b":1},"c":[],"a":null}',
  ]
  test.each(twice)('are refused: %s', text => {
    for (const parts of [[1], [2, 5], [100]]) expect(reasonOf(() => scan(text, parts))).toBe('malformed_json')
  })

  test('are not equal names in different objects, nor equal values', () => {
    for (const text of ['[{"a":1},{"a":1}]', '{"a":{"a":{"a":"a"}}}', '{"a":"b","b":"a","c":["a","a"]}', '{"A":1,"a":1}'])
      expect([text, reasonOf(() => scan(text, [3]))]).toEqual([text, 'accepted'])
  })
})

test('more than 32 levels of objects and arrays are refused', () => {
  const nested = (open: string, close: string, levels: number) =>
    open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels)
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    expect(reasonOf(() => scan(nested(open, close, 32)))).toBe('accepted')
    expect(reasonOf(() => scan(nested(open, close, 33)))).toBe('malformed_json')
    expect(reasonOf(() => scan(open.repeat(1_000_000), [65_536]))).toBe('malformed_json')
  }
})

test('the buffered text is bounded in every position; the file does not count', () => {
  const file = `"file":"${'QUJD'.repeat(100)}"`
  const padding = 'x'.repeat(60)
  expect(reasonOf(() => scan(`{${file},"a":"${padding}"}`, [7], 100))).toBe('accepted')
  for (const text of [
    `{${file},"a":"${padding.repeat(2)}"}`,
    `{"a":"${padding.repeat(2)}",${file}}`,
    `{${file}${' '.repeat(100)}}`,
  ])
    for (const parts of [[1], [7], [1000]]) expect(reasonOf(() => scan(text, parts, 100))).toBe('payload_too_large')
})

function scanList(text: string, size: number) {
  const files: { isInList: boolean; text: string }[] = []
  const open = (isInList: boolean) => {
    const file = { isInList, text: '' }
    files.push(file)
    return (part: Uint8Array) => {
      file.text += Buffer.from(part).toString('latin1')
    }
  }
  const scanner = new JsonScanner(MEGABYTE, { name: 'file', list: 'files', open })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) scanner.add(bytes.subarray(at, at + size))
  return { value: scanner.end(), files }
}

test('a list of files streams each of them, in parts of any size, and none that is elsewhere', () => {
  const body = {
    files: [{ fileName: 'a', file: 'AAAA' }, { file: 'BBBB', more: { file: 'kept' } }, [{ file: 'kept' }], 'file'],
    other: [{ file: 'kept' }],
    file: 'CCCC',
  }
  for (let size = 1; size < 60; size++) {
    const { value, files } = scanList(JSON.stringify(body), size)
    expect(files).toEqual([
      { isInList: true, text: 'AAAA' },
      { isInList: true, text: 'BBBB' },
      { isInList: false, text: 'CCCC' },
    ])
    const [first, second, ...others] = body.files as [object, object, ...unknown[]]
    expect(value).toEqual({ ...body, files: [{ ...first, file: '' }, { ...second, file: '' }, ...others], file: '' })
  }
})
