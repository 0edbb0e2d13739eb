/** Reasons why our verdict differs from EU DSS or pyHanko. Without one, the comparison fails. */

/** Part of a file's name → reason: both others accept bytes and form, and it is not valid here. */
export const NOT_VALID_HERE: Readonly<Record<string, string>> = {
  '51sigs.pdf': 'Trust: its authorities have no basicConstraints, so they must not issue certificates (RFC 5280 §4.2.1.9).',
  'Signature-P-FR_CS-5.pdf': 'Trust: its intermediate certificate is not among /Certs of the newest security store.',
  'dss-2236/replace.pdf': 'Manipulated: a shadow attack. A field shows another appearance than was signed.',
  'pades-two-sig-copied-tst.pdf': 'Manipulated: the time-stamp token of one signature was copied into the other.',
  'self-issued-qesig.pdf': 'Trust: the certificate of a person, who is no authority, issued that of the signer.',
  'pyhanko-tests/extensions-': 'Trust: the certificate of the signer had expired at the claimed time of signing.',
  'pyhanko-tests/form-update-': 'Trust: the certificate of the signer had expired at the claimed time of signing.',
  'signature-referenced-from-multiple-fields.pdf': 'Two fields name one signature dictionary: readers list one signature or two.',
}

/** Part of a file's name → reason: it is valid here, and one of the two refuses it. */
export const VALID_HERE: Readonly<Record<string, string>> = {
  'Signature-P-HU_POL-7.pdf': 'pyHanko: an entry of /VRI is another one. The store proves nothing against the signature.',
  'dss-1959/pades-tst-with-orphan-refs.pdf': 'The same file as Signature-P-HU_POL-7.',
  'adbe_crl_signed.pdf': 'pyHanko: /VRI has a /Type, which ISO 32000-2 §12.8.4.4 allows.',
  'dss-818/Signature-P-IT_ADO-1 (HASH_FAILURE) (ECDSA).pdf':
    'EU DSS verifies the signed attributes in DER order; they were signed in the order of the file. Each of them is the signed one.',
  'pdf-structtreeroot-changes.pdf':
    'pyHanko takes no change of the structure tree; the update adds the element of a new signature field.',
  'PLAIN-ECDSA': 'pyHanko reads no plain ECDSA (BSI TR-03111).',
  'plain-ecdsa': 'pyHanko reads no plain ECDSA (BSI TR-03111).',
  'Signature-P-LT-ef971596': 'pyHanko stops at a reference to an object that is not there (§7.3.10: null).',
  'pades-lt-extended-dss.pdf': 'pyHanko stops at a reference to an object that is not there (§7.3.10: null).',
  'pades-ltv': 'pyHanko stops at a reference to an object that is not there (§7.3.10: null).',
  'pades-ocsp-archiveCutOff-invalid.pdf':
    'pyHanko takes the signed bytes for a part of a revision; they end with %%EOF, and an update follows.',
  'pades-same-border-annotations.pdf': 'pyHanko reads no field whose name has a period.',
  'dss/level-': 'pyHanko: the update takes an object number that the signed revision counts as used.',
  'dss/several-': 'pyHanko: the update brings an object whose use it does not know.',
}

export function reasonFor(name: string, reasons: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(reasons).find(([part]) => name.includes(part))?.[1]
}
