/**
 * Drawn objects that are also a field, a structure element or a list of annotations, and are
 * replaced after signing as one of these. ISO 32000-2 §7.8.2, §11.6.6, §12.7.4, §14.7.
 */
import {
  accepted,
  catalog,
  document,
  FIELD,
  FORGED_CONTENT,
  formXObject,
  type Kit,
  page,
  refused,
  streamOf,
  update,
} from './document.ts'

const STRUCTURE = '/StructTreeRoot 30 0 R'
const text = (sum: string, head = ''): string => streamOf(`BT /F1 24 Tf 50 700 Td (Pay ${sum} EUR) Tj ET`, head)

type Objects = Record<number, string>

/** A signed document with a structure, whose root is rewritten with `changes`. */
const structured =
  (tree: string, objects: Objects, changes: Objects, pageText?: (annotations: number[]) => string) =>
  (kit: Kit): Uint8Array => {
    const root = (next: number) => `<< /Type /StructTreeRoot /ParentTree ${tree} /ParentTreeNextKey ${next} >>`
    const first = pageText === undefined ? {} : { 3: pageText([7]) }
    const before = document({ 1: catalog({ fields: [7], more: STRUCTURE }), 30: root(0), ...objects, ...first })
    const more = kit.certifies === undefined ? STRUCTURE : `${STRUCTURE} /Perms << /DocMDP 15 0 R >>`
    const second = pageText === undefined ? {} : { 3: pageText([7, FIELD]) }
    return update(kit.sign(before, { changes: { 1: catalog({ more }), ...second } }), { 30: root(1), ...changes })
  }

const STAMP = (appearance: number, more = ''): string =>
  `<< /Type /Annot /Subtype /Stamp /FT /Tx /T (Stamp) /Rect [50 400 350 500] /F 4 /P 3 0 R /AP << /N ${appearance} 0 R >> ${more} >>`

const group = (more: string): string => `<< /S /Transparency /CS /DeviceRGB /I true /P 30 0 R ${more} >>`
const grouped = (annotations: readonly number[]): string => page({ annotations, more: '/Group 32 0 R' })

/** The page's annotations and its contents are one list. */
const SHARED_LIST = page().replace(/\/Contents 4 0 R \/Annots \[.*?\]/, '/Contents 40 0 R /Annots 40 0 R')

/** A second text field. */
const sumField = (appearance: number, more = ''): string =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /Rect [50 400 350 500] /F 4 /P 3 0 R /AP << /N ${appearance} 0 R >> ${more} >>`
const shownSum = (sum: string): string => formXObject(`BT /F1 24 Tf 2 5 Td (${sum}) Tj ET`)

/** A form with one more text field, signed, and the field filled in. */
const filled =
  (before: string, after: string) =>
  (kit: Kit): Uint8Array => {
    const perms = kit.certifies === undefined ? '' : '/Perms << /DocMDP 15 0 R >>'
    const form = document({
      1: catalog({ fields: [7, 30] }),
      3: page({ annotations: [7, 30] }),
      30: sumField(31, before),
      31: shownSum('100 EUR'),
    })
    const changes = { 1: catalog({ fields: [7, 30, FIELD], more: perms }), 3: page({ annotations: [7, 30, FIELD] }) }
    return update(kit.sign(form, { changes }), { 30: sumField(32, after), 32: shownSum('999 EUR') })
  }

/** A signed form without the instruction to readers to redraw its fields, which it had. */
const drawnAnew =
  (appearance: string) =>
  (kit: Kit): Uint8Array => {
    const perms = kit.certifies === undefined ? '' : '/Perms << /DocMDP 15 0 R >>'
    const form = '/NeedAppearances true'
    const before = document({ 1: catalog({ fields: [7], form }), 10: formXObject(appearance).replace('595 842', '200 20') })
    return update(kit.sign(before, { changes: { 1: catalog({ form, more: perms }) } }), { 1: catalog({ more: perms }) })
  }

export const SHOWN_FIELDS = refused('what a field shows without its value', {
  'empty field that shows a text': filled('', '/V (999 EUR)'),
  'field that shows what it has by default': filled('/V (100 EUR) /DV (100 EUR)', '/V (999 EUR) /DV (100 EUR)'),
  'untouched field that shows another text': filled('/V (1) /DV (1)', '/V (999 EUR) /DV (1)'),
  'another text than the value, which readers draw no longer': drawnAnew('BT /F1 12 Tf 2 5 Td (Eve) Tj ET'),
  'nothing, where readers draw the value no longer': drawnAnew('/Tx BMC EMC'),
})

/** Similar changes that are allowed. */
export const FILLED = accepted('form filled in', {
  'form whose fields readers need not draw anew any more': drawnAnew('/Tx BMC BT /F1 12 Tf 2 5 Td [(A) -20 <6461>] TJ ET EMC'),
})

export const DISGUISED = refused('objects of two uses', {
  'content that is a node of the parent tree': structured('<< /Kids [4 0 R] >>', {}, { 4: text('999') }),
  'page tree that is a node of the parent tree': structured(
    '<< /Kids [2 0 R] >>',
    {},
    { 2: '<< /Type /Pages /Count 1 /Kids [13 0 R] >>' },
  ),
  'list of contents that is a list of the parent tree': structured(
    '<< /Nums 31 0 R >>',
    { 31: '[4 0 R]' },
    { 31: '[11 0 R]' },
    annotations => page({ annotations, content: 31 }),
  ),
  'group of the page that is an element of the structure': kit => {
    const before = document({ 3: grouped([7]), 32: group('') })
    return update(kit.sign(before, { changes: { 3: grouped([7, FIELD]) } }), { 32: group('/K true') })
  },
  'content that is a field': kit => update(kit.sign(document({ 4: text('100', '/FT /Tx') })), { 4: text('999', '/FT /Tx') }),
  'content that is a field and is filled in': kit =>
    update(kit.sign(document({ 4: text('100', '/FT /Tx') })), { 4: text('999', '/FT /Tx /V (x)') }),
  'stamp that is a field and is filled in': kit => {
    const before = document({ 3: page({ annotations: [7, 30] }), 30: STAMP(31), 31: formXObject('') })
    const signed = kit.sign(before, { changes: { 3: page({ annotations: [7, 30, FIELD] }) } })
    return update(signed, { 30: STAMP(32, '/V (x)'), 32: FORGED_CONTENT })
  },
  'list of annotations that is the list of contents': kit => {
    const before = document({ 3: SHARED_LIST, 40: '[4 0 R 7 0 R]' })
    const signed = kit.sign(before, { certifies: 3, changes: { 3: SHARED_LIST, 40: `[4 0 R 7 0 R ${FIELD} 0 R]` } })
    const comment = text('999', '/Type /Annot /Subtype /Text /Rect [0 0 0 0] /P 3 0 R')
    return update(signed, { 40: `[4 0 R 7 0 R ${FIELD} 0 R 41 0 R]`, 41: comment })
  },
})
