/** What is said of a PDF that was verified or not read, in English. It types the parameters. */
import { counted } from '../../lib/counted.ts'
import type { Said } from '../remarks.ts'
import { deviceKeyRemarks } from './device-key-remarks.ts'
import { packRemarks } from './pack-remarks.ts'
import { statementRemarks } from './statement-remarks.ts'

interface Named {
  name: string
}
interface Numbered {
  number: number
}
interface Keyed {
  key: string
}
interface Because {
  why: Said
}
/** In the words of a reader of DER. */
interface Caused {
  cause: string
}

export type DssKind = 'certificate' | 'OCSP response' | 'revocation list'
export type PictureKind = 'text' | 'path' | 'image' | 'shading' | 'pattern' | 'annotation'

const PRINT_AGAIN = 'print the PDF to a new PDF and upload that one.'
const UNVERIFIED = 'which are not verified.'
const UNKNOWN_SIGNER = 'which no known certificate has signed.'
const MAY_REPLACE = 'which can hide or replace content'
const signing = (isProven: boolean): string => `the ${isProven ? 'time-stamped' : 'claimed'} time of signing`
const revoked = ({ name, since }: { name: string; since: string }): string => `The certificate ${name} was revoked on ${since}`
const expired = ({ name, at }: { name: string; at: string }): string => `The certificate ${name} expired on ${at}`

