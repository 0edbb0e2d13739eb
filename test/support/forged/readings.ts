/** Signed files that PDF readers interpret differently. ISO 32000-2 §7.3, §7.5. */
import { catalog, document, type Kit, lastStartxref, page, pages, refused, streamOf, swap, textField } from './document.ts'

const signed =
  (objects: Readonly<Record<number, string>>) =>
  (kit: Kit): Uint8Array =>
    kit.sign(document(objects))

/** Objects of the revision that is signed. */
const revised = (number: number, text: string) => (kit: Kit) => kit.sign(undefined, { changes: { [number]: text } })

export const READINGS = refused('two readings', {
  'no page': signed({ 2: pages('', 0) }),
  'page tree that is missing': kit => kit.sign(document(), { changes: { 1: catalog({ pages: 59 }) } }),
  'page tree in a circle': { verdict: 'unreadable', make: signed({ 2: pages('2 0 R 3 0 R', 2) }) },
  'catalog with two page trees': revised(1, catalog({ more: '/Pages 20 0 R' })),
  'catalog with two forms': revised(1, catalog({ more: '/AcroForm << /Fields [] >>' })),
  'page with two contents': revised(3, page({ more: '/Contents 11 0 R' })),
  'page tree with two lists of kids': revised(2, `${pages('3 0 R', 1).slice(0, -2)} /Kids [13 0 R] >>`),
  'field with two values': kit => kit.sign(undefined, { fieldMore: '/V 11 0 R' }),
  'object under another number than the table says': kit => kit.sign(swap(document(), '4 0 obj', '11 0 obj'.slice(1))),
  'trailer with two catalogs': kit => kit.sign(undefined, { options: { trailer: '/Root 20 0 R' } }),
  'appearance with two states of one name': revised(7, textField('Ada', '/AP << /N 10 0 R /N 6 0 R >>')),
  'resources with two pictures of one name': revised(3, page().replace('/X1 6 0 R', '/X1 6 0 R /X1 10 0 R')),
  'content with two filters of one name': signed({ 4: streamOf('BT ET', '/Filter /ASCIIHexDecode /Filter null') }),
  'font with two encodings': signed({
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /Encoding /MacRomanEncoding >>',
  }),
  'content that cannot be read': signed({ 4: '<< /Length 3 ' }),
  'page of two parents': {
    verdict: 'unreadable',
    make: signed({ 2: pages('20 0 R 21 0 R', 2), 20: pages('3 0 R', 1), 21: pages('3 0 R', 1) }),
  },
  'kids that are no pages': signed({ 2: pages('5 0 R', 1) }),
})

type Row = readonly [number: number, kind: number, second: number, third: number]

/** An update with a cross-reference stream, as object `own`, behind other objects (§7.5.8). */
function withRows(bytes: Buffer, own: number, objects: string, rows: readonly Row[]): Buffer {
  const at = bytes.length + 1 + objects.length
  const all: readonly Row[] = [...rows, [own, 1, at, 0]]
  const data = Buffer.alloc(all.length * 7)
  all.forEach(([, kind, second, third], i) => {
    data.writeUInt8(kind, i * 7)
    data.writeUInt32BE(second, i * 7 + 1)
    data.writeUInt16BE(third, i * 7 + 5)
  })
  const index = all.map(([number]) => `${number} 1`).join(' ')
  const table = `/Type /XRef /W [1 4 2] /Index [${index}] /Size 60 /Root 1 0 R /Info 9 0 R /Prev ${lastStartxref(bytes)}`
  const section = `${own} 0 obj\n${streamOf(data.toString('latin1'), table)}\nendobj\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(`\n${objects}${section}`, 'latin1')])
}

/** A signed object stream has an object twice, and an update chooses the other one. */
export const DOUBLED = refused('two readings', {
  'other index into a signed object stream': kit => {
    const base = document()
    const [first, second] = ['<< /Title (Invoice) >>', '<< /Title (Receipt) >>']
    const head = `40 0 40 ${first.length + 1}`
    const body = `${head} ${first} ${second}`
    const objects = `50 0 obj\n${streamOf(body, `/Type /ObjStm /N 2 /First ${head.length + 1}`)}\nendobj\n`
    const rows: Row[] = [
      [40, 2, 50, 0],
      [50, 1, base.length + 1, 0],
    ]
    return withRows(kit.sign(withRows(base, 51, objects, rows)), 52, '', [[40, 2, 50, 1]])
  },
})
