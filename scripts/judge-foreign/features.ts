/**
 * What the verifier supports, each with the test of ours that shows it. `facts.ts` finds it in a
 * file, and `coverage.ts` names the files of other products that show it.
 */

export interface Feature {
  group: string
  what: string
  /** Our own test. */
  own: string
  /** Of the file, not of one of its signatures. */
  isOfFile?: true
}

const CMS = 'test/verify/foreign-cms.test.ts'
const FORMS = 'test/verify/foreign-forms.test.ts'
const TOKEN = 'test/verify/foreign-token.test.ts'
const LEVELS = 'test/verify/levels.test.ts'
const ALLOWED = 'test/verify/changes/allowed.test.ts'
const ENCRYPTED = 'test/verify/encrypted-file.test.ts'

const of = (group: string, own: string, rows: Readonly<Record<string, string>>, isOfFile?: true): Record<string, Feature> =>
  Object.fromEntries(
    Object.entries(rows).map(([id, what]) => [id, { group, what, own, ...(isOfFile === undefined ? {} : { isOfFile }) }]),
  )

export const FEATURES: Readonly<Record<string, Feature>> = {
  ...of('Sub-filter', CMS, {
    'filter:ETSI.CAdES.detached': 'ETSI.CAdES.detached',
    'filter:adbe.pkcs7.detached': 'adbe.pkcs7.detached',
    'filter:adbe.pkcs7.sha1': 'adbe.pkcs7.sha1',
    'filter:ETSI.RFC3161': 'ETSI.RFC3161',
  }),
  ...of('Digest', CMS, {
    'hash:sha256': 'SHA-256',
    'hash:sha384': 'SHA-384',
    'hash:sha512': 'SHA-512',
    'hash:sha3-256': 'SHA3-256',
    'hash:sha3-384': 'SHA3-384',
    'hash:sha3-512': 'SHA3-512',
    'hash:shake256': 'SHAKE256',
    'hash:sha1': 'SHA-1, verified and called weak',
    'hash:md5': 'MD5, verified and called weak',
  }),
  ...of('Digest', 'test/lib/primitives.test.ts', {
    'hash:sha512-256': 'SHA-512/256',
    'hash:sha224': 'SHA-224, verified and called weak',
  }),
  ...of('Signature algorithm', CMS, {
    'scheme:rsa': 'RSA, PKCS #1 v1.5',
    'scheme:rsa-pss': 'RSASSA-PSS',
    'scheme:ecdsa': 'ECDSA',
    'scheme:ecdsa-plain': 'ECDSA, plain (BSI TR-03111)',
    'scheme:ed25519': 'Ed25519',
    'scheme:ed448': 'Ed448',
  }),
  ...of('Key', CMS, {
    'key:rsa': 'RSA of 2048 bits or more',
    'key:rsa-short': 'RSA below 2048 bits, verified and called weak',
    'key:P-256': 'P-256',
    'key:P-384': 'P-384',
    'key:P-521': 'P-521',
    'key:brainpoolP256r1': 'brainpoolP256r1',
    'key:brainpoolP384r1': 'brainpoolP384r1',
    'key:brainpoolP512r1': 'brainpoolP512r1',
  }),
  ...of('CMS', CMS, {
    'cms:ber': 'BER, indefinite lengths',
    'cms:ski': 'the signer named by its key identifier',
    'cms:without-attributes': 'without signed attributes',
    'cms:1.2.840.113549.1.9.16.2.12': 'signing-certificate (v1)',
    'cms:1.2.840.113549.1.9.16.2.47': 'signing-certificate-v2',
  }),
  ...of('CMS', FORMS, {
    'cms:1.2.840.113549.1.9.5': 'signing-time',
    'cms:1.2.840.113549.1.9.52': 'CMS algorithm protection',
    'cms:1.2.840.113549.1.9.16.2.15': 'signature-policy-identifier, not evaluated',
    'cms:1.2.840.113549.1.9.16.2.16': 'commitment-type-indication, not evaluated',
    'cms:1.2.840.113549.1.9.16.2.17': 'signer-location, not evaluated',
    'cms:1.2.840.113549.1.9.16.2.20': 'content-time-stamp, not evaluated',
    'cms:0.4.0.19122.1.1': 'signer-attributes-v2, not evaluated',
    'cms:1.2.840.113583.1.1.8': 'adbe-revocationInfoArchival, not evaluated',
    'cms:lists': 'revocation data beside the certificates, not evaluated',
  }),
  ...of('Time-stamp', TOKEN, {
    'token:signature': 'of the signature value',
    'token:document': 'of the document',
    'token:rsa': 'by RSA',
    'token:rsa-pss': 'by RSASSA-PSS',
    'token:ecdsa': 'by ECDSA',
    'token:ed25519': 'by Ed25519',
    'token:sha256': 'over SHA-256',
    'token:sha384': 'over SHA-384',
    'token:sha512': 'over SHA-512',
    'token:sha1': 'over SHA-1',
  }),
  ...of('Time-stamp', LEVELS, { 'token:several': 'of the document, several after one another' }, true),
  ...of('Level', LEVELS, { 'level:B-B': 'B-B', 'level:B-T': 'B-T', 'level:B-LT': 'B-LT', 'level:B-LTA': 'B-LTA' }),
  ...of(
    'Validation data',
    LEVELS,
    {
      'dss:Certs': 'DSS with certificates',
      'dss:OCSPs': 'DSS with OCSP responses',
      'dss:CRLs': 'DSS with revocation lists',
      'dss:VRI': 'DSS with /VRI',
    },
    true,
  ),
  ...of('Permissions', ALLOWED, {
    'mdp:1': 'DocMDP 1',
    'mdp:2': 'DocMDP 2',
    'mdp:3': 'DocMDP 3',
    'mdp:fields': 'FieldMDP',
    'mdp:lock': '/Lock with /P',
  }),
  ...of('Permissions', 'test/verify/usage-rights.test.ts', { 'mdp:ur3': 'usage rights (UR3)' }, true),
  ...of(
    'After a signature',
    ALLOWED,
    {
      'later:signature': 'a further visible signature',
      'later:field': 'fields filled in',
      'later:comment': 'comments',
      'later:property': 'document properties',
      'later:addition': 'what shows nothing',
    },
    true,
  ),
  ...of('After a signature', 'test/verify/several-signatures.test.ts', { 'later:several': 'several signatures' }, true),
  ...of(
    'File',
    'test/pdf/parser/file.test.ts',
    {
      'file:table': 'cross-reference table',
      'file:stream': 'cross-reference stream',
      'file:hybrid': 'hybrid cross-references',
      'file:objects': 'object streams',
      'file:update': 'incremental updates before the signature',
    },
    true,
  ),
  ...of('File', 'test/pades/augment.test.ts', { 'file:2.0': 'PDF 2.0' }, true),
  ...of(
    'Encryption',
    ENCRYPTED,
    {
      'crypt:2': 'revision 2',
      'crypt:3': 'revision 3',
      'crypt:4': 'revision 4',
      'crypt:5': 'revision 5',
      'crypt:6': 'revision 6',
    },
    true,
  ),
}
