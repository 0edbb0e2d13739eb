/**
 * Shadow attacks: prepared content that a later update shows or hides; other page changes.
 * Mainka et al., "Shadow Attacks", NDSS 2021.
 */
import { catalog, document, formXObject, type Kit, of, page, pages, streamOf, textField, update } from './document.ts'

const changed = (objects: Readonly<Record<number, string>>) => (kit: Kit) => update(kit.sign(), objects)
const COVER = '1 g 0 0 595 842 re f'

/** A signed file whose text field covers the page. */
const covered = (kit: Kit): Buffer => kit.sign(document({ 10: formXObject(COVER), 6: formXObject(COVER) }))

/** Type 3 glyphs, so that the same characters show another sum. */
const GLYPHS =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 49 /LastChar 49 /Widths [1] /CharProcs << /nine 30 0 R >>' +
  ' /Encoding << /Differences [49 /nine] >> >>'

export const SHADOW = of('shadow attack', [
  {
    name: 'hide: picture over the text taken away',
    verdict: 'not-valid',
    make: kit => update(covered(kit), { 6: formXObject('') }),
  },
  {
    name: 'hide: covering object freed',
    verdict: 'not-valid',
    make: kit => update(covered(kit), {}, { rows: { 6: '0000000000 00001 f' } }),
  },
  { name: 'hide: cover of a field taken away', verdict: 'not-valid', make: kit => update(covered(kit), { 10: formXObject('') }) },
  { name: 'hide: field hidden', verdict: 'not-valid', make: changed({ 7: textField('Ada').replace('/F 4', '/F 2') }) },
  { name: 'hide: field no longer printed', verdict: 'not-valid', make: changed({ 7: textField('Ada').replace('/F 4 ', '') }) },
  {
    name: 'replace: font of the text',
    verdict: 'not-valid',
    make: changed({ 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' }),
  },
  {
    name: 'replace: glyphs of the font',
    verdict: 'not-valid',
    make: changed({ 5: GLYPHS, 30: streamOf('1 0 d0 0 0 1 1 re f') }),
  },
  {
    name: 'replace: value of a field',
    verdict: 'not-valid',
    make: changed({ 7: textField('Eve') }),
    note: 'Filling in is allowed after an approval signature (§12.8.2.2); we allow it only where a certification says so.',
  },
  {
    name: 'replace: appearance of a field',
    verdict: 'not-valid',
    make: changed({ 10: formXObject('BT /F1 12 Tf 2 5 Td (Eve) Tj ET') }),
  },
  {
    name: 'replace: appearance that shows another value',
    verdict: 'not-valid',
    make: changed({ 7: textField('Ada', '/AP << /N 20 0 R >>'), 20: formXObject('BT /F1 12 Tf 2 5 Td (Eve) Tj ET') }),
  },
  {
    name: 'replace: value without an appearance',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ form: '/NeedAppearances true' }), 7: textField('Eve', '') }),
  },
  {
    name: 'replace: default of a field',
    verdict: 'not-valid',
    make: changed({ 7: textField('Ada', '/AP << /N 10 0 R >> /DV (Eve)') }),
  },
  {
    name: 'replace: XObject of the page',
    verdict: 'not-valid',
    make: changed({ 6: formXObject('BT /F1 18 Tf 50 650 Td (to Eve) Tj ET') }),
  },
  { name: 'hide and replace: kids of the page tree', verdict: 'not-valid', make: changed({ 2: pages('13 0 R', 1) }) },
  {
    name: 'hide and replace: another page tree',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ pages: 20 }), 20: pages('13 0 R', 1) }),
  },
  { name: 'hide and replace: content that was there', verdict: 'not-valid', make: changed({ 3: page({ content: 11 }) }) },
  { name: 'layer turned off', verdict: 'not-valid', make: changed({ 1: catalog({ layers: '/OFF [12 0 R]' }) }) },
  {
    name: 'layer without use',
    verdict: 'not-valid',
    make: changed({ 12: '<< /Type /OCG /Name (Draft) /Usage << /View << /ViewState /OFF >> >> >>' }),
  },
  { name: 'page added', verdict: 'not-valid', make: changed({ 2: pages('3 0 R 13 0 R', 2) }) },
  {
    name: 'page taken out',
    verdict: 'not-valid',
    make: kit => update(kit.sign(document({ 2: pages('3 0 R 13 0 R', 2) })), { 2: pages('3 0 R', 1) }),
  },
  {
    name: 'pages in another order',
    verdict: 'not-valid',
    make: kit => update(kit.sign(document({ 2: pages('3 0 R 13 0 R', 2) })), { 2: pages('13 0 R 3 0 R', 2) }),
  },
  { name: 'page turned', verdict: 'not-valid', make: changed({ 3: page({ more: '/Rotate 180' }) }) },
  { name: 'page cropped', verdict: 'not-valid', make: changed({ 3: page({ more: '/CropBox [0 690 100 720]' }) }) },
  { name: 'page in another unit', verdict: 'not-valid', make: changed({ 3: page({ more: '/UserUnit 10' }) }) },
  { name: 'page of another size', verdict: 'not-valid', make: changed({ 3: page({ box: '0 0 200 200' }) }) },
  { name: 'page with a transition', verdict: 'not-valid', make: changed({ 3: page({ more: '/Trans << /S /Fade >> /Dur 1' }) }) },
  {
    name: 'box inherited from the tree',
    verdict: 'not-valid',
    make: changed({ 2: `${pages('3 0 R', 1).slice(0, -2)} /Rotate 90 >>` }),
  },
  { name: 'count of the pages', verdict: 'not-valid', make: changed({ 2: pages('3 0 R', 2) }) },
  {
    name: 'document information with another title',
    verdict: 'not-valid',
    make: changed({ 9: '<< /Title (Receipt) /Producer (Writer) /CreationDate (D:20260101000000Z) >>' }),
  },
  {
    name: 'replace: text that is copied',
    verdict: 'not-valid',
    make: changed({
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 30 0 R >>',
      30: streamOf('1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <31> <0039> endbfchar'),
    }),
  },
  {
    name: 'replace: encoding of the font',
    verdict: 'not-valid',
    make: changed({ 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [49 /nine] >> >>' }),
  },
  {
    name: 'replace: font that the page names',
    verdict: 'not-valid',
    make: changed({ 3: page().replace('/F1 5 0 R', '/F1 30 0 R'), 30: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' }),
  },
  {
    name: 'replace: picture that the page names',
    verdict: 'not-valid',
    make: changed({ 3: page().replace('/X1 6 0 R', '/X1 10 0 R') }),
  },
  {
    name: 'replace: resources of the form',
    verdict: 'not-valid',
    make: changed({ 1: catalog().replace('/F1 5 0 R', '/F1 30 0 R'), 30: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' }),
  },
  {
    name: 'content drawn behind the signed one',
    verdict: 'not-valid',
    make: changed({ 3: page().replace('/Contents 4 0 R', '/Contents [4 0 R 30 0 R]'), 30: streamOf('1 g 0 0 595 842 re f') }),
  },
  {
    name: 'content drawn before the signed one',
    verdict: 'not-valid',
    make: changed({ 3: page().replace('/Contents 4 0 R', '/Contents [30 0 R 4 0 R]'), 30: streamOf('0.01 0 0 0.01 0 0 cm') }),
  },
  { name: 'content made empty', verdict: 'not-valid', make: changed({ 4: streamOf('') }) },
  { name: 'content that becomes null', verdict: 'not-valid', make: changed({ 4: 'null' }) },
  {
    name: 'content in a file outside',
    verdict: 'not-valid',
    make: changed({ 4: streamOf('', '/F (http://evil.example/page) /FFilter /FlateDecode') }),
  },
  { name: 'content under another filter', verdict: 'not-valid', make: changed({ 4: streamOf('', '/Filter /ASCIIHexDecode') }) },
  {
    name: 'layer that is only printed',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ layers: '/ON [12 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [12 0 R] >>]' }) }),
  },
  { name: 'layers taken away', verdict: 'not-valid', make: changed({ 1: catalog().replace(/\/OCProperties.*? >> >>/, '') }) },
  {
    name: 'page that becomes a template',
    verdict: 'not-valid',
    make: changed({ 3: page().replace('/Type /Page ', '/Type /Template ') }),
  },
  { name: 'page that becomes a branch', verdict: 'not-valid', make: changed({ 3: page({ more: '/Kids [13 0 R] /Count 1' }) }) },
])

