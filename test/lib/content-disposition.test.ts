import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { attachment } from '../../src/lib/file-names.ts'

/** Parses the name by RFC 8187 §3.2.1. */
function nameIn(header: string): string {
  return decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(header)?.[1] ?? '')
}

test('a plain name is in both forms', () => {
  expect(attachment('lease (signed).pdf')).toBe(
    'attachment; filename="lease (signed).pdf"; filename*=UTF-8\'\'lease%20%28signed%29.pdf',
  )
})

test('letters lose their accents only in the fallback', () => {
  const header = attachment('Zoë – Bürgschaft.pdf')
  expect(header).toContain('filename="Zoe  Burgschaft.pdf"')
  expect(nameIn(header)).toBe('Zoë – Bürgschaft.pdf')
})

test('characters that end a quoted string or a path are replaced', () => {
  const header = attachment('a"b\\c%d/e.pdf')
  expect(header).toContain('filename="a_b_c_d_e.pdf"')
  expect(nameIn(header)).toBe('a"b_c%d_e.pdf')
})

test('the fallback of a name without ASCII letters is document.pdf, not only the extension', () => {
  const header = attachment('合同.pdf')
  expect(header).toContain('filename="document.pdf"')
  expect(nameIn(header)).toBe('合同.pdf')
})

test('the fallback has no empty parentheses', () => {
  const header = attachment('Lease 2027 (نسخة موقعة).pdf')
  expect(header).toContain('filename="Lease 2027.pdf"')
  expect(nameIn(header)).toBe('Lease 2027 (نسخة موقعة).pdf')
})

test('an empty name becomes document.pdf', () => {
  expect(attachment('')).toBe('attachment; filename="document.pdf"; filename*=UTF-8\'\'document.pdf')
})

test('control characters are replaced, not removed', () => {
  const header = attachment('a\r\nSet-Cookie: b\u0000\u007f\u0085.pdf')
  expect(header).toStartWith('attachment; filename="a__Set-Cookie: b___.pdf"; ')
  expect(nameIn(header)).toBe('a__Set-Cookie: b___.pdf')
})

test('a name cannot leave its folder: dots stay, separators are replaced', () => {
  const header = attachment('..\\../.ssh/config')
  expect(header).not.toMatch(/[/\\]|%2f|%5c/i)
  expect(nameIn(header)).toBe('.._.._.ssh_config')
  expect(nameIn(attachment('.lease.pdf'))).toBe('.lease.pdf')
})

test('any name makes a header that can be sent and parsed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), name => {
      const header = attachment(name)
      expect(header).toMatch(
        /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/,
      )
      const response = new Response('', { headers: { 'content-disposition': header } })
      expect(response.headers.get('content-disposition')).toBe(header)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a header may not hold
      const clean = name.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f/\\]/g, '_')
      expect(nameIn(header)).toBe(clean === '' ? 'document.pdf' : clean)
    }),
    { numRuns: 500 },
  )
})
