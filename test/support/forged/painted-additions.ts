/** Additions that cover signed content, and those that do not. ISO 32000-2 §12.5. */
import { catalog, document, FIELD, FREE, type Kit, page, permitted, refused, update } from './document.ts'
import { button, CHOICE, DIGIT, filled, form, type Objects, perms, signedWith, switched, THINGS, value } from './painted.ts'

const covering = (content: string, rect?: string, objects?: Objects): ((kit: Kit) => Uint8Array) =>
  filled({ content, ...(rect ? { rect } : {}), ...(objects ? { objects } : {}) })

/** Another field, over the first. */
const OVER: Objects = {
  1: catalog({ fields: [7, 30] }),
  7: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (EUR 1) /Rect [310 305 400 325] /F 4 /P 3 0 R /AP << /N 10 0 R >> >>',
  10: form('BT /F1 12 Tf 2 5 Td (EUR 1) Tj ET', '0 0 90 20'),
}

/** One more visible signature by the same signer. */
const countersign =
  (rect: string, appearance: string, objects: Objects = {}) =>
  (kit: Kit, bytes: Uint8Array, field: number, fields: readonly number[]): Buffer =>
    kit.sign(bytes, {
      field,
      rect,
      fieldMore: `/AP << /N ${field + 40} 0 R >>`,
      changes: {
        1: catalog({ fields: [7, ...fields, field], more: perms(kit) }),
        3: page({ annotations: [7, ...fields, field] }),
        [field + 40]: form(appearance),
        ...objects,
      },
    })

const WHITE = '1 g 0 0 200 30 re f'

/** Comments of one type, each in its own update. */
const commented =
  (...comments: readonly string[]) =>
  (kit: Kit): Uint8Array => {
    let bytes = kit.sign(document(), { certifies: 3 })
    comments.forEach((comment, i) => {
      const numbers = Array.from({ length: i + 1 }, (_, k) => 70 + k)
      bytes = update(bytes, {
        3: page({ annotations: [7, FIELD, ...numbers] }),
        [70 + i]: `<< /Type /Annot /P 3 0 R /F 4 ${comment} >>`,
        90: form('1 g 0 0 200 30 re f'),
        91: form('/G2 gs 1 1 0 rg 0 0 200 30 re f', undefined, '/Resources << /ExtGState << /G2 << /BM /Multiply >> >> >>'),
        92: form('1 0 0 RG 0.8 w 0 14 m 200 14 l S'),
      })
    })
    return bytes
  }

const QUAD = '/Rect [48 694 250 724] /QuadPoints [50 722 248 722 50 696 248 696]'
const quadsAt = (...ys: number[]): string => `/QuadPoints [${ys.map(y => `50 ${y + 2} 248 ${y + 2} 50 ${y} 248 ${y}`).join(' ')}]`

