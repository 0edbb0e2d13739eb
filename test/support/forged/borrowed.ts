/**
 * Fonts and pictures that an appearance lacks: some readers take them from the form's resources or
 * from the page's. ISO 32000-2 §7.8.3, §12.7.3.
 */
import { catalog, document, FIELD, FREE, type Kit, page, refused, update } from './document.ts'
import { button, filled, form, type Objects, perms, signedWith, switched, value, widget } from './painted.ts'

const FIELDS = [7, 30, FIELD]
/** The resources of an appearance, without the font or picture that it uses. */
const NOTHING = '/Resources << >>'
const inFont = (name: string, text: string) => `BT /${name} 18 Tf 2 8 Td (${text}) Tj ET`

/** The form gets one more resource after the signature. */
const withResource = (kit: Kit, fonts: string, others = '') =>
  catalog({ fields: FIELDS, more: perms(kit) }).replace('/F1 5 0 R >>', `/F1 5 0 R ${fonts} >> ${others}`)

/** A signed field whose appearance lacks what the update adds to the form. */
const borrowed =
  (appearance: string, fonts: string, others = '') =>
  (kit: Kit): Uint8Array => {
    const objects: Objects = { 30: widget({}, '/V (EUR 1)', 31), 31: form(appearance, undefined, NOTHING) }
    return update(signedWith(kit, { objects }), { 1: withResource(kit, fonts, others) })
  }

/** A comment whose appearance lacks what it uses. */
const commented =
  (content: string) =>
  (kit: Kit): Uint8Array =>
    update(kit.sign(undefined, { certifies: 3 }), {
      3: page({ annotations: [7, FIELD, 70] }),
      70: '<< /Type /Annot /P 3 0 R /F 4 /Subtype /Text /Rect [300 300 330 330] /AP << /N 90 0 R >> >>',
      90: form(content, '0 0 30 30', NOTHING),
    })

export const BORROWED_FORGERIES = refused('resource that an appearance lacks', {
  'font added to the form, of a signed field': borrowed(inFont('F9', 'EUR 9'), '/F9 5 0 R'),
  'font added to the form that draws another digit': borrowed(inFont('F2', 'EUR 1'), '/F2 50 0 R'),
  'picture added to the form': borrowed('/X9 Do', '', '/XObject << /X9 53 0 R >>'),
  'graphics state added to the form': borrowed(`/G9 gs 0 0 60 20 re f`, '', '/ExtGState << /G9 56 0 R >>'),
  'font added to the form, of a note': kit => {
    const note = '<< /Type /Annot /P 3 0 R /F 4 /Subtype /FreeText /Rect [300 400 500 430] /AP << /N 33 0 R >> >>'
    const objects = { 34: note, 33: form(inFont('F9', 'EUR 9'), undefined, NOTHING) }
    const base = document({ ...objects, 3: page({ annotations: [7, 34] }) })
    const signed = kit.sign(base, { changes: { 3: page({ annotations: [7, 34, FIELD] }) } })
    const fonts = catalog({ more: perms(kit) }).replace('/F1 5 0 R >>', '/F1 5 0 R /F9 5 0 R >>')
    return update(signed, { 1: fonts })
  },
  'font added to the form, of a later signature': kit => {
    const both = [7, FIELD, FREE]
    const second = kit.sign(kit.sign(), {
      field: FREE,
      rect: '300 300 500 330',
      fieldMore: '/AP << /N 80 0 R >>',
      changes: {
        1: catalog({ fields: both, more: perms(kit) }),
        3: page({ annotations: both }),
        80: form(inFont('F9', 'EUR 9'), undefined, NOTHING),
      },
    })
    const fonts = catalog({ fields: both, more: perms(kit) }).replace('/F1 5 0 R >>', '/F1 5 0 R /F9 5 0 R >>')
    return update(second, { 1: fonts })
  },
  'filled in with a font of the form': filled({ changes: { 32: form(inFont('F1', 'EUR 9'), undefined, NOTHING) } }),
  'filled in with a picture of the page': filled({
    changes: { 32: form(`${value('EUR 9')} /X2 Do`, undefined, '/Resources << /Font << /F1 5 0 R >> >>') },
  }),
  'filled in with a graphics state of the page': filled({
    changes: { 32: form(`/G1 gs ${value('EUR 9')}`, undefined, '/Resources << /Font << /F1 5 0 R >> >>') },
  }),
  'button whose state is a picture of the page': kit => {
    const one = button('', '')
    const objects = { ...one.objects, 33: form('/X2 Do', '0 0 20 20', NOTHING) }
    return switched({ ...one, objects })(kit)
  },
  'picture of the page before': filled({ objects: { 31: form('/X2 Do', undefined, NOTHING) }, shown: '' }),
  'note in a font of the page': commented(inFont('F1', '9')),
  'note with a picture of the page': commented('/X1 Do'),
})
