/**
 * Changes after signing that no dictionary shows at first sight: references for flags, fonts of
 * readers, texts for screen readers, titles. ISO 32000-2 §12.5.5, §12.7.4, §14.3, §14.7.
 */
import { accepted, catalog, document, FIELD, FREE, type Kit, page, permitted, refused, streamOf, update } from './document.ts'
import { type FieldCase, filled, form, type Objects, perms, signedWith, THINGS, value, widget } from './painted.ts'

const FIELDS = [7, 30, FIELD]
const formOf = (kit: Kit, more = '') => catalog({ fields: FIELDS, form: more, more: perms(kit) })
/** With a Type 3 font among the resources of the form. */
const withFont = (kit: Kit) => formOf(kit).replace('/F1 5 0 R >>', '/F1 5 0 R /F9 59 0 R >>')
const inFont9 = (entries: string) => widget({}, entries, undefined).replace('/F1 18', '/F9 18')
const withoutDefault = (text: string) => text.replace('/DA (/F1 12 Tf 0 g) ', '')
const drawn = (entries: string, objects: Objects = {}): FieldCase => ({
  objects: { 30: widget({}, entries, undefined), ...objects },
})

export const FIELD_FORGERIES = refused('form that readers draw otherwise', {
  'readers redraw the fields, by a reference to true': kit =>
    update(signedWith(kit, { before: '/V (EUR 9)', shown: value('EUR 1') }), {
      1: formOf(kit, '/NeedAppearances 70 0 R'),
      70: 'true',
    }),
  'hidden field that becomes visible, its flags in another object': kit => {
    const field = widget({}, '/V (EUR 9)', 31)
    const objects = { 30: field.replace('/F 4', '/F 71 0 R'), 31: form(value('EUR 9')), 71: '2' }
    return update(signedWith(kit, { objects }), { 30: field })
  },
  'password that becomes readable, its flags in another object': kit =>
    update(signedWith(kit, drawn('/V (EUR 9) /Ff 71 0 R', { 71: '8192' })), { 30: widget({}, '/V (EUR 9) /Ff 1', undefined) }),
  'new signature field with flags in another object': kit =>
    kit.sign(kit.sign(), {
      field: FREE,
      fieldMore: '',
      changes: {
        1: catalog({ fields: [7, FIELD, FREE], more: perms(kit) }),
        16: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Other) /F 71 0 R /Rect [0 0 0 0] /P 3 0 R /V 17 0 R >>',
        71: '24',
      },
    }),
  'font added with which readers draw a value': kit =>
    update(signedWith(kit, { objects: { 30: inFont9('/V (1)') } }), { 1: withFont(kit) }),
  'default appearance added with which readers draw a value': kit => {
    const plain = widget({}, '/V (1)', undefined).replace('/DA (/F1 18 Tf 0 g)', '')
    const base = document({
      ...THINGS,
      1: withoutDefault(catalog({ fields: [7, 30] })),
      3: page({ annotations: [7, 30] }),
      30: plain,
    })
    const changes = { 1: withoutDefault(formOf(kit)), 3: page({ annotations: FIELDS }) }
    return update(kit.sign(base, { changes }), { 1: formOf(kit) })
  },
  'filled in without an appearance, in a font added to the form': kit =>
    update(signedWith(kit, { objects: { 30: inFont9('') } }), { 1: withFont(kit), 30: inFont9('/V (1)') }),
  'filled in without an appearance, in a font of its own': kit =>
    update(signedWith(kit, {}), { 30: widget({}, '/V (1) /DR << /Font << /F1 59 0 R >> >>', undefined) }),
  'filled in without an appearance, in a font that draws another digit': kit =>
    update(signedWith(kit, {}), { 30: widget({}, '/V (1) /DR << /Font << /F1 50 0 R >> >>', undefined) }),
  'raised digit for a plain one': filled({ after: '/V (EUR 102)', drawn: value('EUR 10\\262') }),
})

const QUAD = '/Rect [50 690 350 730] /QuadPoints [50 730 350 730 50 690 350 690]'
const EMPTY = '/Rect [250 400 350 440] /QuadPoints [250 440 350 440 250 400 350 400]'

