/**
 * Attacks on certified documents: evil annotations, sneaky signatures, and /Perms.
 * Rohlmann et al., "Breaking the Specification: PDF Certification", IEEE S&P 2021.
 */
import {
  catalog,
  FORGED_CONTENT,
  FREE,
  formXObject,
  type Kit,
  page,
  refused,
  type SignOptions,
  textField,
  update,
} from './document.ts'
import { issue, tokenOf } from './pki.ts'

const OVERLAY = formXObject('1 g 50 690 300 40 re f 0 g BT /F1 24 Tf 50 700 Td (Pay 999 EUR) Tj ET')

/** A certified file with one more annotation over the text. */
const annotated =
  (certifies: 1 | 2 | 3 | undefined, annotation: string, more: Record<number, string> = {}) =>
  (kit: Kit) =>
    update(kit.sign(undefined, certifies === undefined ? {} : { certifies }), {
      3: page({ annotations: [7, 14, 30] }),
      30: annotation,
      31: OVERLAY,
      ...more,
    })

const annotation = (subtype: string, more: string): string =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [50 690 350 730] /P 3 0 R /F 4 /AP << /N 31 0 R >> ${more} >>`
const FREE_TEXT = annotation('FreeText', '/Contents (Pay 999 EUR) /DA (/F1 24 Tf)')
const STAMP = annotation('Stamp', '/Name /Approved')
const REDACTION = annotation('Redact', '/OverlayText (Pay 999 EUR) /IC [1 1 1]')

/** A certified file with a second signature whose appearance lies over the text. */
export const countersigned =
  (certifies: 1 | 2 | 3 | undefined, by: 'stranger' | 'self' | 'zeros', options: SignOptions = {}) =>
  (kit: Kit): Uint8Array => {
    const first = kit.sign(undefined, certifies === undefined ? {} : { certifies })
    const self = by === 'stranger' ? kit.by(kit.stranger, kit.strangerRoot) : kit.by()
    return kit.sign(first, {
      field: FREE,
      rect: '50 690 350 730',
      fieldMore: '/AP << /N 31 0 R >>',
      contents: by === 'zeros' ? () => new Uint8Array(20) : self,
      changes: {
        1: catalog({ fields: [7, 14, FREE], more: certifies === undefined ? '' : '/Perms << /DocMDP 15 0 R >>' }),
        31: OVERLAY,
      },
      ...options,
    })
  }

/** A signed file with a document time-stamp whose appearance lies over the text. */
const stampedBy =
  (who: 'stranger' | 'authority', certifies: 1 | 2 | 3 | undefined, more = '') =>
  (kit: Kit): Uint8Array => {
    const level = certifies ?? kit.certifies
    const authority = who === 'authority' ? kit.time : issue({ name: 'Nobody', use: 'timestamps', isAuthority: false })
    const perms = level === undefined ? '' : '/Perms << /DocMDP 15 0 R >>'
    return kit.stamp(kit.sign(undefined, level === undefined ? {} : { certifies: level }), {
      rect: '50 690 350 730',
      fieldMore: '/AP << /N 31 0 R >>',
      contents: digest => tokenOf(authority, digest, kit.at),
      changes: { 1: catalog({ fields: [7, 14, FREE], more: perms }), 31: OVERLAY },
      more,
    })
  }

const ALSO_CHANGED = {
  1: catalog({ fields: [7, 14, FREE], more: '/Perms << /DocMDP 15 0 R >>' }),
  4: FORGED_CONTENT,
  31: OVERLAY,
}

export const EVIL_ANNOTATION = refused('evil annotation', {
  'free text, P=1': annotated(1, FREE_TEXT),
  'free text, P=2': annotated(2, FREE_TEXT),
  'free text, P=3': { make: annotated(3, FREE_TEXT), note: 'P=3 allows annotations; we take none, for they can cover the text.' },
  'free text after an approval': annotated(undefined, FREE_TEXT),
  'stamp, P=3': { make: annotated(3, STAMP), note: 'P=3 allows annotations; we take none, for they can cover the text.' },
  'redaction, P=3': annotated(3, REDACTION),
  'link that runs a script, P=3': annotated(3, annotation('Link', '/A << /S /JavaScript /JS (1) >>')),
  'file in an annotation, P=3': annotated(3, annotation('FileAttachment', '/FS << /Type /Filespec /F (a) >>')),
  'button, P=2': annotated(2, annotation('Widget', '/FT /Btn /T (B) /MK << /CA (Pay 999 EUR) >>'), {
    1: catalog({ fields: [7, 14, 30], more: '/Perms << /DocMDP 15 0 R >>' }),
  }),
  'text field that was not there, P=2': annotated(2, annotation('Widget', '/FT /Tx /T (New) /V (Pay 999 EUR)'), {
    1: catalog({ fields: [7, 14, 30], more: '/Perms << /DocMDP 15 0 R >>' }),
  }),
  'field filled, P=1': kit => update(kit.sign(undefined, { certifies: 1 }), { 7: textField('Eve') }),
  'field moved over the text, P=2': kit =>
    update(kit.sign(undefined, { certifies: 2 }), { 7: textField('Pay 999 EUR').replace('50 600 250 620', '50 690 350 730') }),
  'widget of the signature given an appearance': kit =>
    update(kit.sign(), {
      14: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature14) /F 132 /Rect [50 690 350 730] /P 3 0 R /V 15 0 R /AP << /N 31 0 R >> >>',
      31: OVERLAY,
    }),
  'widget of the signature given a caption': kit =>
    update(kit.sign(), {
      14: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature14) /F 132 /Rect [0 0 0 0] /P 3 0 R /V 15 0 R /MK << /CA (Pay 999 EUR) >> >>',
    }),
  'line over the text, P=3': annotated(3, annotation('Line', '/L [50 700 350 700] /BS << /W 40 >> /C [1 1 1]')),
  'highlight over the text, P=3': annotated(3, annotation('Highlight', '/QuadPoints [50 730 350 730 50 690 350 690] /C [0 0 0]')),
  'note that is closed, P=3': {
    make: annotated(3, annotation('Text', '/Open false /Contents (Pay 999 EUR)')),
    note: 'P=3 allows annotations; we take none, for they can cover the text.',
  },
  'mark over the page, far beyond its rectangle, P=3': annotated(
    3,
    '<< /Type /Annot /Subtype /Highlight /Rect [0 0 5 5] /F 4 /QuadPoints [0 842 595 842 0 0 595 0] /C [1 1 0] >>',
  ),
  'black mark over the text, P=3': annotated(
    3,
    '<< /Type /Annot /Subtype /Highlight /Rect [50 690 350 730] /F 4 /QuadPoints [50 730 350 730 50 690 350 690] /C [0 0 0] >>',
  ),
  'movie, P=3': annotated(3, annotation('Screen', '/A << /S /Rendition >>')),
  'annotation of the signed page taken away': kit => update(kit.sign(), { 3: page({ annotations: [14] }) }),
  'annotations in another order': kit => update(kit.sign(), { 3: page({ annotations: [14, 7] }) }),
})

export const SNEAKY_SIGNATURE = refused('sneaky signature', {
  'overlay signed by a stranger, P=1': countersigned(1, 'stranger'),
  'overlay signed by a stranger, P=2': countersigned(2, 'stranger'),
  'overlay signed by a stranger, P=3': countersigned(3, 'stranger'),
  'overlay signed by a stranger, approval': countersigned(undefined, 'stranger'),
  'overlay signed by a trusted signer, approval': countersigned(undefined, 'self'),
  'overlay of a time-stamp by a stranger, approval': stampedBy('stranger', undefined),
  'overlay of a time-stamp by a stranger, P=3': stampedBy('stranger', 3),
  'overlay of a time-stamp with a transform': stampedBy('stranger', undefined, '/Reference []'),
  'overlay of a time-stamp by the trusted authority': {
    make: stampedBy('authority', undefined),
    note: 'An authority time-stamps what anybody sends, and says nothing of what it shows.',
  },
  'overlay of a time-stamp in a field that was there': kit => {
    const field = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature16) /F 4 /Rect [50 690 350 730] /P 3 0 R >>`
    const both = { 1: catalog({ fields: [7, 14, FREE] }), 3: page({ annotations: [7, 14, FREE] }) }
    const signed = kit.sign(undefined, { changes: { ...both, [FREE]: field } })
    return kit.stamp(signed, { rect: '50 690 350 730', fieldMore: '/AP << /N 31 0 R >>', changes: { ...both, 31: OVERLAY } })
  },
  'overlay with a signature of zeros, P=2': countersigned(2, 'zeros'),
  'overlay and other content, trusted, P=2': countersigned(2, 'self', { changes: ALSO_CHANGED }),
  'overlay and other content, a stranger, P=2': countersigned(2, 'stranger', { changes: ALSO_CHANGED }),
  'field without a page, laid over all of one by a second signature': kit => {
    const perms = kit.certifies === undefined ? '' : '/Perms << /DocMDP 15 0 R >>'
    const form = { 1: catalog({ fields: [7, 14, FREE], more: perms }) }
    const field = '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature16) /F 4 /Rect [0 0 595 842] /P 3 0 R >>'
    const signed = kit.sign(undefined, { changes: { ...form, [FREE]: field } })
    const look = { rect: '0 0 595 842', fieldMore: '/AP << /N 31 0 R >>' }
    return kit.sign(signed, { field: FREE, ...look, changes: { ...form, 31: formXObject('1 g 0 0 595 842 re f') } })
  },
  'second certification': countersigned(2, 'self', { certifies: 3 }),
  'trusted signature over P=1': countersigned(1, 'self'),
  'permission raised from 1 to 3': kit =>
    annotated(1, FREE_TEXT, {
      15: '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /Reference [<< /TransformMethod /DocMDP /TransformParams << /P 3 /V /1.2 >> >>] >>',
    })(kit),
  "overlay signed by a stranger, its field in another's name": countersigned(undefined, 'stranger', { name: 'Signature14' }),
  'second signature that brings a script': countersigned(undefined, 'self', {
    rect: '0 0 0 0',
    fieldMore: '/AA << /U << /S /JavaScript /JS (1) >> >>',
  }),
  'second signature that fills a field': countersigned(undefined, 'self', {
    rect: '0 0 0 0',
    fieldMore: '',
    changes: { 7: textField('Eve') },
  }),
})