const action = (script: string): string => `<< /S /JavaScript /JS (${script}) >>`

/** Updates that add something other than page content. */
export const ADDED = of('something added behind the signature', [
  {
    name: 'JavaScript that opens with the document',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: `/OpenAction ${action('app.alert\\(1\\)')}` }) }),
  },
  {
    name: 'JavaScript by name',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: `/Names << /JavaScript << /Names [(a) ${action('app.alert\\(1\\)')}] >> >>` }) }),
  },
  {
    name: 'actions of the document',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: `/AA << /WC ${action('1')} >>` }) }),
  },
  { name: 'actions of the page', verdict: 'not-valid', make: changed({ 3: page({ more: `/AA << /O ${action('1')} >>` }) }) },
  {
    name: 'actions of a field',
    verdict: 'not-valid',
    make: changed({ 7: textField('Ada', `/AP << /N 10 0 R >> /AA << /F ${action('1')} >>`) }),
  },
  {
    name: 'destination that opens with the document',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: '/OpenAction [3 0 R /Fit]' }) }),
  },
  {
    name: 'attachment',
    verdict: 'not-valid',
    make: changed({
      1: catalog({ more: '/Names << /EmbeddedFiles << /Names [(a.txt) 20 0 R] >> >>' }),
      20: '<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F 21 0 R >> >>',
      21: streamOf('Pay 999 EUR', '/Type /EmbeddedFile'),
    }),
  },
  {
    name: 'associated file',
    verdict: 'not-valid',
    make: changed({
      1: catalog({ more: '/AF [20 0 R]' }),
      20: '<< /Type /Filespec /F (a.txt) /AFRelationship /Source /EF << /F 21 0 R >> >>',
      21: streamOf('Pay 999 EUR', '/Type /EmbeddedFile'),
    }),
  },
  {
    name: 'portfolio',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: '/Collection << /Type /Collection /View /T >>' }) }),
  },
  {
    name: 'outline',
    verdict: 'not-valid',
    make: changed({
      1: catalog({ more: '/Outlines 20 0 R /PageMode /UseOutlines' }),
      20: '<< /Type /Outlines /Count 1 /First 21 0 R /Last 21 0 R >>',
      21: '<< /Title (Pay 999 EUR) /Parent 20 0 R /Dest [3 0 R /Fit] >>',
    }),
  },
  {
    name: 'viewer preferences',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: '/ViewerPreferences << /HideToolbar true /DisplayDocTitle true >>' }) }),
  },
  {
    name: 'base of links',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: '/URI << /Base (http://evil.example) >>' }) }),
  },
  {
    name: 'page labels',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ more: '/PageLabels << /Nums [0 << /P (9) >>] >>' }) }),
  },
  { name: 'language', verdict: 'not-valid', make: changed({ 1: catalog({ more: '/Lang (de)' }) }) },
  {
    name: 'structure tree',
    verdict: 'not-valid',
    make: changed({
      1: catalog({ more: '/MarkInfo << /Marked true >> /StructTreeRoot 20 0 R' }),
      20: '<< /Type /StructTreeRoot /K [<< /Type /StructElem /S /P /ActualText (Pay 999 EUR) /Pg 3 0 R >>] >>',
    }),
  },
  {
    name: 'XFA form',
    verdict: 'not-valid',
    make: changed({ 1: catalog({ form: '/XFA 20 0 R' }), 20: streamOf('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>') }),
  },
  { name: 'order of calculation', verdict: 'not-valid', make: changed({ 1: catalog({ form: '/CO [7 0 R]' }) }) },
])