/** A comment after a certification that allows comments. */
const commented = (comment: string, content = '1 g 0 0 300 40 re f', more = '') => {
  return (kit: Kit): Uint8Array =>
    update(kit.sign(undefined, { certifies: 3 }), {
      3: page({ annotations: [7, FIELD, 70] }),
      70: `<< /Type /Annot /P 3 0 R /F 4 ${comment} >>`,
      90: form(content, '0 0 300 40', more),
    })
}
const MULTIPLY = '/Resources << /ExtGState << /G2 << /BM /Multiply >> >> >>'

export const COMMENT_FORGERIES = refused('comment with another drawing', {
  'highlight that covers under the mouse': commented(`/Subtype /Highlight ${QUAD} /C [1 1 0] /AP << /R 90 0 R >>`),
  'note that covers when it is pressed': commented('/Subtype /Text /Rect [400 300 420 320] /C [1 1 0] /AP << /D 90 0 R >>'),
  'line with states of which none is chosen': commented(`/Subtype /Underline ${QUAD} /C [1 0 0] /AP << /N << /On 90 0 R >> >>`),
  'line that draws a digit': commented(
    `/Subtype /Underline ${QUAD} /C [0 0 0] /AP << /N 90 0 R >>`,
    '1 w 0 G 150 5 m 150 25 l 160 25 l 160 5 l h S',
  ),
  'line that draws beside the text': commented(
    `/Subtype /Underline /Rect [50 690 350 730] /QuadPoints [50 730 90 730 50 690 90 690] /C [0 0 0] /AP << /N 90 0 R >>`,
    '1 w 0 G 150 5 m 160 5 l S',
  ),
  'highlight that draws a digit': commented(
    `/Subtype /Highlight ${QUAD} /C [1 0 0] /AP << /N 90 0 R >>`,
    '/G2 gs 1 0 0 rg 150 5 3 20 re f',
    MULTIPLY,
  ),
  'highlight on an empty place': commented(`/Subtype /Highlight ${EMPTY} /C [1 0 0]`),
  'line on an empty place': commented(`/Subtype /StrikeOut ${EMPTY} /C [1 0 0]`),
})

const ROOT = '<< /Type /StructTreeRoot /K [71 0 R] /ParentTree 72 0 R /ParentTreeNextKey 1 >>'
const element = (more: string, parent = 71) => `<< /Type /StructElem /P ${parent} 0 R ${more} >>`
const TREE: Objects = {
  70: ROOT,
  71: element('/S /Document /K [73 0 R]', 70),
  72: '<< /Nums [0 [73 0 R]] >>',
  73: element('/S /P /K 0 /Pg 3 0 R'),
}
const treeOf = (kit: Kit, fields: readonly number[]) => catalog({ fields, more: `/StructTreeRoot 70 0 R ${perms(kit)}` })

/** A signed document with structure. */
const tagged = (kit: Kit): Buffer =>
  kit.sign(document({ ...TREE, 1: catalog({ fields: [7], more: '/StructTreeRoot 70 0 R' }) }), {
    changes: { 1: treeOf(kit, [7, FIELD]) },
  })
/** One more child of its only part, at the end. */
const child = (text: string, more: Objects = {}) => {
  return (kit: Kit): Uint8Array => update(tagged(kit), { 71: element(`/S /Document /K [73 0 R ${text}]`, 70), ...more })
}
const added = (more: string) => child('80 0 R', { 80: element(more) })

/** A second signature whose field has an element. */
const signedElement = (more: string) => {
  return (kit: Kit): Uint8Array =>
    kit.sign(tagged(kit), {
      field: FREE,
      fieldMore: '/StructParent 1',
      changes: {
        1: treeOf(kit, [7, FIELD, FREE]),
        70: ROOT.replace('72 0 R', '81 0 R').replace('NextKey 1', 'NextKey 2'),
        71: element('/S /Document /K [73 0 R 80 0 R]', 70),
        80: element(`/S /Form /K << /Type /OBJR /Obj ${FREE} 0 R /Pg 3 0 R >> ${more}`),
        81: '<< /Nums [0 [73 0 R] 1 80 0 R] >>',
      },
    })
}

