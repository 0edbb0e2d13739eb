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
  of,
  page,
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

export const EVIL_ANNOTATION = of('evil annotation', [
  { name: 'free text, P=1', verdict: 'not-valid', make: annotated(1, FREE_TEXT) },
  { name: 'free text, P=2', verdict: 'not-valid', make: annotated(2, FREE_TEXT) },
  {
    name: 'free text, P=3',
    verdict: 'not-valid',
    make: annotated(3, FREE_TEXT),
    note: 'P=3 allows annotations; we take none, for they can cover the text.',
  },
  { name: 'free text after an approval', verdict: 'not-valid', make: annotated(undefined, FREE_TEXT) },
  {
    name: 'stamp, P=3',
    verdict: 'not-valid',
    make: annotated(3, STAMP),
    note: 'P=3 allows annotations; we take none, for they can cover the text.',
  },
  { name: 'redaction, P=3', verdict: 'not-valid', make: annotated(3, REDACTION) },
  {
    name: 'link that runs a script, P=3',
    verdict: 'not-valid',
    make: annotated(3, annotation('Link', '/A << /S /JavaScript /JS (1) >>')),
  },
  {
    name: 'file in an annotation, P=3',
    verdict: 'not-valid',
    make: annotated(3, annotation('FileAttachment', '/FS << /Type /Filespec /F (a) >>')),
  },
  {
    name: 'button, P=2',
    verdict: 'not-valid',
    make: annotated(2, annotation('Widget', '/FT /Btn /T (B) /MK << /CA (Pay 999 EUR) >>'), {
      1: catalog({ fields: [7, 14, 30], more: '/Perms << /DocMDP 15 0 R >>' }),
    }),
  },
  {
    name: 'text field that was not there, P=2',
    verdict: 'not-valid',
    make: annotated(2, annotation('Widget', '/FT /Tx /T (New) /V (Pay 999 EUR)'), {
      1: catalog({ fields: [7, 14, 30], more: '/Perms << /DocMDP 15 0 R >>' }),
    }),
  },
  {
    name: 'field filled, P=1',
    verdict: 'not-valid',
    make: kit => update(kit.sign(undefined, { certifies: 1 }), { 7: textField('Eve') }),
  },
  {
    name: 'field moved over the text, P=2',
    verdict: 'not-valid',
    make: kit =>
      update(kit.sign(undefined, { certifies: 2 }), { 7: textField('Pay 999 EUR').replace('50 600 250 620', '50 690 350 730') }),
  },
  {
    name: 'widget of the signature given an appearance',
    verdict: 'not-valid',
    make: kit =>
      update(kit.sign(), {
        14: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature14) /F 132 /Rect [50 690 350 730] /P 3 0 R /V 15 0 R /AP << /N 31 0 R >> >>',
        31: OVERLAY,
      }),
  },
  {
    name: 'widget of the signature given a caption',
    verdict: 'not-valid',
    make: kit =>
      update(kit.sign(), {
        14: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature14) /F 132 /Rect [0 0 0 0] /P 3 0 R /V 15 0 R /MK << /CA (Pay 999 EUR) >> >>',
      }),
  },
  {
    name: 'line over the text, P=3',
    verdict: 'not-valid',
    make: annotated(3, annotation('Line', '/L [50 700 350 700] /BS << /W 40 >> /C [1 1 1]')),
  },
  {
    name: 'highlight over the text, P=3',
    verdict: 'not-valid',
    make: annotated(3, annotation('Highlight', '/QuadPoints [50 730 350 730 50 690 350 690] /C [0 0 0]')),
  },
  {
    name: 'note that is closed, P=3',
    verdict: 'not-valid',
    make: annotated(3, annotation('Text', '/Open false /Contents (Pay 999 EUR)')),
    note: 'P=3 allows annotations; we take none, for they can cover the text.',
  },
  {
    name: 'mark over the page, far beyond its rectangle, P=3',
    verdict: 'not-valid',
    make: annotated(
      3,
      '<< /Type /Annot /Subtype /Highlight /Rect [0 0 5 5] /F 4 /QuadPoints [0 842 595 842 0 0 595 0] /C [1 1 0] >>',
    ),
  },
  {
    name: 'black mark over the text, P=3',
    verdict: 'not-valid',
    make: annotated(
      3,
      '<< /Type /Annot /Subtype /Highlight /Rect [50 690 350 730] /F 4 /QuadPoints [50 730 350 730 50 690 350 690] /C [0 0 0] >>',
    ),
  },
  { name: 'movie, P=3', verdict: 'not-valid', make: annotated(3, annotation('Screen', '/A << /S /Rendition >>')) },
  {
    name: 'annotation of the signed page taken away',
    verdict: 'not-valid',
    make: kit => update(kit.sign(), { 3: page({ annotations: [14] }) }),
  },
  {
    name: 'annotations in another order',
    verdict: 'not-valid',
    make: kit => update(kit.sign(), { 3: page({ annotations: [14, 7] }) }),
  },
])

