/**
 * Comments beside signed text: what they draw could be read as a part of it. The text "Pay 100 EUR"
 * takes 50 to 196 points of the line at 700. ISO 32000-2 §12.5.6.4, §12.5.6.10.
 */
import { document, FIELD, type Kit, page, permitted, refused, streamOf, update } from './document.ts'
import { form, THINGS } from './painted.ts'

const AFTER = '/Rect [200 698 216 718]'
const SAME_LINE = '/Rect [400 698 416 718]'
const FREE_LINE = '/Rect [400 300 416 320]'
const ZERO = '2 w 0 G 3 2 10 16 re S'
const YELLOW = '1 0.9 0 rg 0 0 16 20 re f'

interface CommentCase {
  /** Of its appearance; undefined: none. */
  content?: string
  more?: string
  /** Content of the page behind its own. */
  page?: string
}

/** A comment after a certification that allows comments. */
const commented =
  (comment: string, { content, more = '', page: behind = '' }: CommentCase = {}) =>
  (kit: Kit): Uint8Array => {
    const own = streamOf(`BT /F1 24 Tf 50 700 Td (Pay 100 EUR) Tj ET ${behind}`)
    const signed = kit.sign(document({ ...THINGS, 4: own }), { certifies: 3 })
    const appearance = content === undefined ? '' : '/AP << /N 90 0 R >>'
    return update(signed, {
      3: page({ annotations: [7, FIELD, 70] }),
      70: `<< /Type /Annot /P 3 0 R /F 4 ${comment} ${appearance} >>`,
      90: form(content ?? '', '0 0 16 20', more),
    })
  }
const note = (rectangle: string, content?: string, more?: string) =>
  commented(`/Subtype /Text ${rectangle}`, {
    ...(content === undefined ? {} : { content }),
    ...(more === undefined ? {} : { more }),
  })

const FAINT = '/Resources << /ExtGState << /G1 << /ca 0.05 >> >> >>'
const LIGHTEN = '/Resources << /ExtGState << /G1 << /BM /Lighten >> >> >>'
const quads = (left: number, bottom: number, right: number, top: number): string =>
  `/Rect [${left} ${bottom} ${right} ${top}] /QuadPoints [${left} ${top} ${right} ${top} ${left} ${bottom} ${right} ${bottom}]`

export const BESIDE_FORGERIES = refused('comment beside signed text', {
  'note that draws a digit behind an amount': note(AFTER, ZERO),
  'note that draws a digit before an amount': note('/Rect [22 698 38 718]', ZERO),
  'note that draws a digit by curves': note(AFTER, '2 w 8 18 m 14 18 14 2 8 2 c 2 2 2 18 8 18 c S'),
  'note that fills the form of a digit': note(AFTER, '0 g 6 2 4 16 re f'),
  'note that draws a digit on a white ground': note(AFTER, `1 g 0 0 16 20 re f ${ZERO}`),
  'note that draws a digit on the free part of a line': note(SAME_LINE, ZERO),
  'note with a digit and a faint ground': note(SAME_LINE, `q /G1 gs ${YELLOW} Q ${ZERO}`, FAINT),
  'note with a digit and a ground that the page hides': note(SAME_LINE, `q /G1 gs ${YELLOW} Q ${ZERO}`, LIGHTEN),
  'note whose ground is painted over': note(SAME_LINE, `${YELLOW} 1 g 0 0 16 20 re f ${ZERO}`),
  'note whose ground is clipped': note(SAME_LINE, `q 0 0 1 1 re W n ${YELLOW} Q ${ZERO}`),
  'note whose ground is clipped to a digit': note(
    SAME_LINE,
    `q 0 0 m 16 0 l 16 20 l 0 20 l h 3 3 m 3 17 l 13 17 l 13 3 l h W* n ${YELLOW} Q`,
  ),
  'note with a ground, close behind an amount': note(AFTER, `${YELLOW} ${ZERO}`),
  'note that draws a digit by a Type 3 font': note(
    AFTER,
    'BT /F3 18 Tf 2 2 Td (1) Tj ET',
    '/Resources << /Font << /F3 59 0 R >> >>',
  ),
  'note that shows a picture behind an amount': note(
    AFTER,
    '16 0 0 20 0 0 cm /X1 Do',
    '/Resources << /XObject << /X1 52 0 R >> >>',
  ),
  'note that shows a text': note(FREE_LINE, 'BT /F1 18 Tf 2 2 Td (0) Tj ET', '/Resources << /Font << /F1 5 0 R >> >>'),
  'note whose appearance cannot be read': note(FREE_LINE, '('),
  'note that draws a digit on a writing line': commented(`/Subtype /Text ${FREE_LINE}`, {
    content: ZERO,
    page: 'BT /F1 18 Tf 300 302 Td (________) Tj ET',
  }),
  'caret as narrow as a digit': commented('/Subtype /Caret /Rect [198 700 200 718]'),
  'line that begins before the amount, as a minus sign': commented(`/Subtype /StrikeOut ${quads(36, 696, 52, 722)} /C [0 0 0]`),
  'short line between two words': commented(`/Subtype /StrikeOut ${quads(96, 696, 106, 722)} /C [0 0 0]`),
  'short line in the colour of the text': commented(`/Subtype /StrikeOut ${quads(86, 596, 94, 620)} /C [1 0 0]`, {
    page: '1 0 0 rg BT /F1 24 Tf 50 600 Td (Pay 100) Tj ET',
  }),
  'short and low line between two words': commented(`/Subtype /StrikeOut ${quads(97, 706, 105, 711)} /C [0 0 0]`),
  'dark highlight as narrow as a digit': commented(`/Subtype /Highlight ${quads(138, 696, 141, 722)} /C [0.4 0.4 0.4]`),
  'highlight that touches the amount': commented(`/Subtype /Highlight ${quads(195, 696, 225, 722)} /C [0.5 0.5 0.9]`),
  'highlight that is clipped to a digit': commented(`/Subtype /Highlight ${quads(50, 696, 196, 722)} /C [1 0 0]`, {
    content: 'q 0 0 m 4 0 l 4 20 l 0 20 l h 15 0 1 20 re W n /G2 gs 1 0 0 rg 0 0 16 20 re f Q',
    more: '/Resources << /ExtGState << /G2 << /BM /Multiply >> >> >>',
  }),
  'line whose appearance is shorter than what it marks': commented(`/Subtype /StrikeOut ${quads(50, 696, 196, 722)} /C [0 0 0]`, {
    content: '0.3 w 5 10 m 6 10 l S',
  }),
})

export const COMMENTS_BESIDE = permitted('comment that readers tell from the text', {
  'note with a ground on a free line': note(FREE_LINE, `${YELLOW} ${ZERO}`),
  'note with a ground, at a distance on the line': note(SAME_LINE, `${YELLOW} ${ZERO}`),
  'note without a ground on a free line': note(FREE_LINE, ZERO),
  'note without an appearance behind a text': note('/Rect [200 698 220 718]'),
  'caret behind a text': commented('/Subtype /Caret /Rect [198 700 208 712]'),
  'line through one letter': commented(`/Subtype /StrikeOut ${quads(106, 696, 119, 722)} /C [1 0 0]`),
  'highlight of one letter': commented(`/Subtype /Highlight ${quads(106, 696, 119, 722)} /C [1 1 0]`),
  'line with an appearance as long as it': commented(`/Subtype /StrikeOut ${quads(50, 696, 196, 722)} /C [0 0 0]`, {
    content: '0.3 w 0 10 m 16 10 l S',
  }),
})