export const READ_ALOUD_FORGERIES = refused('structure that is read aloud', {
  'element with a replacement text': added('/S /P /ActualText (Pay 999 EUR)'),
  'element with a replacement text for signed content': added('/S /P /ActualText (Pay 999 EUR) /K 0 /Pg 3 0 R'),
  'element inside another with a replacement text': added('/S /P /K [<< /S /Span /ActualText (Pay 999 EUR) >>]'),
  'element with an alternate description': added('/S /Figure /Alt (Pay 999 EUR)'),
  'element with the expansion of an abbreviation': added('/S /Span /E (Pay 999 EUR)'),
  'element with a text among its attributes': added('/S /Form /A << /O /PrintField /Desc (Pay 999 EUR) >>'),
  'element that is no object of its own': child('<< /Type /StructElem /S /P /P 71 0 R /Alt (Pay 999 EUR) >>'),
  'element that claims signed content': added('/S /Artifact /K 0 /Pg 3 0 R'),
  'element that claims signed content by reference': added('/S /P /K << /Type /MCR /Pg 3 0 R /MCID 0 >>'),
  'element that describes a signed field': added('/S /Form /K << /Type /OBJR /Obj 7 0 R >>'),
  'element that is there twice': child('73 0 R'),
  'elements nested without end': child(
    '1000 0 R',
    Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [1000 + i, element(`/S /P /K ${1001 + i} 0 R`)])),
  ),
  'description of a document time-stamp': kit => kit.stamp(kit.sign(), { fieldMore: '/TU (Pay 999 EUR)' }),
  'replacement text for the field of a signature': signedElement('/ActualText (Pay 999 EUR)'),
  'signed page with another element': kit =>
    update(tagged(kit), {
      3: page({ more: '/StructParents 5' }),
      70: ROOT.replace('72 0 R', '81 0 R').replace('NextKey 1', 'NextKey 6'),
      81: '<< /Nums [0 [73 0 R] 5 [73 0 R]] >>',
    }),
})

const PACKET = (text: string, namespaces = '') =>
  streamOf(`<x:xmpmeta xmlns:x="adobe:ns:meta/"${namespaces}>${text}</x:xmpmeta>`, '/Type /Metadata /Subtype /XML')
const TITLE = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Invoice</rdf:li></rdf:Alt></dc:title>'
const DC = 'http://purl.org/dc/elements/1.1/'
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1')

/** A signed document whose metadata and information change. */
const described =
  (was: string | undefined, is: string, information = '<< /Producer (Writer) >>', now = information) =>
  (kit: Kit): Uint8Array =>
    update(kit.sign(document({ 8: was ?? PACKET(''), 9: information })), { 8: is, 9: now })

export const PROPERTY_FORGERIES = refused('another title', {
  'title of the metadata': described(PACKET(TITLE), PACKET(TITLE.replace('Invoice', 'Receipt'))),
  'title of the metadata taken away': described(PACKET(TITLE), PACKET('')),
  'the former title in a comment': described(PACKET(TITLE), PACKET(`<!-- ${TITLE} --><dc:title>Receipt</dc:title>`)),
  'a second title with another prefix': described(
    PACKET(TITLE),
    PACKET(`${TITLE}<q:title>Receipt</q:title>`, ` xmlns:q="${DC}"`),
  ),
  'a second title without a prefix': described(PACKET(TITLE), PACKET(`${TITLE}<title xmlns="${DC}">Receipt</title>`)),
  'a second title as an attribute': described(PACKET(TITLE), PACKET(`${TITLE}<rdf:Description dc:title='Receipt'/>`)),
  'title in two character references': described(PACKET(TITLE), PACKET(TITLE.replace('Invoice', '&#82;eceipt'))),
  'title in UTF-16': described(
    PACKET(TITLE),
    PACKET('')
      .replace(/stream\n.*\n/, `stream\n${utf16('<dc:title>R</dc:title>')}\n`)
      .replace(/\/Length \d+/, '/Length 46'),
  ),
  'prefix with two meanings': described(
    PACKET(TITLE),
    PACKET(`${TITLE}<a xmlns:q="urn:x"/><q:title>Receipt</q:title>`, ` xmlns:q="${DC}"`),
  ),
  'metadata with an entity of its own': described(PACKET(TITLE), PACKET(`${TITLE}<!DOCTYPE a [<!ENTITY t "Receipt">]>`)),
  'metadata that contradict the signed title': described(
    undefined,
    PACKET(TITLE.replace('Invoice', 'Receipt')),
    '<< /Title (Invoice) >>',
  ),
})

