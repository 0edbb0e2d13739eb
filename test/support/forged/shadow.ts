/**
 * Shadow attacks: prepared content that a later update shows or hides; other page changes.
 * Mainka et al., "Shadow Attacks", NDSS 2021.
 */
import { catalog, document, formXObject, type Kit, page, pages, refused, streamOf, textField, update } from './document.ts'

const changed = (objects: Readonly<Record<number, string>>) => (kit: Kit) => update(kit.sign(), objects)
const COVER = '1 g 0 0 595 842 re f'

/** A signed file whose text field covers the page. */
const covered = (kit: Kit): Buffer => kit.sign(document({ 10: formXObject(COVER), 6: formXObject(COVER) }))

/** Type 3 glyphs, so that the same characters show another sum. */
const GLYPHS =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 49 /LastChar 49 /Widths [1] /CharProcs << /nine 30 0 R >>' +
  ' /Encoding << /Differences [49 /nine] >> >>'

export const SHADOW = refused('shadow attack', {
  'hide: picture over the text taken away': kit => update(covered(kit), { 6: formXObject('') }),
  'hide: covering object freed': kit => update(covered(kit), {}, { rows: { 6: '0000000000 00001 f' } }),
  'hide: cover of a field taken away': kit => update(covered(kit), { 10: formXObject('') }),
  'hide: field hidden': changed({ 7: textField('Ada').replace('/F 4', '/F 2') }),
  'hide: field no longer printed': changed({ 7: textField('Ada').replace('/F 4 ', '') }),
  'replace: font of the text': changed({ 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' }),
  'replace: glyphs of the font': changed({ 5: GLYPHS, 30: streamOf('1 0 d0 0 0 1 1 re f') }),
  'replace: value of a field': {
    make: changed({ 7: textField('Eve') }),
    note: 'Filling in is allowed after an approval signature (§12.8.2.2); we allow it only where a certification says so.',
  },
  'replace: appearance of a field': changed({ 10: formXObject('BT /F1 12 Tf 2 5 Td (Eve) Tj ET') }),
  'replace: appearance that shows another value': changed({
    7: textField('Ada', '/AP << /N 20 0 R >>'),
    20: formXObject('BT /F1 12 Tf 2 5 Td (Eve) Tj ET'),
  }),
  'replace: value without an appearance': changed({ 1: catalog({ form: '/NeedAppearances true' }), 7: textField('Eve', '') }),
  'replace: default of a field': changed({ 7: textField('Ada', '/AP << /N 10 0 R >> /DV (Eve)') }),
  'replace: XObject of the page': changed({ 6: formXObject('BT /F1 18 Tf 50 650 Td (to Eve) Tj ET') }),
  'hide and replace: kids of the page tree': changed({ 2: pages('13 0 R', 1) }),
  'hide and replace: another page tree': changed({ 1: catalog({ pages: 20 }), 20: pages('13 0 R', 1) }),
  'hide and replace: content that was there': changed({ 3: page({ content: 11 }) }),
  'layer turned off': changed({ 1: catalog({ layers: '/OFF [12 0 R]' }) }),
  'layer without use': changed({ 12: '<< /Type /OCG /Name (Draft) /Usage << /View << /ViewState /OFF >> >> >>' }),
  'page added': changed({ 2: pages('3 0 R 13 0 R', 2) }),
  'page taken out': kit => update(kit.sign(document({ 2: pages('3 0 R 13 0 R', 2) })), { 2: pages('3 0 R', 1) }),
  'pages in another order': kit => update(kit.sign(document({ 2: pages('3 0 R 13 0 R', 2) })), { 2: pages('13 0 R 3 0 R', 2) }),
  'page turned': changed({ 3: page({ more: '/Rotate 180' }) }),
  'page cropped': changed({ 3: page({ more: '/CropBox [0 690 100 720]' }) }),
  'page in another unit': changed({ 3: page({ more: '/UserUnit 10' }) }),
  'page of another size': changed({ 3: page({ box: '0 0 200 200' }) }),
  'page with a transition': changed({ 3: page({ more: '/Trans << /S /Fade >> /Dur 1' }) }),
  'box inherited from the tree': changed({ 2: `${pages('3 0 R', 1).slice(0, -2)} /Rotate 90 >>` }),
  'count of the pages': changed({ 2: pages('3 0 R', 2) }),
  'document information with another title': changed({
    9: '<< /Title (Receipt) /Producer (Writer) /CreationDate (D:20260101000000Z) >>',
  }),
  'replace: text that is copied': changed({
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 30 0 R >>',
    30: streamOf('1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <31> <0039> endbfchar'),
  }),
  'replace: encoding of the font': changed({
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [49 /nine] >> >>',
  }),
  'replace: font that the page names': changed({
    3: page().replace('/F1 5 0 R', '/F1 30 0 R'),
    30: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>',
  }),
  'replace: picture that the page names': changed({ 3: page().replace('/X1 6 0 R', '/X1 10 0 R') }),
  'replace: resources of the form': changed({
    1: catalog().replace('/F1 5 0 R', '/F1 30 0 R'),
    30: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>',
  }),
  'content drawn behind the signed one': changed({
    3: page().replace('/Contents 4 0 R', '/Contents [4 0 R 30 0 R]'),
    30: streamOf('1 g 0 0 595 842 re f'),
  }),
  'content drawn before the signed one': changed({
    3: page().replace('/Contents 4 0 R', '/Contents [30 0 R 4 0 R]'),
    30: streamOf('0.01 0 0 0.01 0 0 cm'),
  }),
  'content made empty': changed({ 4: streamOf('') }),
  'content that becomes null': changed({ 4: 'null' }),
  'content in a file outside': changed({ 4: streamOf('', '/F (http://evil.example/page) /FFilter /FlateDecode') }),
  'content under another filter': changed({ 4: streamOf('', '/Filter /ASCIIHexDecode') }),
  'layer that is only printed': changed({
    1: catalog({ layers: '/ON [12 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [12 0 R] >>]' }),
  }),
  'layers taken away': changed({ 1: catalog().replace(/\/OCProperties.*? >> >>/, '') }),
  'page that becomes a template': changed({ 3: page().replace('/Type /Page ', '/Type /Template ') }),
  'page that becomes a branch': changed({ 3: page({ more: '/Kids [13 0 R] /Count 1' }) }),
})

const action = (script: string): string => `<< /S /JavaScript /JS (${script}) >>`

/** Updates that add something other than page content. */
export const ADDED = refused('something added behind the signature', {
  'JavaScript that opens with the document': changed({ 1: catalog({ more: `/OpenAction ${action('app.alert\\(1\\)')}` }) }),
  'JavaScript by name': changed({
    1: catalog({ more: `/Names << /JavaScript << /Names [(a) ${action('app.alert\\(1\\)')}] >> >>` }),
  }),
  'actions of the document': changed({ 1: catalog({ more: `/AA << /WC ${action('1')} >>` }) }),
  'actions of the page': changed({ 3: page({ more: `/AA << /O ${action('1')} >>` }) }),
  'actions of a field': changed({ 7: textField('Ada', `/AP << /N 10 0 R >> /AA << /F ${action('1')} >>`) }),
  'destination that opens with the document': changed({ 1: catalog({ more: '/OpenAction [3 0 R /Fit]' }) }),
  attachment: changed({
    1: catalog({ more: '/Names << /EmbeddedFiles << /Names [(a.txt) 20 0 R] >> >>' }),
    20: '<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F 21 0 R >> >>',
    21: streamOf('Pay 999 EUR', '/Type /EmbeddedFile'),
  }),
  'associated file': changed({
    1: catalog({ more: '/AF [20 0 R]' }),
    20: '<< /Type /Filespec /F (a.txt) /AFRelationship /Source /EF << /F 21 0 R >> >>',
    21: streamOf('Pay 999 EUR', '/Type /EmbeddedFile'),
  }),
  portfolio: changed({ 1: catalog({ more: '/Collection << /Type /Collection /View /T >>' }) }),
  outline: changed({
    1: catalog({ more: '/Outlines 20 0 R /PageMode /UseOutlines' }),
    20: '<< /Type /Outlines /Count 1 /First 21 0 R /Last 21 0 R >>',
    21: '<< /Title (Pay 999 EUR) /Parent 20 0 R /Dest [3 0 R /Fit] >>',
  }),
  'viewer preferences': changed({ 1: catalog({ more: '/ViewerPreferences << /HideToolbar true /DisplayDocTitle true >>' }) }),
  'base of links': changed({ 1: catalog({ more: '/URI << /Base (http://evil.example) >>' }) }),
  'page labels': changed({ 1: catalog({ more: '/PageLabels << /Nums [0 << /P (9) >>] >>' }) }),
  language: changed({ 1: catalog({ more: '/Lang (de)' }) }),
  'structure tree': changed({
    1: catalog({ more: '/MarkInfo << /Marked true >> /StructTreeRoot 20 0 R' }),
    20: '<< /Type /StructTreeRoot /K [<< /Type /StructElem /S /P /ActualText (Pay 999 EUR) /Pg 3 0 R >>] >>',
  }),
  'XFA form': changed({ 1: catalog({ form: '/XFA 20 0 R' }), 20: streamOf('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>') }),
  'order of calculation': changed({ 1: catalog({ form: '/CO [7 0 R]' }) }),
})