export const SNEAKY_SIGNATURE = of('sneaky signature', [
  { name: 'overlay signed by a stranger, P=1', verdict: 'not-valid', make: countersigned(1, 'stranger') },
  { name: 'overlay signed by a stranger, P=2', verdict: 'not-valid', make: countersigned(2, 'stranger') },
  { name: 'overlay signed by a stranger, P=3', verdict: 'not-valid', make: countersigned(3, 'stranger') },
  { name: 'overlay signed by a stranger, approval', verdict: 'not-valid', make: countersigned(undefined, 'stranger') },
  { name: 'overlay signed by a trusted signer, approval', verdict: 'not-valid', make: countersigned(undefined, 'self') },
  { name: 'overlay of a time-stamp by a stranger, approval', verdict: 'not-valid', make: stampedBy('stranger', undefined) },
  { name: 'overlay of a time-stamp by a stranger, P=3', verdict: 'not-valid', make: stampedBy('stranger', 3) },
  {
    name: 'overlay of a time-stamp with a transform',
    verdict: 'not-valid',
    make: stampedBy('stranger', undefined, '/Reference []'),
  },
  {
    name: 'overlay of a time-stamp by the trusted authority',
    verdict: 'not-valid',
    make: stampedBy('authority', undefined),
    note: 'An authority time-stamps what anybody sends, and says nothing of what it shows.',
  },
  {
    name: 'overlay of a time-stamp in a field that was there',
    verdict: 'not-valid',
    make: kit => {
      const field = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature16) /F 4 /Rect [50 690 350 730] /P 3 0 R >>`
      const both = { 1: catalog({ fields: [7, 14, FREE] }), 3: page({ annotations: [7, 14, FREE] }) }
      const signed = kit.sign(undefined, { changes: { ...both, [FREE]: field } })
      return kit.stamp(signed, { rect: '50 690 350 730', fieldMore: '/AP << /N 31 0 R >>', changes: { ...both, 31: OVERLAY } })
    },
  },
  { name: 'overlay with a signature of zeros, P=2', verdict: 'not-valid', make: countersigned(2, 'zeros') },
  {
    name: 'overlay and other content, trusted, P=2',
    verdict: 'not-valid',
    make: countersigned(2, 'self', { changes: ALSO_CHANGED }),
  },
  {
    name: 'overlay and other content, a stranger, P=2',
    verdict: 'not-valid',
    make: countersigned(2, 'stranger', { changes: ALSO_CHANGED }),
  },
  {
    name: 'field without a page, laid over all of one by a second signature',
    verdict: 'not-valid',
    make: kit => {
      const perms = kit.certifies === undefined ? '' : '/Perms << /DocMDP 15 0 R >>'
      const form = { 1: catalog({ fields: [7, 14, FREE], more: perms }) }
      const field = '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature16) /F 4 /Rect [0 0 595 842] /P 3 0 R >>'
      const signed = kit.sign(undefined, { changes: { ...form, [FREE]: field } })
      const look = { rect: '0 0 595 842', fieldMore: '/AP << /N 31 0 R >>' }
      return kit.sign(signed, { field: FREE, ...look, changes: { ...form, 31: formXObject('1 g 0 0 595 842 re f') } })
    },
  },
  { name: 'second certification', verdict: 'not-valid', make: countersigned(2, 'self', { certifies: 3 }) },
  { name: 'trusted signature over P=1', verdict: 'not-valid', make: countersigned(1, 'self') },
  {
    name: 'permission raised from 1 to 3',
    verdict: 'not-valid',
    make: kit =>
      annotated(1, FREE_TEXT, {
        15: '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /Reference [<< /TransformMethod /DocMDP /TransformParams << /P 3 /V /1.2 >> >>] >>',
      })(kit),
  },
  {
    name: "overlay signed by a stranger, its field in another's name",
    verdict: 'not-valid',
    make: countersigned(undefined, 'stranger', { name: 'Signature14' }),
  },
  {
    name: 'second signature that brings a script',
    verdict: 'not-valid',
    make: countersigned(undefined, 'self', { rect: '0 0 0 0', fieldMore: '/AA << /U << /S /JavaScript /JS (1) >> >>' }),
  },
  {
    name: 'second signature that fills a field',
    verdict: 'not-valid',
    make: countersigned(undefined, 'self', { rect: '0 0 0 0', fieldMore: '', changes: { 7: textField('Eve') } }),
  },
])

/** The form without the first signature. */
const UNCERTIFIED = {
  1: catalog({ fields: [7, FREE] }),
  14: '<< /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /P 3 0 R >>',
}

export const PERMISSIONS = of('permissions', [
  {
    name: '/Perms names a dictionary no field leads to',
    verdict: 'not-valid',
    make: kit =>
      kit.sign(undefined, {
        changes: {
          1: catalog({ more: '/Perms << /DocMDP 30 0 R >>' }),
          30: '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 1 2 3] /Contents <00> >>',
        },
      }),
  },
  {
    name: '/Perms removed from a certified file',
    verdict: 'not-valid',
    make: kit => update(kit.sign(undefined, { certifies: 1 }), { 1: catalog(), 3: page({ content: 11 }) }),
  },
  {
    name: '/Perms turned to another signature',
    verdict: 'not-valid',
    make: kit =>
      update(kit.sign(kit.sign(undefined, { certifies: 2 }), { field: FREE }), {
        1: catalog({ fields: [7, 14, FREE], more: '/Perms << /DocMDP 17 0 R >>' }),
      }),
  },
  {
    name: 'usage rights',
    verdict: 'not-valid',
    make: kit => update(kit.sign(), { 1: catalog({ more: '/Perms << /UR3 15 0 R >>' }) }),
  },
  {
    name: 'one dictionary, two fields',
    verdict: 'not-valid',
    make: kit =>
      kit.sign(undefined, {
        changes: { 1: catalog({ fields: [7, 14, 30] }), 30: '<< /FT /Sig /T (Twin) /V 15 0 R >>' },
      }),
  },
  {
    name: 'form says that nothing was signed',
    verdict: 'not-valid',
    make: kit => update(kit.sign(), { 1: catalog().replace('/SigFlags 3', '/SigFlags 0') }),
  },
  ...([1, 2, 3] as const).map(certifies => ({
    name: `certification with P=${certifies} taken out by a second signature`,
    verdict: 'not-valid' as const,
    make: (kit: Kit) => kit.sign(kit.sign(undefined, { certifies }), { field: FREE, changes: UNCERTIFIED }),
  })),
  {
    name: 'certification taken out by another certification',
    verdict: 'not-valid',
    make: kit =>
      kit.sign(kit.sign(undefined, { certifies: 1 }), {
        field: FREE,
        certifies: 3,
        changes: { ...UNCERTIFIED, 1: catalog({ fields: [7, FREE], more: '/Perms << /DocMDP 17 0 R >>' }), 4: FORGED_CONTENT },
      }),
  },
])
