/** The scanner of forms with a file: reads what the platform writes, and refuses invalid forms. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../../../src/core/refusal.ts'
import { MultipartScanner } from '../../../src/http/body/multipart-scanner.ts'

const TYPE = 'multipart/form-data; boundary=----b'

function scan(bytes: Uint8Array, contentType: string, sizes: number[], maxKeptBytes = 1_000_000) {
  const files: { name: string; parts: Buffer[] }[] = []
  const open = (name: string) => void files.push({ name, parts: [] })
  const take = (part: Uint8Array) => void files.at(-1)?.parts.push(Buffer.from(part))
  const scanner = new MultipartScanner({
    contentType,
    maxKeptBytes,
    isFileField: name => name === 'file',
    textFields: ['document'],
    open,
    take,
  })
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    scanner.add(bytes.subarray(at, at + size))
    at += size
  }
  scanner.end()
  const read = files.map(({ name, parts }) => ({ name, content: Buffer.concat(parts) }))
  return { fields: scanner.fields, files: read, fileName: read[0]?.name, file: read[0]?.content, names: scanner.names }
}

function reasonOf(text: string, contentType = TYPE, maxKeptBytes?: number): string {
  try {
    scan(Buffer.from(text, 'latin1'), contentType, [3], maxKeptBytes)
    return 'accepted'
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })
/** Content that resembles the end of a part. */
const content = fc
  .array(fc.constantFrom('\r\n', '--', '\r', '\n', '-', '------b', '\r\n------', 'x', '\0', 'é'), { maxLength: 30 })
  .map(parts => parts.join(''))

test('a form that the platform wrote is read in parts of any size', async () => {
  await fc.assert(
    fc.asyncProperty(content, content, fc.boolean(), sizes, async (text, bytes, isFirst, parts) => {
      const form = new FormData()
      const file = new File([bytes], 'straße "1".pdf', { type: 'application/pdf' })
      if (isFirst) form.set('file', file)
      form.set('csrf', 'abc')
      form.set('text', text)
      if (!isFirst) form.set('file', file)
      const sent = new Response(form)
      const contentType = sent.headers.get('content-type') ?? ''
      const found = scan(await sent.bytes(), contentType, parts)
      expect(found.file).toEqual(Buffer.from(bytes))
      expect(found.fileName).toBe('straße "1".pdf')
      expect(found.fields.csrf).toBe('abc')
      expect(found.fields.text?.replace(/\r\n?|\n/g, '\n')).toBe(text.replace(/\r\n?|\n/g, '\n'))
    }),
  )
})

describe('a body', () => {
  const part = (name: string, value: string, more = '') =>
    `------b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const WHOLE = `${part('a', '1')}${part('file', 'PDF', '; filename="x.pdf"')}------b--\r\n`

  test('may have text before the first and after the last part, and padding after a boundary', () => {
    expect(reasonOf(WHOLE)).toBe('accepted')
    expect(reasonOf(`preamble\r\n${WHOLE}epilogue`)).toBe('accepted')
    expect(reasonOf(WHOLE.replace('------b\r\n', '------b \t\r\n'))).toBe('accepted')
    expect(reasonOf(WHOLE, 'multipart/form-data; boundary="----b"')).toBe('accepted')
  })

  test('that ends early is refused, at any byte', () => {
    const end = WHOLE.lastIndexOf('--')
    for (let length = 0; length < end + 2; length++)
      expect([length, reasonOf(WHOLE.slice(0, length))]).toEqual([length, 'validation_failed'])
  })

  test('without a boundary, a name or an end of its headers is refused', () => {
    expect(reasonOf(WHOLE, 'multipart/form-data')).toBe('validation_failed')
    expect(reasonOf(WHOLE.replace('name="a"', ''))).toBe('validation_failed')
    expect(reasonOf(`------b\r\n${'x'.repeat(9000)}`)).toBe('validation_failed')
    expect(reasonOf(`------b${'x'.repeat(9000)}`)).toBe('validation_failed')
  })

  test('with headers or a boundary line that are too long is refused, in whatever parts it arrives', () => {
    const header = `------b\r\nContent-Disposition: form-data; name="a"; x="${'x'.repeat(9000)}"\r\n\r\n1\r\n------b--`
    const padded = WHOLE.replace('------b\r\n', `------b${' '.repeat(9000)}\r\n`)
    for (const text of [header, padded])
      for (const sizes of [[1], [100], [20_000]]) expect(() => scan(Buffer.from(text), TYPE, sizes)).toThrow(Refusal)
  })

  test('with too much text or too many parts is refused', () => {
    expect(reasonOf(`${part('a', 'x'.repeat(101))}------b--`, TYPE, 100)).toBe('payload_too_large')
    expect(reasonOf(`${part('file', 'x'.repeat(101), '; filename="a"')}------b--`, TYPE, 100)).toBe('accepted')
    expect(reasonOf(`${part('a', '').repeat(201)}------b--`)).toBe('validation_failed')
  })

  test('with several files gives those of the field, in order, also empty ones', () => {
    const other = part('other', 'no', '; filename="a"')
    const files = [
      part('file', 'yes', '; filename="b"'),
      part('file', '', '; filename="c"'),
      part('file', 'too', '; filename="b"'),
    ]
    const found = scan(Buffer.from(`${other}${files.join('')}------b--`), TYPE, [7])
    expect(found.fields).toEqual({})
    expect(found.files.map(({ name, content }) => [name, content.toString()])).toEqual([
      ['b', 'yes'],
      ['c', ''],
      ['b', 'too'],
    ])
    expect(found.names).toEqual(['other', 'file', 'file', 'file'])
  })

  test('with a text field that has a file name, as browsers send a Blob, gives it as a field', () => {
    const text = `${part('document', '{}', '; filename="blob"')}------b--`
    expect(scan(Buffer.from(text), TYPE, [5])).toMatchObject({ fields: { document: '{}' }, files: [] })
  })
})