/** The form without the first signature. */
const UNCERTIFIED = {
  1: catalog({ fields: [7, FREE] }),
  14: '<< /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /P 3 0 R >>',
}

/** A certification that a second signature takes out of the form. */
const uncertified = (certifies: 1 | 2 | 3) => (kit: Kit) =>
  kit.sign(kit.sign(undefined, { certifies }), { field: FREE, changes: UNCERTIFIED })

export const PERMISSIONS = refused('permissions', {
  '/Perms names a dictionary no field leads to': kit =>
    kit.sign(undefined, {
      changes: {
        1: catalog({ more: '/Perms << /DocMDP 30 0 R >>' }),
        30: '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 1 2 3] /Contents <00> >>',
      },
    }),
  '/Perms removed from a certified file': kit =>
    update(kit.sign(undefined, { certifies: 1 }), { 1: catalog(), 3: page({ content: 11 }) }),
  '/Perms turned to another signature': kit =>
    update(kit.sign(kit.sign(undefined, { certifies: 2 }), { field: FREE }), {
      1: catalog({ fields: [7, 14, FREE], more: '/Perms << /DocMDP 17 0 R >>' }),
    }),
  'usage rights': kit => update(kit.sign(), { 1: catalog({ more: '/Perms << /UR3 15 0 R >>' }) }),
  'one dictionary, two fields': kit =>
    kit.sign(undefined, {
      changes: { 1: catalog({ fields: [7, 14, 30] }), 30: '<< /FT /Sig /T (Twin) /V 15 0 R >>' },
    }),
  'form says that nothing was signed': kit => update(kit.sign(), { 1: catalog().replace('/SigFlags 3', '/SigFlags 0') }),

  'certification with P=1 taken out by a second signature': uncertified(1),
  'certification with P=2 taken out by a second signature': uncertified(2),
  'certification with P=3 taken out by a second signature': uncertified(3),
  'certification taken out by another certification': kit =>
    kit.sign(kit.sign(undefined, { certifies: 1 }), {
      field: FREE,
      certifies: 3,
      changes: { ...UNCERTIFIED, 1: catalog({ fields: [7, FREE], more: '/Perms << /DocMDP 17 0 R >>' }), 4: FORGED_CONTENT },
    }),
})