/** The field of the first signature locks the document when it is signed. */
const locked =
  (level: number) =>
  (kit: Kit): Uint8Array => {
    const fieldMore = `/Lock << /Type /SigFieldLock /Action /Include /Fields [] /P ${level} >>`
    return kit.sign(kit.sign(undefined, { fieldMore }), {
      field: FREE,
      rect: '300 300 500 330',
      fieldMore: '/AP << /N 80 0 R >>',
      changes: { 1: catalog({ fields: [7, FIELD, FREE], more: perms(kit) }), 80: form(value('Bob')) },
    })
  }

export const LOCK_FORGERIES = refused('field that locks the document', {
  'visible signature after a lock with P=1': locked(1),
  'visible signature after a lock with P=2': locked(2),
})

/** Changes that a reader can see or hear, though no page shows them. */
export const LISTED_CHANGES = permitted('permitted change beside the pages', {
  'title added to the information': described(undefined, PACKET(''), undefined, '<< /Producer (Writer) /Title (Receipt) >>'),
  'title added to the metadata': described(undefined, PACKET(TITLE)),
  'title added as an attribute': described(undefined, PACKET('<rdf:Description dc:title="Receipt"/>')),
  'title added with another prefix': described(undefined, PACKET('<q:title>Receipt</q:title>', ` xmlns:q="${DC}"`)),
  'author and keywords added': described(undefined, PACKET(''), undefined, '<< /Author (Eve) /Keywords (paid) >>'),
  'alternate description of the field of a signature': signedElement('/Alt (Signed by Bob)'),
  'invisible signature with a description': kit =>
    kit.sign(kit.sign(), {
      field: FREE,
      fieldMore: '/TU (Signed by Bob)',
      changes: { 1: catalog({ fields: [7, FIELD, FREE], more: perms(kit) }) },
    }),
  'text field filled in without an appearance': kit => update(signedWith(kit, {}), { 30: widget({}, '/V (1)', undefined) }),
  'visible signature after a lock with P=3': locked(3),
})

/** What no reader shows. */
export const SILENT_CHANGES = accepted('change that no reader shows', {
  'metadata with another time of the last change': described(
    PACKET(`${TITLE}<xmp:ModifyDate>2031</xmp:ModifyDate>`),
    PACKET(`${TITLE}<xmp:ModifyDate>2032</xmp:ModifyDate>`),
  ),
  'metadata with the title of the information': described(undefined, PACKET(TITLE), '<< /Title (Invoice) >>'),
  'document time-stamp whose description repeats its name': kit =>
    kit.stamp(kit.sign(), { name: 'Timestamp-1', fieldMore: '/TU (Timestamp)' }),
  'signature in a field without an area, whose appearance drew something': kit => {
    const changes = { 1: catalog({ fields: [7, FIELD, FREE], more: perms(kit) }) }
    const field =
      '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature16) /F 132 /Rect [0 0 0 0] /P 3 0 R /AP << /N 80 0 R >> >>'
    const signed = kit.sign(undefined, { changes: { ...changes, [FREE]: field, 80: form(value('Bob')) } })
    return kit.sign(signed, { field: FREE, fieldMore: '/AP << /N 81 0 R >>', changes: { ...changes, 81: form(value('Eve')) } })
  },
  'element of the field of an invisible signature': signedElement(''),
})
