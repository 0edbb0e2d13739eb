/** Harmless changes and oddities, with which a file of another product stays valid. */
import { accepted, catalog, document, FREE, type Kit, streamOf, swap, update, XMP } from './document.ts'

const SHOWN_ALIKE =
  'Every reader that was asked shows the same: it looks for the end of the stream, and takes what the table names.'
const UNSIGNED = 'It is where no signature can reach, and no reader shows it.'

const signed =
  (objects: Readonly<Record<number, string>>) =>
  (kit: Kit): Uint8Array =>
    kit.sign(document(objects))

export const HARMLESS = accepted('harmless change', {
  'digits behind the CMS': { note: UNSIGNED, make: kit => swap(kit.sign(), /0{40}>/, `${'41'.repeat(20)}>`) },
  'unknown entry of the DSS': kit =>
    update(kit.sign(), { 1: catalog({ more: '/DSS 30 0 R' }), 30: '<< /Type /DSS /Certs [] /Unknown (x) >>' }),
  'XMP with another entry of the name title': {
    note: 'The entry is in no namespace, so it is not the title of the document. The report names the change.',
    make: kit => update(kit.sign(), { 8: XMP('Receipt') }),
  },
  'stream longer than its /Length': {
    note: SHOWN_ALIKE,
    make: signed({ 4: streamOf('BT /F1 24 Tf 50 700 Td (Pay 100 EUR) Tj ET').replace(/\/Length \d+/, '/Length 3') }),
  },
  'stream with two lengths': {
    note: SHOWN_ALIKE,
    make: signed({ 4: streamOf('BT /F1 24 Tf 50 700 Td (Pay 100 EUR) Tj ET', '/Length 3') }),
  },
  'trailer without a size': { note: SHOWN_ALIKE, make: kit => kit.sign(undefined, { options: { size: 1 } }) },
  "second signature that takes the first one's field": {
    note: 'Who signs last signs that the first signature is gone; readers list one signature, and so does the report.',
    make: kit =>
      kit.sign(kit.sign(), {
        field: FREE,
        changes: { 1: catalog({ fields: [7, FREE] }), 14: '<< /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /P 3 0 R >>' },
      }),
  },
})