export const COVERING_FORGERIES = refused('addition that covers signed content', {
  'fill-in over a text': covering('', '45 690 250 730'),
  'fill-in over the page': covering('', '0 0 595 842'),
  'fill-in over a minus sign': covering('BT /F1 18 Tf 302 306 Td (-) Tj ET BT /F1 18 Tf 510 306 Td (100) Tj ET'),
  'fill-in over a drawing': covering(DIGIT),
  'fill-in over a filled drawing': covering('310 304 30 18 re f'),
  'fill-in over an image': covering('q 200 0 0 30 300 300 cm /X1 Do Q'),
  'fill-in over an inline image': covering('q 20 0 0 20 310 304 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q'),
  'fill-in over a shading': covering('q 310 304 30 18 re W n /S1 sh Q'),
  'fill-in over a pattern': covering('/Pattern cs /P1 scn 310 304 30 18 re f'),
  'fill-in over a form': covering('q 1 0 0 1 302 300 cm /X2 Do Q'),
  'fill-in over text of a Type 3 font': covering('BT /F3 18 Tf 310 306 Td (1) Tj ET', undefined, { 51: THINGS[59] ?? '' }),
  'fill-in over text of an embedded font': covering('BT /F3 18 Tf 310 306 Td (EUR 1) Tj ET'),
  'fill-in over content that cannot be read': covering('(EUR 1'),
  'fill-in over another field': filled({ objects: OVER }),
  'two signatures that cover the page together': kit =>
    countersign('0 0 595 410', WHITE)(kit, countersign('0 412 595 842', WHITE)(kit, kit.sign(), FREE, [FIELD]), FREE + 2, [
      FIELD,
      FREE,
    ]),
  'signature over a text, by the same signer': kit => countersign('45 690 250 730', WHITE)(kit, kit.sign(), FREE, [FIELD]),
  'signature over a field filled in before it': kit => {
    const empty = document({
      7: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [50 600 250 620] /P 3 0 R /F 4 >>',
    })
    const full = update(kit.sign(empty), {
      7: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [50 600 250 620] /P 3 0 R /F 4 /V (EUR 9) /AP << /N 80 0 R >> >>',
      80: form(value('EUR 9')),
    })
    return countersign('48 598 252 622', WHITE)(kit, full, FREE, [FIELD])
  },
  'signature field that showed a text and is signed': kit => {
    const field =
      '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature16) /F 4 /Rect [300 300 500 330] /P 3 0 R /AP << /N 81 0 R >> >>'
    const both = { 1: catalog({ fields: [7, FIELD, FREE], more: perms(kit) }), 3: page({ annotations: [7, FIELD, FREE] }) }
    const signed = kit.sign(document({ 81: form(value('Pay EUR 1')) }), { changes: { ...both, [FREE]: field } })
    return kit.sign(signed, {
      field: FREE,
      rect: '300 300 500 330',
      fieldMore: '/AP << /N 82 0 R >>',
      changes: { ...both, 82: form(value('Pay EUR 9')) },
    })
  },
  'thick line through a text': commented(`/Subtype /StrikeOut ${QUAD} /C [1 0 0] /BS << /W 30 >>`),
  'thick line under a text, by /Border': commented(`/Subtype /Underline ${QUAD} /C [1 0 0] /Border [0 0 40]`),
  'thick wavy line': commented(`/Subtype /Squiggly ${QUAD} /C [1 0 0] /BS << /W 25 >>`),
  'white line through a text': commented(`/Subtype /StrikeOut ${QUAD} /C [1 1 1]`),
  'line as thick as its tall quadrilateral makes it': commented(
    '/Subtype /StrikeOut /Rect [40 500 300 842] /QuadPoints [50 842 248 842 50 560 248 560] /C [1 0 0]',
  ),
  'quadrilaterals outside the rectangle': commented(
    `/Subtype /StrikeOut /Rect [10 10 20 20] /QuadPoints [50 722 248 722 50 696 248 696] /C [1 0 0]`,
  ),
  'many lines over one text': commented(
    `/Subtype /StrikeOut /Rect [48 694 250 724] ${quadsAt(700, 702, 704, 706, 708, 710)} /C [1 0 0]`,
  ),
  'many lines over one text, in several updates': commented(
    ...[700, 703, 706, 709].map(y => `/Subtype /Underline /Rect [48 694 250 724] ${quadsAt(y)} /C [1 0 0]`),
  ),
  'dark highlight': commented(`/Subtype /Highlight ${QUAD} /C [0.1 0.1 0.1]`),
  'highlights that are dark together': commented(...[1, 2, 3].map(() => `/Subtype /Highlight ${QUAD} /C [0.5 0.5 0.5]`)),
  'highlight with an opaque appearance': commented(`/Subtype /Highlight ${QUAD} /C [1 1 0] /AP << /N 90 0 R >>`),
  'highlight of another blend mode': commented(`/Subtype /Highlight ${QUAD} /C [1 1 1] /BM /Normal`),
  'line with a white appearance': commented(`/Subtype /StrikeOut ${QUAD} /C [1 0 0] /AP << /N 90 0 R >>`),
  'note over a text': commented('/Subtype /Text /Rect [60 700 80 720] /C [1 1 1]'),
  'note that is drawn over a text, from a small rectangle': commented('/Subtype /Text /Rect [60 728 61 729]'),
  'large caret': commented('/Subtype /Caret /Rect [40 690 300 730] /C [1 1 1]'),
  'caret over a text': commented('/Subtype /Caret /Rect [60 700 78 718] /C [1 1 1]'),
  'open pop-up window': commented('/Subtype /Popup /Rect [40 690 300 730] /Open true'),
})

