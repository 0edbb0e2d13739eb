/** Files that PDF readers interpret differently are never valid, and are repaired when uploaded. */
import { describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../../src/pdf/inspect/inspect.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { useFolder } from '../support/folders.ts'
import { makePdf, pdfOf, startxref } from '../support/make-pdf.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { sealTiny } from './tiny-pdf.ts'

const folder = useFolder()

async function verdictOn(bytes: Uint8Array): Promise<{ verdict: string; text: string }> {
  const report = verifyBytes(bytes, [readCertificate((await sharedAuthority()).root.certificateDer)])
  if (report.verdict === 'unreadable') return { verdict: 'unreadable', text: report.reason }
  return { verdict: report.verdict, text: [...report.reasons, ...report.signatures.flatMap(one => one.reasons)].join('\n') }
}

const sealed = async (base: Uint8Array) => sealTiny({ base, key: (await sharedAuthority()).key, contentsBytes: 1600 })

const upload = async (bytes: Uint8Array) => {
  const path = join(folder, 'upload.pdf')
  writeFileSync(path, bytes)
  const canonicalPath = join(folder, 'canonical.pdf')
  rmSync(canonicalPath, { force: true })
  return inspect({ path, canonicalPath, maxPages: 10 })
}

/** A second revision that is a complete document by itself. */
const second = (below: Uint8Array) =>
  pdfOf(
    {
      objects: {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << >> >>',
      },
    },
    below,
  )

const rewritten = (bytes: Uint8Array, was: string, is: string): Buffer => {
  const text = Buffer.from(bytes).toString('latin1')
  const at = text.lastIndexOf(was)
  if (at === -1 || is.length > was.length) throw new Error('this text cannot be replaced')
  return Buffer.from(text.slice(0, at) + is.padEnd(was.length) + text.slice(at + was.length), 'latin1')
}

const TWO = makePdf({ pages: [{}, {}] })
const CASES: [what: string, base: () => Buffer, reason: RegExp][] = [
  ['a /Prev of 0', () => rewritten(second(TWO), `/Prev ${startxref(TWO)}`, '/Prev 0'), /\/Prev 0, where no cross-reference is/],
  ['a negative /Prev', () => rewritten(second(TWO), `/Prev ${startxref(TWO)}`, '/Prev -5'), /is not an offset/],
  [
    'a revision between two others that no /Prev reaches',
    () => {
      const two = second(TWO)
      return rewritten(second(two), `/Prev ${startxref(two)}`, `/Prev ${startxref(TWO)}`)
    },
    /No \/Prev leads to the revision with 1 page that ends at byte \d+:/,
  ],
  [
    'an object with two places in one section',
    () => {
      const base = makePdf({ objects: { 60: '(one)', 61: '(two)' } })
      return rewritten(base, '61 1\n', '60 1\n')
    },
    /gives object 60 two locations/,
  ],
  [
    'a page that has another content for readers that take the last of two',
    () => makePdf({ pages: [{ more: '/Contents 50 0 R' }], objects: { 50: { head: '', data: '0 0 9 9 re f' } } }),
    /has the key \/Contents twice/,
  ],
]

describe.each(CASES)('a file with %s', (_, base, reason) => {
  test('is not valid, signed or not, with the reason', async () => {
    const report = await verdictOn(await sealed(base()))
    expect(report).toMatchObject({ verdict: 'not-valid', text: expect.stringMatching(reason) })
  })

  test('is repaired when it is uploaded', async () => {
    const result = await upload(base())
    expect(result).toMatchObject({ verdict: 'accepted', rewritten: true, warnings: [{ code: 'repaired' }] })
    expect(await verdictOn(await sealed(await Bun.file(join(folder, 'canonical.pdf')).bytes()))).toEqual({
      verdict: 'valid',
      text: '',
    })
  })
})

test.each<[string, string]>([
  ['the middle of an object', '/Prev 20'],
  ['after the end', '/Prev 999999'],
])('a /Prev that leads to %s makes a file unreadable', async (_, previous) => {
  const two = second(TWO)
  const padded = Buffer.from(two.toString('latin1').replace(`/Prev ${startxref(TWO)}`, `/Prev ${startxref(TWO)}    `), 'latin1')
  const bytes = rewritten(padded, `/Prev ${startxref(TWO)}    `, previous)
  expect((await verdictOn(bytes)).verdict).toBe('unreadable')
  expect(await upload(bytes)).toMatchObject({ verdict: 'accepted', rewritten: true })
})

test('a file without a page is not valid', async () => {
  const report = await verdictOn(await sealed(makePdf({ pages: [] })))
  expect(report).toMatchObject({ verdict: 'not-valid', text: expect.stringContaining('has no page') })
})

test('a page that has a key twice is not valid', async () => {
  const report = await verdictOn(await sealed(makePdf({ pages: [{ more: '/Contents 99 0 R' }] })))
  expect(report).toMatchObject({ verdict: 'not-valid', text: expect.stringContaining('has the key /Contents twice') })
})

test('an uncompressed PDF attachment and the text %%EOF are not revisions', async () => {
  const base = makePdf({ objects: { 60: { head: '/Type /EmbeddedFile', data: TWO }, 61: '(startxref\n17\n%%EOF)' } })
  expect(await verdictOn(await sealed(base))).toEqual({ verdict: 'valid', text: '' })
  expect(await upload(base)).toMatchObject({ verdict: 'accepted', rewritten: false })
})

test('a linearised file, whose first startxref is 0, is valid', async () => {
  const whole = makePdf()
  const table = whole.indexOf('xref\n0 1')
  const body = whole.subarray('%PDF-1.7\n'.length, table).toString('latin1')
  // Annex F: the last startxref names the first cross-reference, whose /Prev names the other.
  const front = (main: number, shift: number) => {
    const rows = [...body.matchAll(/(?:^|\n)(\d+) 0 obj/g)].map(match => {
      const offset = '%PDF-1.7\n'.length + shift + (match.index === 0 ? 0 : match.index + 1)
      return `${match[1]} 1\n${String(offset).padStart(10, '0')} 00000 n\r\n`
    })
    return `xref\n${rows.join('')}trailer\n<< /Size 5 /Root 1 0 R /Prev ${String(main).padStart(6)} >>\nstartxref\n0\n%%EOF\n`
  }
  const shift = front(0, 0).length
  const main = '%PDF-1.7\n'.length + shift + body.length
  const text = `%PDF-1.7\n${front(main, shift)}${body}xref\n0 1\n0000000000 65535 f\r\ntrailer\n<< /Size 5 >>\nstartxref\n9\n%%EOF\n`
  const bytes = Buffer.from(text, 'latin1')
  expect(await upload(bytes)).toMatchObject({ verdict: 'accepted', rewritten: false })
  expect(await verdictOn(await sealed(bytes))).toEqual({ verdict: 'valid', text: '' })
})
