/** Settings → Seal → Form, in English: PAdES or PKCS#7, and what the second costs. */
import type { SealSubFilter } from '../../../core/document/document.ts'

export const sealForm = {
  title: 'Form of the seal',
  back: 'Seal',
  lead: 'The sub-filter in each sealed file names its form. Files that are already sealed keep their form, and their time-stamps are renewed as before.',
  form: 'Form',
  change: 'Change the form',
  names: {
    'ETSI.CAdES.detached': 'PAdES (sub-filter ETSI.CAdES.detached)',
    'adbe.pkcs7.detached': 'PKCS#7 (sub-filter adbe.pkcs7.detached)',
  } satisfies Record<SealSubFilter, string> as Record<string, string>,
  hints: {
    'ETSI.CAdES.detached':
      'The European form, with the baseline levels B-B to B-LTA. Acrobat, validators of the EU and Signet verify it. Firefox cannot read it and says so with a red mark, of every product’s PAdES signatures.',
    'adbe.pkcs7.detached': 'The older form, which Firefox verifies too. It is not a PAdES baseline level.',
  } satisfies Record<SealSubFilter, string> as Record<string, string>,
  price: 'What PKCS#7 costs',
  lost: [
    'B-B is lost: the seal is not a PAdES baseline signature (ETSI EN 319 142-1). Whoever requires PAdES, such as an authority, can refuse the file.',
    'B-T is lost: the time-stamp is still in the seal and proves its time, but it makes no PAdES level.',
    'B-LT is lost: unless the level is chosen under Time-stamps, no validation data (DSS) follows the seal. A later check then needs the revocation lists of its own time.',
    'B-LTA is lost: unless the level is chosen under Time-stamps, no document time-stamp follows and none is renewed. When the certificate of the time-stamp has expired, the time can no longer be proven.',
  ],
  holds: 'What still holds',
  kept: [
    'The organisation’s signature over the whole file (CMS, RFC 5652), with the same certificate and algorithms.',
    'No change is permitted after it (DocMDP 1).',
    'The time-stamp in the signature, where an authority is set.',
    'Signet verifies every part of it as strictly as before. It says “no PAdES baseline signature” of the level.',
  ],
  firefox: 'What Firefox then shows',
  shown: [
    'Signature verified, if nothing follows the seal. With B-LT or B-LTA chosen under Time-stamps, or with a time-stamp that was added later, validation data and document time-stamps follow: Firefox then says that something could not be verified, or that the document was changed. So that no time-stamp is added later, let sealing wait for it (Time-stamps).',
    'Signed with a valid digital signature, in green, only for a certificate under one of the authorities that Firefox itself contains for PDF files. Of this organisation’s own root it says, in yellow, that the certificate is not trusted, also where the root is installed.',
  ],
  fixed: (variable: string) => `Set by \`${variable}\`; it cannot be changed here.`,
  reason: 'This changes the form of all seals from now on.',
  level: (level: string) => `the parts of ${level}, without a PAdES level`,
}