export const remarks = {
  ...packRemarks,
  ...statementRemarks,
  ...deviceKeyRemarks,
  // Why a file is not a PDF that can be read; clauses.
  no_such_file: () => 'there is no such file',
  file_too_large: ({ max }: { max: number }) => `it is larger than ${max} bytes`,
  header_missing: () => 'it does not begin with “%PDF-”, as every PDF does',
  catalog_missing: () => 'it has no catalog',
  file_without_catalog: () => 'the file has no catalog',
  pages_missing: () => 'the catalog has no pages',
  page_tree_missing: () => 'the catalog has no page tree',
  page_tree_too_deep: ({ max }: { max: number }) => `the page tree is more than ${max} deep`,
  page_tree_too_large: () => 'the page tree has too many nodes',
  page_node_invalid: () => 'a node of the page tree has invalid /Kids',
  page_twice: () => 'a page is in the page tree twice',
  page_direct: () => 'a page is not an indirect object',
  page_not_a_dictionary: () => 'a page is not a dictionary',
  too_many_pages: ({ count }: { count: number }) => `the document has ${count} pages`,
  document_without_page: () => 'the document has no page',
  trailer_missing: () => 'the trailer is missing',
  too_many_objects: () => 'the file has too many objects',
  too_many_revisions: () => 'the file has too many revisions',
  more_revisions_than: ({ max }: { max: number }) => `the file has more than ${max} revisions`,
  too_many_form_fields: () => 'the form has too many fields',
  too_many_tree_entries: () => 'a name or number tree has too many entries',
  form_field_not_a_dictionary: () => 'a form field is not a dictionary',
  form_field_direct: () => 'a form field with actions is not an indirect object',
  startxref_invalid: () => 'the file has no valid startxref',
  startxref_without_offset: () => 'its startxref has no offset',
  revision_without_mark: () => 'a revision does not end with %%EOF',
  revision_unreached: ({ end }: { end: number }) => `no /Prev reaches the revision that ends at byte ${end}`,
  not_a_revision: () => 'it is not a revision',
  revisions_inseparable: () => 'the revisions after them cannot be separated',
  cross_reference_missing: () => 'the file has no cross-reference',
  cross_reference_misplaced: () => 'there is no cross-reference at the offset that the file names',
  cross_reference_damaged: () => 'the cross-reference table is damaged',
  cross_reference_loop: () => 'the sections of the cross-reference form a loop',
  prev_beyond_end: () => 'a /Prev points beyond the end of the file',
  xref_stream_misplaced: () => '/XRefStm is not an offset',
  xref_number_too_large: () => 'a cross-reference stream has a number that is too large',
  xref_widths_invalid: () => 'a cross-reference stream has no valid /W',
  xref_too_short: () => 'a cross-reference stream is shorter than its /Index says',
  object_stream_filter: () => 'a cross-reference or object stream has a filter other than /FlateDecode',
  object_stream_predictor: () => 'a cross-reference or object stream has an unknown predictor',
  object_stream_without: ({ key }: Keyed) => `an object stream has no valid /${key}`,
  object_stream_with_twice: ({ number }: Numbered) => `an object stream has object ${number} twice`,
  object_stream_index_cut_off: () => 'the index of an object stream is cut off',
  object_stream_index_truncated: () => 'the index of an object stream is truncated',
  object_stream_elsewhere: ({ number }: Numbered) => `object stream ${number} is not in the file itself`,
  object_stream_of_itself: ({ number }: Numbered) => `object stream ${number} refers to itself`,
  object_stream_nested: ({ number }: Numbered) => `object stream ${number} is itself in an object stream or missing`,
  not_an_object_stream: ({ number }: Numbered) => `object ${number} is not an object stream`,
  object_misplaced: ({ number }: Numbered) => `the cross-reference does not lead to object ${number}`,
  object_endless: ({ number }: Numbered) => `object ${number} has no end`,
  object_not_a_dictionary: ({ number }: Numbered) => `object ${number} is not a dictionary`,
  object_twice: ({ number }: Numbered) => `it contains object ${number} twice`,
  object_written_twice: ({ number }: Numbered) => `object ${number} would be written twice`,
  objects_too_deep: ({ max }: { max: number }) => `objects are nested more than ${max} deep`,
  object_cut_off: () => 'the file ends inside an object',
  not_an_object: () => 'it contains something that is not an object',
  not_an_object_text: ({ text }: { text: string }) => `"${text}" is not a PDF object`,
  not_a_dictionary: () => 'an object that must be a dictionary is not one',
  not_a_stream: () => 'an object that must be a stream is not one',
  reference_loop: () => 'references form a loop',
  dictionary_key_twice: () => 'a dictionary has a duplicate key',
  dictionary_key_not_a_name: () => 'a dictionary has a key that is not a name',
  string_endless: () => 'a string has no end',
  hex_string_endless: () => 'a hexadecimal string has no end',
  hex_string_invalid: () => 'a hexadecimal string has a character that is not a hexadecimal digit',
  stream_endless: () => 'a stream has no end',
  stream_of_other_length: () => 'a stream does not end where its /Length says',
  stream_predictor: () => 'a stream has an unknown predictor',
  stream_damaged: () => 'a compressed stream is damaged',
  stream_too_large: () => 'a compressed stream is too large',
  password_needed: () => 'it needs a password',
  encrypted: () => 'it is encrypted with a password',
  encryption_unsupported: ({ what }: { what: Said }) => `it is encrypted in a way that is not supported (${what})`,
  crypt_filter: ({ name }: Named) => `crypt filter ${name}`,
  key_of_bits: ({ bits }: { bits: number }) => `a key of ${bits} bits`,
  security_handler: () => 'not the standard security handler',
  encryption_version: ({ version, revision }: { version: number; revision: number }) =>
    `version ${version}, revision ${revision}`,
  cipher_of_other_version: () => 'a cipher of another version',
  encryption_without: ({ key }: Keyed) => `its encryption has no valid /${key}`,
  encryption_not_a_dictionary: () => 'its /Encrypt is not an encryption dictionary',
  encryption_lost: () => 'its encryption dictionary is lost',
  cipher_block_incomplete: () => 'encrypted data have an incomplete block',
  cipher_padding_invalid: () => 'encrypted data have invalid padding',
  dss_entry_not_a_stream: () => 'the /DSS has an entry that is not a stream',
  signature_without_contents: ({ name }: Named) => `the signature "${name}" has no /Contents`,
  seal_missing: () => 'it has no seal after the original',
  // Why the process that reads files gave no answer; clauses.
  reader_cpu: () => 'it takes too long to read',
  reader_memory: () => 'it needs too much memory',
  reader_crash: () => 'reading it ended the reader',
  reader_wall: () => 'the machine is too busy to read it',
  reader_killed: () => 'the reader was ended from outside',
  reader_start: () => 'the reader could not be started',
  reader_recalled: () => 'others waited for the reader',
  // What is beyond the limits of a PDF.
  page_content_too_large: () => `The content of a page is too large to process; ${PRINT_AGAIN}`,
  page_content_compressed_often: () => `The content of a page is compressed too many times; ${PRINT_AGAIN}`,
  image_too_large: ({ width, height }: { width: number; height: number }) =>
    `An image of this PDF has ${width} × ${height} pixels, too many for PDF readers; make it smaller and upload the PDF again.`,
  more_updates_than: ({ max }: { max: number }) => `More than ${max} revisions follow the signature, more than are checked.`,
  check_too_long: ({ seconds }: { seconds: number }) =>
    `The check of the changes after the signature takes more than ${seconds} s of processor time.`,

  // The file as a whole.
  file_unreadable: ({ why }: Because) => `The file cannot be read: ${why}.`,
  file_cut_off: () => 'The file ends before the end of the signed bytes.',
  no_signature: () => 'The file holds no signature.',
  original_missing: () => 'The file does not begin with the document that was sent.',
  document_changed: () => 'The document was changed after it was signed: its digest is not the signed one.',
  later_bytes_unreadable: ({ bytes }: { bytes: number }) => `${bytes} bytes follow the signed revision and cannot be read.`,
  later_bytes: ({ bytes }: { bytes: number }) =>
    `${bytes} bytes follow the signed revision; what they change is not covered by this signature.`,
  certification_removed: () => 'The document was changed: a certification (DocMDP) was removed from the form.',
  hidden_signature: () => 'The bytes of the file contain a signature that its form does not refer to.',
  stray_signature: ({ number }: Numbered) =>
    `Object ${number} is a signature dictionary that no signature field of the form refers to.`,
  stray_permission: () => '/Perms /DocMDP of the catalog names a signature that no signature field refers to.',
  shared_signature: () => 'Two signature fields have the same signature dictionary as their value.',
  object_unreadable: ({ number }: Numbered) => `Object ${number} of a signed revision or of the newest one cannot be read.`,
  active_content: ({ kinds }: { kinds: string[] }) =>
    `The document contains active content (${kinds.join(', ')}), which no file sealed by Signet has.`,
  own_pages_unreadable: ({ why }: Because) => `The pages cannot be read, unlike those of a file sealed by Signet: ${why}.`,
  pages_unreadable: ({ why }: Because) => `The pages cannot be read as PDF readers show them: ${why}.`,
  file_without_page: () => 'The file has no page; PDF readers that repair it may find some.',
  page_of_other_type: ({ page, type }: { page: number; type: string }) => `Page ${page} has the /Type /${type}.`,
  catalog_key_twice: ({ key }: Keyed) => `The catalog has the key /${key} twice.`,
  form_key_twice: ({ key }: Keyed) => `The AcroForm has the key /${key} twice.`,
  key_twice: ({ owner, key }: { owner: Said; key: string }) => `A dictionary of ${owner} has the key /${key} twice.`,
  entry_of_catalog: ({ key }: Keyed) => `the catalog's /${key}`,
  object_number: ({ number }: Numbered) => `object ${number}`,
  shown_object_unreadable: ({ number, why }: { number: number; why: Said }) =>
    `The pages or the form refer to object ${number}, which cannot be read: ${why}.`,
  hidden_revision: ({ end }: { end: number }) =>
    `No /Prev leads to the revision that ends at byte ${end}: PDF readers that repair the file may show it.`,
  hidden_revision_with_pages: ({ count, end }: { count: number; end: number }) =>
    `No /Prev leads to the revision with ${counted(count, 'page')} that ends at byte ${end}: PDF readers that repair the file may show it.`,
  hybrid_ambiguous: () => 'The hybrid cross-reference (ISO 32000-2 §7.5.8.4) shows different objects to different readers.',
  prev_without_section: ({ isZero }: { isZero: boolean }) =>
    `A trailer has ${isZero ? '/Prev 0' : 'a /Prev that is not an offset'}, where no cross-reference is: readers that search the file show other objects.`,
  trailer_key_twice: () => 'A trailer has a duplicate key.',
  object_at_two_places: ({ number }: Numbered) =>
    `The cross-reference gives object ${number} two locations: readers differ on which they show.`,
  dss_object_invalid: ({ kind, cause }: { kind: DssKind; cause: string }) =>
    `The /DSS contains an object that is not a valid ${kind}: ${cause}.`,
  dss_objects_unreadable: ({ count }: { count: number }) => `The /DSS refers to ${count} objects that cannot be read.`,
  dss_response_unauthorised: ({ at }: { at: string }) =>
    `The /DSS contains an OCSP response of ${at} by no authorised responder.`,
  dss_response_certificate: ({ name }: Named) =>
    `An OCSP response in the /DSS contains the certificate ${name}, ${UNKNOWN_SIGNER}`,
  dss_certificate: ({ name }: Named) => `The /DSS contains the certificate ${name}, ${UNKNOWN_SIGNER}`,
  dss_list: ({ name }: Named) => `The /DSS contains a revocation list of ${name}, ${UNKNOWN_SIGNER}`,

  // A signature dictionary.
  byte_range_missing: () => '/ByteRange is missing.',
  byte_range_indirect: () => '/ByteRange is not a direct array.',
  byte_range_not_four: () => '/ByteRange is not an array of four integers.',
  byte_range_not_integer: () => '/ByteRange has a value that is not an integer.',
  byte_range_negative: () => '/ByteRange has a negative number.',
  byte_range_beyond_end: () => '/ByteRange points beyond the end of the file.',
  byte_range_late: () => '/ByteRange does not begin at the first byte of the file.',
  byte_range_without_beginning: () => '/ByteRange omits the beginning of the file.',
  byte_range_overlapping: () => 'the two ranges of /ByteRange overlap.',
  contents_missing: () => '/Contents is missing.',
  contents_indirect: () => '/Contents is not a direct hexadecimal string.',
  contents_elsewhere: () => 'The bytes that /ByteRange leaves out are not exactly the /Contents of its signature dictionary.',
  contents_not_hexadecimal: () => '/Contents holds something other than hexadecimal digits.',
  contents_of_both_cases: () => '/Contents mixes upper-case and lower-case digits: it was changed after it was written.',
  contents_not_lower_case: () => '/Contents is not written in lower-case digits, unlike in seals by Signet.',
  signature_unreadable: ({ why }: Because) => `The signature dictionary cannot be read: ${why}.`,
  signature_key_twice: ({ key }: Keyed) => `The signature dictionary has the key /${key} twice.`,
  signature_of_other_type: ({ type }: { type: string }) => `The /Type of the signature dictionary is not /${type}.`,
  signature_type_unsupported: ({ name }: Named) => `The signature type ${name} is not supported.`,
  signature_type_of_sha1: ({ name }: Named) =>
    `The signature type ${name} is not supported: it signs with SHA-1, for which collisions can be made (ISO 32000-2 §12.8.3.2).`,
  signed_end_elsewhere: () => 'The signed bytes do not end at the end of a revision (%%EOF).',
  signature_not_in_form: () => 'The form of the signed revision does not contain this signature.',
  signed_bytes_unreadable: ({ why }: Because) => `The signed bytes by themselves are not a PDF: ${why}.`,
  claimed_time_missing: () => 'The signature claims no time (/M), unlike seals by Signet.',

  // The CMS of a signature.
  cms_invalid: ({ cause }: Caused) => `The CMS is invalid: ${cause}.`,
  cms_with_content: () => 'The CMS contains content of its own (eContent), but the document must be the content.',
  cms_without_digest: () => 'The CMS does not contain the SHA-1 digest of the document, which adbe.pkcs7.sha1 requires.',
  cms_not_der: () => 'The CMS is not encoded in DER, unlike in seals by Signet.',
  cms_trailing_bytes: () => 'Something other than zeros follows the CMS in /Contents.',
  cms_version_not_one: () => 'The version of SignedData or SignerInfo is not 1 (RFC 5652 §5.1).',
  cms_version_other: () => 'The version of SignedData or SignerInfo is not the one that RFC 5652 §5.1 and §5.3 require.',
  cms_digest_algorithms: () => 'digestAlgorithms of the SignedData does not contain exactly the digest algorithm of its signer.',
  cms_algorithms_differ: () => 'The algorithms differ from those of the signature (CMSAlgorithmProtection).',
  cms_algorithm_identifier: () =>
    'The signature algorithm has a different identifier from that of seals by Signet (RFC 3370 §3.2).',
  cms_unsigned_attributes: () => `The CMS has unsigned attributes, ${UNVERIFIED}`,
  cms_several_timestamps: () => 'The CMS has more than one time-stamp of its signature.',
  cms_revocation_lists: () => `The CMS contains revocation lists, ${UNVERIFIED}`,
  cms_certificate_unreadable: ({ cause }: Caused) => `A certificate in the CMS cannot be read: ${cause}.`,
  cms_without_own_certificate: () =>
    'The CMS lacks the certificate of its signer, which EN 319 142-1 §6.3 requires: whoever does not have it cannot verify the signature.',
  cms_without_issuer: ({ name }: Named) =>
    `The CMS lacks the certificate of the issuer ${name}: whoever does not have it cannot verify the signature.`,
  cms_certificate_aside: ({ name }: Named) => `The CMS holds a certificate that is not part of the verified path (${name}).`,
  changed_sha1_digest: () => 'The document was changed after it was signed: its SHA-1 digest is not the signed one.',
  changed_message_digest: () =>
    'The document was changed after it was signed: its digest is not the signed one (message-digest).',
  attribute_missing: ({ name }: Named) => `The signed attribute ${name} is missing.`,
  content_type_other: () => 'The signed attribute content-type is not id-data.',
  signing_certificate_other: () => 'The signed attribute signing-certificate names a different certificate from the one used.',
  signing_time_beside_m: () =>
    'The signed attribute signing-time is present in addition to /M, which EN 319 142-1 does not allow.',
  attributes_unsorted: () => 'The signed attributes are not in DER order (X.690 §11.6).',
  attributes_missing: () => 'There are no signed attributes, which PAdES requires.',
  signer_certificate_missing: ({ unreadable }: { unreadable: Said[] }) =>
    ['The certificate of the signer is neither in the CMS nor among the known certificates.', ...unreadable].join(' '),
  signature_unchecked: ({ why }: Because) => `The signature cannot be checked: ${why}.`,
  signature_wrong: () => 'The signature does not verify with the key of its certificate.',
  signature_refused: ({ why }: Because) => `The signature is not accepted: ${why}.`,
  signature_over_sha1: ({ why }: Because) => `The signature covers the SHA-1 digest of the document (adbe.pkcs7.sha1): ${why}.`,
  signer_key_refused: ({ why }: Because) => `The key of the signer is not accepted: ${why}.`,
  timestamp_of_signature: ({ why }: Because) => `Time-stamp of the signature: ${why}`,
  timestamp_of_signature_void: ({ why }: Because) => `The time-stamp of the signature does not count. ${why}`,

  // Algorithms and keys; the weak ones in clauses.
  digest_unsupported: ({ name }: Named) => `The digest algorithm is not supported (${name}).`,
  digest_parameters: ({ name }: Named) => `The digest algorithm has parameters that are not supported (${name}).`,
  algorithm_unsupported: ({ name }: Named) => `The signature algorithm is not supported (${name}).`,
  algorithm_parameters: ({ name }: Named) => `The signature algorithm has parameters that are not supported (${name}).`,
  mask_unsupported: () => 'The mask generation function of RSASSA-PSS is not MGF1, which alone is supported.',
  trailer_field_unsupported: () => 'The trailer field of RSASSA-PSS is not 1, which alone is supported.',
  hash_weak: ({ name }: Named) => `${name} is too weak: another document can be made to match it`,
  rsa_too_short: ({ bits }: { bits: number }) => `RSA of ${bits} bits is too short`,
  key_unsupported: ({ name }: Named) => `a key of this kind is not supported (${name})`,

  // The path of a certificate.
  signer_unknown: ({ name }: Named) => `The signer is not known: no path leads from ${name} to a trusted certificate.`,
  not_yet_valid: ({ name, isProven }: { name: string; isProven: boolean }) =>
    `The certificate ${name} was not yet valid at ${signing(isProven)}.`,
  had_expired: ({ name, isProven }: { name: string; isProven: boolean }) =>
    `The certificate ${name} had expired at ${signing(isProven)}.`,
  expired: (params: { name: string; at: string }) =>
    `${expired(params)}, and no trusted time-stamp shows that the signature was made before.`,
  issuer_no_authority: ({ name }: Named) =>
    `The certificate ${name} issued another one, but is no certification authority (basicConstraints).`,
  issuer_key_usage: ({ name }: Named) => `The key usage of ${name} does not allow signing certificates (keyCertSign).`,
  path_too_long: ({ name }: Named) => `The path below ${name} is longer than it allows.`,
  name_forbidden: ({ name, authority, forbidden }: { name: string; authority: string; forbidden: string }) =>
    `The certificate ${name} has a name that ${authority} may not certify (${forbidden}, nameConstraints).`,
  policies_missing: () => 'The path does not have the certificate policies that it requires.',
  constraint_unreadable: ({ cause }: Caused) => `A constraint of the path cannot be read: ${cause}.`,
  signer_key_usage: () => 'The key usage of the signing certificate allows neither digitalSignature nor nonRepudiation.',
  signer_purpose: () => 'The extended key usage of the signing certificate does not allow signing documents.',
  extension_unknown: ({ name, id }: { name: string; id: string }) =>
    `The certificate ${name} has a critical extension that is not understood (${id}).`,
  key_refused: ({ name, why }: { name: string; why: Said }) => `The key of ${name} is not accepted: ${why}.`,
  self_issued_unsigned: ({ name }: Named) => `The self-issued certificate ${name} is not signed by its own key.`,
  revoked: (params: { name: string; since: string }) =>
    `${revoked(params)}, and no trusted time-stamp shows that the signature was made before.`,
  revoked_before: ({ name, since, at }: { name: string; since: string; at: string }) =>
    `${revoked({ name, since })}, before the time-stamped time of the signature, ${at}.`,
  revoked_after: ({ name, since, at }: { name: string; since: string; at: string }) =>
    `${revoked({ name, since })}, after the time-stamped time of the signature, ${at}.`,

  // A time-stamp.
  token_invalid: ({ cause }: Caused) => `The token is invalid: ${cause}.`,
  token_refused: ({ cause }: Caused) => `The token is refused: ${cause}.`,
  token_unchecked: ({ why }: Because) => `The token cannot be checked: ${why}.`,
  token_not_accepted: ({ why }: Because) => `The token is not accepted: ${why}.`,
  token_content_type: () => 'The signed attribute content-type of the token is not id-ct-TSTInfo.',
  token_content_unsigned: () => 'The token does not sign its TSTInfo (message-digest).',
  token_names_other: () => 'The token names another certificate than the one of its authority (signing-certificate).',
  token_names_none: () => 'The token does not name the certificate of its authority (signing-certificate).',
  token_without_attributes: () => 'The token has no signed attributes.',
  token_signature_wrong: () => 'The signature of the token does not verify with the key of its authority.',
  token_of_other_bytes: () => 'The token is for other bytes (messageImprint).',
  token_imprint_refused: ({ why }: Because) => `The imprint of the token is not accepted: ${why}.`,
  token_certificate_invalid: ({ name, at }: { name: string; at: string }) =>
    `The certificate ${name} was not valid at the time of the token, ${at}.`,
  token_not_der: () => 'The token is not encoded in DER.',
  token_digest_algorithms: () => 'digestAlgorithms of the token does not contain exactly the digest algorithm of its signer.',
  token_version: () => 'The token has a wrong version of SignedData or SignerInfo (RFC 5652 §5.1).',
  token_unsigned_attributes: () => `The token has unsigned attributes, ${UNVERIFIED}`,
  token_revocation_lists: () => `The token contains revocation lists, ${UNVERIFIED}`,
  token_certificate_unreadable: ({ cause }: Caused) => `A certificate in the token cannot be read: ${cause}.`,
  token_certificate: ({ name }: Named) => `The token contains the certificate ${name}, ${UNKNOWN_SIGNER}`,
  authority_certificate_missing: () => 'The certificate of the time-stamp authority is missing.',
  authority_untrusted: ({ name }: Named) =>
    `The time-stamp authority is not trusted: no path leads from ${name} to a trusted certificate.`,
  authority_purpose: () =>
    'The extended key usage of the time-stamp authority is not timeStamping alone and critical (RFC 3161 §2.3).',
  authority_key_usage: () => 'The key usage of the time-stamp authority allows neither digitalSignature nor nonRepudiation.',
  authority_revoked: (params: { name: string; since: string }) =>
    `${revoked(params)} without a reason: no time-stamp by it proves anything (RFC 3161 §4).`,
  authority_compromised: (params: { name: string; since: string }) =>
    `${revoked(params)} because its key was compromised: no time-stamp by it proves anything (RFC 3161 §4).`,
  authority_revoked_before: ({ name, since, at }: { name: string; since: string; at: string }) =>
    `${revoked({ name, since })}, before the time of its token, ${at}.`,
  authority_expired: (params: { name: string; at: string }) =>
    `${expired(params)}, and no later time-stamp still shows that this one was made before.`,
  timestamp_ahead: ({ at, minutes }: { at: string; minutes: number }) =>
    `The time-stamp is dated ${at}, more than ${minutes} minutes in the future: it proves no time.`,

  // The level of a signature.
  level_without_pades: ({ subFilter, level }: { subFilter: string; level: string }) =>
    `Its sub-filter is ${subFilter}, so it has no PAdES baseline level. Its parts are those of ${level}.`,
  level_lapsed: ({ level, until }: { level: string; until: string }) => `The level ${level} could be proven until ${until}.`,
  timestamp_void: ({ at, why }: { at: string; why: Said[] }) => [`The time-stamp of ${at} does not count.`, ...why].join(' '),
  document_timestamp_void: ({ at, why }: { at: string; why: Said[] }) =>
    [`The document time-stamp of ${at} does not count.`, ...why].join(' '),
  dss_incomplete: ({ missing }: { missing: Said[] }) =>
    `The validation data (DSS) is incomplete. Missing: ${missing.join('; ')}.`,
  lacks_certificate: () => 'its certificate',
  lacks_everything: () => 'everything: there is no /DSS',
  lacks_issuer: ({ name }: Named) => `the certificate of the issuer of ${name}`,
  lacks_revocation_proof: ({ name }: Named) => `a proof that ${name} was not revoked`,

  // Changes after a signature: sentences around clauses and predicates.
  changed_in_revision: ({ revision, clause }: { revision: number; clause: Said }) =>
    `Changed after signing in revision ${revision}: ${clause}.`,
  changed_later: ({ clause }: { clause: Said }) => `Changed after signing: ${clause}.`,
  more_changes: ({ count }: { count: number }) => `And ${count} more changes after signing.`,
  revision_added: ({ revision, addition }: { revision: number; addition: Said }) => `Revision ${revision} ${addition}.`,
  update_invalid: ({ why }: Because) => `The part after the signed revision is not a valid update: ${why}.`,
  blank_tail: () => 'white space follows the last one',
  not_allowed_by_signature: ({ clause }: { clause: Said }) => `${clause}, which an earlier signature does not allow`,
  // Objects.
  labelled: ({ label, number }: { label: Said; number: number }) => `${label} (object ${number})`,
  label_catalog: () => 'the catalog',
  label_information: () => 'the document information',
  label_page_tree: () => 'the page tree',
  label_form: () => 'the form (AcroForm)',
  label_entry: ({ key }: Keyed) => `/${key} of the catalog`,
  label_field: ({ name }: Named) => `the form field "${name}"`,
  label_field_value: ({ name }: Named) => `the value of the form field "${name}"`,
  label_page: ({ page }: { page: number }) => `page ${page}`,
  label_annotations: ({ page }: { page: number }) => `the annotations of page ${page}`,
  label_annotation: ({ page }: { page: number }) => `an annotation of page ${page}`,
  label_appearance: ({ page }: { page: number }) => `the appearance of an annotation of page ${page}`,
  label_content: ({ page }: { page: number }) => `the content of page ${page}`,
  label_resources: ({ page }: { page: number }) => `the resources of page ${page}`,
  label_drawn: ({ page }: { page: number }) => `something drawn on page ${page}`,
  object_removed: ({ object }: { object: Said }) => `${object} was removed`,
  object_added: ({ object }: { object: Said }) => `${object} was added`,
  object_added_again: ({ object }: { object: Said }) => `${object} was added with the number of a removed object`,
  object_added_to_reference: ({ number }: Numbered) =>
    `object ${number} was added, to which the signed revision already referred`,
  object_replaced: ({ object }: { object: Said }) => `${object} was replaced`,
  object_rewritten: ({ object }: { object: Said }) => `${object} was rewritten`,
  object_changed: ({ object, keys }: { object: Said; keys: string[] }) => `${object} was changed: ${keys.join(', ')}`,
  more_objects: ({ count }: { count: number }) => `${count} more objects were changed`,
  object_absent: ({ number }: Numbered) => `the cross-reference locates object ${number} where the update has no such object`,
  object_unreferenced: ({ number }: Numbered) => `it contains object ${number}, to which its cross-reference does not refer`,
  object_continued: ({ number }: Numbered) =>
    `object ${number} has no end in the signed revision and continues in the added bytes`,
  object_readable_now: ({ number }: Numbered) =>
    `object ${number}, which could not be read in the signed revision, can be read now`,
  comments_between_objects: () => 'there are comments between its objects',
  startxref_in_signed: () => 'its startxref refers to the signed revision',
  prev_elsewhere: () => 'its cross-reference does not continue the one before (/Prev)',
  hybrid_update: () => 'it has a hybrid cross-reference, with which PDF readers see different objects',
  other_catalog: () => 'the trailer names a different catalog',
  other_encryption: () => 'the trailer names a different encryption',
  other_information: () => 'the trailer names a different document information dictionary (/Info)',
  catalog_differs: ({ keys }: { keys: string[] }) => `the catalog has a different ${keys.join(', ')}`,
  catalog_key_added_twice: ({ key }: Keyed) => `the catalog has the key /${key} twice`,
  dss_not_a_dictionary: () => 'the /DSS is not a dictionary',
  dss_key_twice: ({ key }: Keyed) => `the /DSS has the key /${key} twice`,
  dss_key_unexpected: ({ key }: Keyed) => `the /DSS has the key /${key}, which refers to unexpected objects`,
  dss_object_missing: ({ number }: Numbered) => `the /DSS refers to object ${number}, which does not exist`,
  dss_list_not_an_array: () => 'the /DSS has a list that is not an array',
  dss_item_not_a_stream: () => 'the /DSS contains something that is not a stream',
  dss_stream_not_plain: ({ number }: Numbered) => `object ${number} of the /DSS is not a plain stream`,
  dss_certificates: ({ count }: { count: number }) => counted(count, 'certificate'),
  dss_responses: ({ count }: { count: number }) => counted(count, 'OCSP response'),
  dss_lists: ({ count }: { count: number }) => counted(count, 'revocation list'),
  dss_timestamps: ({ count }: { count: number }) => counted(count, 'time-stamp'),
  added_dss: ({ counts }: { counts: Said[] }) => `added validation data (DSS): ${counts.join(', ')}`,
  added_dss_without_objects: () => 'added validation data (DSS): no new objects',
  // Properties and structure.
  changed_information: ({ keys }: { keys: string[] }) =>
    `changed the document information (${keys.join(', ')}), which no page shows`,
  changed_metadata: () => 'changed the metadata (XMP), which no page shows',
  changed_structure: () => 'changed the structure for assistive technology (/StructTreeRoot), which no page shows',
  information_differs: ({ key }: Keyed) =>
    `the document information has a different /${key}, which PDF readers show as document properties`,
  metadata_differs: ({ key }: Keyed) =>
    `the metadata (XMP) has a different /${key}, which PDF readers show as document properties`,
  titles_differ: () => 'the document information and the metadata (XMP) name different titles',
  metadata_unreadable: () => 'the metadata (XMP) cannot be read, or not in one way',
  element_refused: ({ why }: Because) => `a structure element was added that ${why}`,
  element_too_many: () => 'is one of too many',
  element_claims_signed: () => 'claims content that was signed',
  element_describes_signed: () => 'describes an object that was signed',
  element_invalid: () => 'is not an element',
  element_not_new: () => 'is not new',
  element_twice: () => 'is there twice',
  element_read_aloud: ({ keys }: { keys: string[] }) => `has ${keys.join(', ')}, which screen readers may read aloud`,
  element_attributes: () => 'has attributes (/A) with a text or a reference',
  // Fields of a form.
  signature_added: ({ name }: Named) => `the signature "${name}" was added`,
  timestamp_added: ({ name }: Named) => `the document time-stamp "${name}" was added`,
  signature_field_added: ({ name }: Named) => `the signature field "${name}" was added`,
  field_filled: ({ name }: Named) => `the form field "${name}" was filled in`,
  field_filled_unsurely: ({ name, why }: { name: string; why: Said }) => `the form field "${name}" was filled in, and ${why}`,
  field_refused: ({ name, why }: { name: string; why: Said }) => `the form field "${name}" ${why}`,
  field_object_refused: ({ number, why }: { number: number; why: Said }) => `the added form field (object ${number}) ${why}`,
  signature_field_replaced: ({ name }: Named) =>
    `the signature field "${name}" showed something before it was signed, and shows something else`,
  added_signature: ({ name }: Named) => `added the signature "${name}"`,
  added_timestamp: ({ name }: Named) => `added the document time-stamp "${name}"`,
  added_empty_field: ({ name }: Named) => `added the empty signature field "${name}"`,
  added_visible_field: ({ name, page, width, height }: { name: string; page: number; width: string; height: string }) =>
    `added the visible signature field "${name}" to page ${page} (${width} × ${height} points)`,
  filled_field: ({ name }: Named) => `filled in the form field "${name}"`,
  form_differs: ({ keys }: { keys: string[] }) => `the form (AcroForm) has a different ${keys.join(', ')}`,
  field_not_a_signature: () => 'a form field was added that is not a new signature',
  fields_removed: () => 'fields were removed from the list of form fields (/Fields), or moved in it',
  several_fields_added: () => 'more than one form field was added at once',
  field_with_invalid_rectangle: () => 'has an invalid /Rect',
  field_with_area: ({ permission }: { permission: number | string }) =>
    `has an area on a page (/Rect), but the certification (DocMDP /P ${permission}) allows only invisible fields`,
  field_not_a_widget: () => 'is not a widget annotation',
  field_with_flags: () => 'has flags (/F) that are not allowed',
  field_on_new_page: () => 'is on a page that did not exist',
  field_with_keys: ({ keys }: { keys: string[] }) => `has ${keys.join(', ')}`,
  field_with_children: () => 'has child fields',
  field_of_other_kind: () => 'is not a signature field',
  field_with_parent: () => 'has a parent, although it is a top-level field of the form',
  not_a_field: () => 'is not a field',
  field_without_name: () => 'has no name',
  field_name_taken: () => 'has the name of another field',
  field_without_signature: () => 'has no new signature as its value',
  timestamp_shows_something: () => 'is a document time-stamp that shows something on a page, which anyone could have added',
  // What a filled field shows; clauses.
  field_name_with_value: () => 'another field of this name has a value',
  not_one_field: () => 'it is not one field',
  shown_value_unknown: () => 'it is not known what readers show of its value',
  shown_before: ({ clause }: { clause: Said }) => `before, ${clause}`,
  shows_state: ({ state }: { state: string }) => `it shows its state "${state}"`,
  shows_other_state: ({ state, value }: { state: string; value: string }) =>
    `it shows its state "${state}", not its value "${value}"`,
  shows_text: ({ text }: { text: string }) => `it shows the text "${text}"`,
  shows_other_text: ({ text, value }: { text: string; value: string }) => `it shows "${text}", not its value "${value}"`,
  shows_picture: ({ kind }: { kind: PictureKind }) => `it shows a picture (${kind})`,
  shows_drawing: () => 'it shows a drawing',
  push_button: () => 'a push-button has no value',
  appearance_with_states: () => 'its appearance has states',
  appearance_for_mouse: () => 'it has another appearance for the mouse (/AP /D, /R)',
  formatted_text_differs: () => 'its formatted text (/RV) is not its value',
  text_of_several_sizes: () => 'its text has several sizes',
  text_of_several_colours: () => 'its text has several colours',
  text_transparent: () => 'its text is transparent',
  text_clipped: () => 'its text is clipped by a path that is no rectangle',
  text_outside: () => 'a part of its text lies outside the field',
  text_too_small: () => 'its text is too small to be read',
  text_painted_over: () => 'a part of its text is painted over',
  text_of_several_directions: () => 'its text runs in several directions',
  text_overlapping: () => 'its characters lie one over another',
  text_unnamed: () => 'it has characters that its font does not name',
  text_invisible: () => 'it has invisible text',
  text_mirrored: () => 'its text is mirrored',
  font_missing: () => 'a text has no font',
  font_with_other_characters: () => 'its font draws other characters than their codes say',
  font_by_graphics_state: () => 'its font is chosen by a graphics state',
  font_embedded: ({ name }: Named) => `the glyphs of the embedded font ${name} can be any`,
  font_drawn_otherwise: ({ name }: Named) => `the font ${name} is not one that all PDF readers draw alike`,
  font_of_type_3: () => 'the glyphs of a Type 3 font can be any',
  clipped_by_text: () => 'it is clipped by text',
  painted_through_mask: () => 'it is painted through a mask',
  layers: () => 'it has layers that can be hidden',
  unknown_operators: () => 'it has operators that PDF readers do not know',
  content_too_deep: () => 'its content is nested too deeply',
  content_too_long: () => 'it has more content than is read',
  content_damaged: () => 'its content is damaged',
  content_unreadable: () => 'its content cannot be read',
  part_unreadable: () => 'a part of its content cannot be read',
  glyph_unreadable: () => 'a glyph cannot be read',
  unknown_object_painted: () => 'it paints an object of an unknown kind',
  box_invalid: () => 'it has no valid /BBox or /Matrix',
  box_empty: () => 'its /BBox has no area',
  appearance_unreadable: () => 'it cannot be read',
  appearance_not_a_stream: () => 'it is not a stream',
  resources_missing: ({ name }: Named) => `its resources lack ${name}, which some PDF readers take from the page or the form`,
  // What covers a page.
  field_covers: ({ name, covered, page }: { name: string; covered: Said; page: number }) =>
    `the form field "${name}" was filled in and covers signed content: ${covered} on page ${page}`,
  signature_covers: ({ name, covered, page }: { name: string; covered: Said; page: number }) =>
    `the visible signature field "${name}" covers signed content: ${covered} on page ${page}`,
  comment_covers: ({ type, covered, page }: { type: string; covered: Said; page: number }) =>
    `a comment (${type}) was added that covers signed content: ${covered} on page ${page}`,
  additions_cover: ({ name, isComment, page }: { name: string; isComment: boolean; page: number }) =>
    `${isComment ? `a comment (${name})` : `the visible signature field "${name}"`} was added that, with all other additions, covers more than half of page ${page}`,
  signature_without_box: ({ name }: Named) =>
    `the visible signature field "${name}" has an appearance without a valid /BBox, which PDF readers place differently`,
  covered_text: () => 'text',
  covered_path: () => 'a drawing',
  covered_image: () => 'an image',
  covered_shading: () => 'a shading',
  covered_pattern: () => 'a pattern',
  covered_annotation: () => 'another field or comment',
  covered_unreadable: ({ why }: Because) => `something that cannot be read (${why})`,
  covered_uncompared: () => 'something that was not compared, for there is too much of it',
  // Comments.
  added_comment: ({ type, page, width, height }: { type: string; page: number; width: string; height: string }) =>
    `added a comment (${type}) to page ${page} (${width} × ${height} points)`,
  annotation_type_refused: ({ type, page }: { type: string; page: number }) =>
    `an annotation of the type ${type} was added to page ${page}, ${MAY_REPLACE}`,
  annotation_with_action: ({ page }: { page: number }) => `an annotation with an action or effect was added to page ${page}`,
  comment_refused: ({ type, page, why }: { type: string; page: number; why: Said }) =>
    `a comment (${type}) was added to page ${page} that ${why}`,
  comment_without_rectangle: () => 'has no valid /Rect or /QuadPoints',
  comment_with_other_appearance: () => 'has another appearance (/AP) than one that readers always show',
  comment_outside: () => 'is drawn outside its rectangle by some PDF readers',
  comment_with_mark: ({ kind }: { kind: PictureKind }) => `has an appearance with a ${kind}, ${MAY_REPLACE}`,
  comment_clipped: () => 'has an appearance that a path clips',
  comment_beside_text: () => 'has an appearance beside the text that it marks',
  comment_hiding: () => 'has an appearance that hides what is below it (not /Multiply)',
  comment_drawing: () => 'has an appearance that draws something',
  comment_dark_or_unknown: () => 'is in a dark or unknown colour',
  comment_thick_appearance: () => 'has an appearance with a thick line, or with another drawing than a line',
  comment_white: () => 'is in a white or unknown colour',
  comment_with_appearance: () => `has its own appearance (/AP), ${MAY_REPLACE}`,
  comment_doubtful: ({ why }: Because) => `has an appearance that readers may show differently (${why})`,
  comment_short_line: () => 'has an appearance with a shorter line than what it marks',
  comment_of_unknown_colour: () => 'is in an unknown colour',
  comment_dark: () => 'is in a dark colour',
  comment_darkening: () => 'darkens other highlights',
  comment_of_text_colour: () => 'has the colour of the text and hides it',
  comment_thick: () => 'is drawn with a thick line',
  comment_crossing: () => 'draws more lines over one text than mark it',
  comment_large: () => 'is larger than a symbol',
  comment_narrow: () => 'is as narrow as a letter',
  comment_open: () => 'is open and hides content',
  comment_on_nothing: () => 'marks a place where the page shows nothing',
  comment_beside: () => 'lies beside the content that it marks, more than over it',
  comment_short: () => 'is as short as a letter and has a colour of text',
  icon_with_text: () => 'has an appearance with a text',
  icon_without_ground: () =>
    'has an appearance without a coloured ground, on a line with signed content, and could be read as a part of it',
  icon_beside_text: () => 'has an appearance close beside signed text, and could be read as a part of it',
}
