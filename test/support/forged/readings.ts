/** Signed files that PDF readers interpret differently. ISO 32000-2 §7.3, §7.5. */
import { catalog, document, type Kit, of, page, pages, streamOf, swap, textField } from './document.ts'

const signed =
  (objects: Readonly<Record<number, string>>) =>
  (kit: Kit): Uint8Array =>
    kit.sign(document(objects))

/** Objects of the revision that is signed. */
const revised = (number: number, text: string) => (kit: Kit) => kit.sign(undefined, { changes: { [number]: text } })

export const READINGS = of('two readings', [
  { name: 'no page', verdict: 'not-valid', make: signed({ 2: pages('', 0) }) },
  {
    name: 'page tree that is missing',
    verdict: 'not-valid',
    make: kit => kit.sign(document(), { changes: { 1: catalog({ pages: 59 }) } }),
  },
  { name: 'page tree in a circle', verdict: 'unreadable', make: signed({ 2: pages('2 0 R 3 0 R', 2) }) },
  { name: 'catalog with two page trees', verdict: 'not-valid', make: revised(1, catalog({ more: '/Pages 20 0 R' })) },
  { name: 'catalog with two forms', verdict: 'not-valid', make: revised(1, catalog({ more: '/AcroForm << /Fields [] >>' })) },
  { name: 'page with two contents', verdict: 'not-valid', make: revised(3, page({ more: '/Contents 11 0 R' })) },
  {
    name: 'page tree with two lists of kids',
    verdict: 'not-valid',
    make: revised(2, `${pages('3 0 R', 1).slice(0, -2)} /Kids [13 0 R] >>`),
  },
  {
    name: 'field with two values',
    verdict: 'not-valid',
    make: kit => kit.sign(undefined, { fieldMore: '/V 11 0 R' }),
  },
  {
    name: 'object under another number than the table says',
    verdict: 'not-valid',
    make: kit => kit.sign(swap(document(), '4 0 obj', '11 0 obj'.slice(1))),
  },
  {
    name: 'trailer with two catalogs',
    verdict: 'not-valid',
    make: kit => kit.sign(undefined, { options: { trailer: '/Root 20 0 R' } }),
  },
  {
    name: 'appearance with two states of one name',
    verdict: 'not-valid',
    make: revised(7, textField('Ada', '/AP << /N 10 0 R /N 6 0 R >>')),
  },
  {
    name: 'resources with two pictures of one name',
    verdict: 'not-valid',
    make: revised(3, page().replace('/X1 6 0 R', '/X1 6 0 R /X1 10 0 R')),
  },
  {
    name: 'content with two filters of one name',
    verdict: 'not-valid',
    make: signed({ 4: streamOf('BT ET', '/Filter /ASCIIHexDecode /Filter null') }),
  },
  {
    name: 'font with two encodings',
    verdict: 'not-valid',
    make: signed({
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /Encoding /MacRomanEncoding >>',
    }),
  },
  { name: 'content that cannot be read', verdict: 'not-valid', make: signed({ 4: '<< /Length 3 ' }) },
  {
    name: 'page of two parents',
    verdict: 'unreadable',
    make: signed({ 2: pages('20 0 R 21 0 R', 2), 20: pages('3 0 R', 1), 21: pages('3 0 R', 1) }),
  },
  { name: 'kids that are no pages', verdict: 'not-valid', make: signed({ 2: pages('5 0 R', 1) }) },
])