const BOX = '0.5 w 0 G 1 g 0.5 0.5 199 29 re B'
const TICK = 'BT /ZaDb 18 Tf 2 2 Td (4) Tj ET'

/** What authors permit, as other products do it. */
export const PERMITTED_CHANGES = permitted('permitted change that readers see', {
  'empty field filled in': filled({}),
  'field with a frame filled in': filled({ shown: BOX, drawn: `${BOX} /Tx BMC q 2 2 196 26 re W n ${value('EUR 9')} Q EMC` }),
  'field without an appearance filled in': filled({ shown: '', drawn: '' }),
  'field over a writing line': filled({ content: '0.5 w 290 303 m 510 303 l S' }),
  'field over underscores': filled({ content: 'BT /F1 18 Tf 302 306 Td (______________) Tj ET' }),
  'field over a coloured background': filled({ content: '0.9 g 250 250 300 200 re f' }),
  'field in a box of the page': filled({ content: '0.5 w 300 300 200 30 re S' }),
  'field with kerned text': filled({ drawn: 'BT /F1 18 Tf 2 8 Td [(E) 20 (UR) -250 (9)] TJ ET' }),
  'several lines': filled({
    type: '/FT /Tx /Ff 4096',
    rect: '300 300 500 360',
    box: '0 0 200 60',
    after: '/V (EUR 9\\rnet)',
    drawn: 'BT /F1 18 Tf 2 40 Td (EUR 9) Tj 0 -20 Td (net) Tj ET',
  }),
  comb: filled({
    type: '/FT /Tx /Ff 16777216 /MaxLen 2',
    after: '/V (19)',
    drawn: 'BT /F1 18 Tf 40 8 Td (1) Tj 100 0 Td (9) Tj ET 0.5 w 100 0 m 100 30 l S',
  }),
  choice: filled({ type: CHOICE, after: '/V (2) /I [1]', drawn: value('two') }),
  list: filled({
    type: '/FT /Ch /Opt [(one) (two)]',
    shown: 'BT /F1 9 Tf 2 18 Td (one) Tj 0 -12 Td (two) Tj ET',
    after: '/V (two) /I [1]',
    drawn: '0.6 0.75 0.85 rg 0 2 200 12 re f 0 g BT /F1 9 Tf 2 18 Td (one) Tj 0 -12 Td (two) Tj ET',
  }),
  button: switched(button(TICK, '0.5 w 1 1 18 18 re S')),
  'button with a drawn tick': switched(button('1 w 4 10 m 8 4 l 16 16 l S', '')),
  'radio button': kit =>
    update(
      signedWith(kit, {
        objects: {
          ...radio('/V /Off', '/AS /Off'),
          33: form(TICK, '0 0 20 20', '/Resources << /Font << /ZaDb 35 0 R >> >>'),
          35: '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
        },
      }),
      radio('/V /A', '/AS /A'),
    ),
  'second visible signature on free space': kit => countersign('300 300 500 330', value('Bob'))(kit, kit.sign(), FREE, [FIELD]),
  'comments on a text': commented(
    `/Subtype /Highlight ${QUAD} /C [1 1 0]`,
    `/Subtype /StrikeOut ${QUAD} /C [1 0 0]`,
    '/Subtype /Text /Rect [400 400 420 420] /Contents (why)',
  ),
  'comments on a text, with appearances': commented(
    `/Subtype /Highlight ${QUAD} /C [1 1 0] /AP << /N 91 0 R >>`,
    `/Subtype /Underline ${QUAD} /C [1 0 0] /AP << /N 92 0 R >>`,
  ),
})

function radio(own: string, state: string): Objects {
  const kid = (rect: string, name: string, as: string) =>
    `<< /Type /Annot /Subtype /Widget /Parent 30 0 R /Rect [${rect}] /F 4 /P 3 0 R ${as} /AP << /N << /${name} 33 0 R >> >> >>`
  return {
    30: `<< /FT /Btn /Ff 49152 /T (Sum) /Kids [36 0 R 37 0 R] ${own} >>`,
    36: kid('300 300 320 320', 'A', state),
    37: kid('340 300 360 320', 'B', '/AS /Off'),
  }
}
