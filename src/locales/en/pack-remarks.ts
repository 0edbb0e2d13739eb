/** What is said of an evidence pack, in English: a part of the remarks, which types parameters. */
import type { Said } from '../remarks.ts'

interface Named {
  name: string
}
interface Listed {
  names: string[]
}
interface Numbered {
  number: number
}
interface Counted {
  count: number
}
/** Of an event in audit.json. */
interface Typed {
  number: number
  type: string
}
/** Of a member of the document; both are JSON. */
interface Differing {
  member: string
  found: string
  logged: string
}
interface Printed {
  page: number
  sequence: number
}

const event = ({ number, type }: Typed): string => `Event ${number} (${type})`
const printed = ({ page, sequence }: Printed): string =>
  `Page ${page} of sealed.pdf, the audit certificate, prints entry ${sequence} of the log`

export const packRemarks = {
  // Why a file is no evidence pack that can be read; clauses.
  pack_not_a_zip: () => 'it is not a ZIP, or it is damaged',
  pack_zip_ambiguous: () => 'it is a ZIP in which programs may see different files: no evidence pack is written so',
  pack_too_many_files: ({ max }: { max: number }) => `it has more than ${max} files`,
  pack_file_too_large: ({ name, max }: { name: string; max: number }) => `${name} in it is larger than ${max} MB`,
  pack_too_large: ({ max }: { max: number }) => `its files are larger than ${max} MB together`,
  pack_compression_unknown: ({ name }: Named) => `${name} in it is compressed in an unknown way`,
  pack_name_unsafe: () => 'it has a file whose name leads out of its folder or cannot be shown',
  pack_name_twice: ({ name }: Named) => `it has two files of the name ${name}`,
  pack_file_unknown: ({ name }: Named) => `it has the file ${name}, which no evidence pack has`,
  pack_files_missing: ({ names }: Listed) => `it lacks ${names.join(', ')}: every evidence pack has them`,
  pack_certificates_unusable: ({ name, cause }: { name: string; cause: string }) => `${name} in it cannot be used: ${cause}`,
  trail_not_json: () => 'audit.json in it is not JSON',
  trail_no_object: () => 'audit.json in it is no object',
  trail_without_document: () => 'audit.json in it names no document',
  trail_without_events: () => 'audit.json in it has no events',
  trail_event_no_object: ({ number }: Numbered) => `event ${number} of audit.json in it is no object`,
  trail_event_without_entry: ({ number }: Numbered) => `event ${number} of audit.json in it has no entry or no hash`,
  trail_entry_not_canonical: ({ number }: Numbered) => `the entry of event ${number} of audit.json in it is not canonical JSON`,
  trail_event_incomplete: ({ number }: Numbered) => `event ${number} of audit.json in it is not complete`,
  // What was checked of an evidence pack; sentences.
  sums_differ: ({ names }: Listed) => `Not as SHA256SUMS says: ${names.join(', ')}.`,
  sums_incomplete: ({ names }: Listed) => `SHA256SUMS lacks ${names.join(', ')}.`,
  sums_agree: ({ names }: Listed) => `The files have the hashes of SHA256SUMS: ${names.join(', ')}.`,
  original_as_logged: () => 'original.pdf is the file that was sent and that everybody who signed was shown.',
  original_differs: () => 'original.pdf is not the file that the log says was sent and shown.',
  sealed_as_logged: () => 'sealed.pdf is the file that the log says was sealed.',
  sealed_differs: () => 'sealed.pdf is not the file that the log says was sealed.',
  sealed_begins_with_original: () => 'sealed.pdf begins with original.pdf, byte for byte.',
  sealed_begins_otherwise: () => 'sealed.pdf does not begin with original.pdf.',
  marks_as_logged: ({ count }: Counted) => `The ${count} drawn or uploaded signatures are those of the log.`,
  marks_differ: ({ names }: Listed) => `Not the signatures that the log has: ${names.join(', ')}.`,
  attachments_as_logged: ({ count }: Counted) => `The ${count} files that signers added are those of the log.`,
  attachments_differ: () => 'The files in attachments/ are not those that the log says signers added.',
  trail_as_entries: ({ count }: Counted) => `Every member of the ${count} events in audit.json is that of its chained entry.`,
  trail_member_differs: (of: Typed & { member: string }) => `${event(of)}: ${of.member} is not that of its entry.`,
  trail_event_elsewhere: (of: Typed) => `${event(of)} belongs to another document than audit.json names.`,
  trail_chain_whole: () => 'The chain is whole: each hash is that of its entry, and no entry of the document is missing.',
  trail_hash_differs: (of: Typed) => `${event(of)}: its hash is not that of its entry.`,
  trail_entry_missing: ({ number, type }: Typed) => `The entry before event ${number} (${type}) is missing.`,
  trail_out_of_order: (of: Typed) => `${event(of)} is out of order in the log.`,
  trail_end_missing: () => 'Events are missing at the end: audit.json names another number of them, or another last hash.',
  trail_head_differs: () => 'The head of the log in audit.json is older than its last event, or another.',
  trail_personal_committed: () => 'The personal data is what the entries commit to, and each consent text has its hash.',
  trail_personal_differs: (of: Typed) => `${event(of)}: its personal data is not what its entry commits to.`,
  trail_consent_unmatched: (of: Typed) => `${event(of)}: no signature with the same consent follows it.`,
  trail_consent_differs: (of: Typed) => `${event(of)}: its consent text has another hash than its entry says.`,
  trail_personal_missing: ({ count }: Counted) =>
    `The personal data of ${count} entries is missing: names, addresses and values in audit.json cannot all be compared.`,
  trail_rewritten: () =>
    'audit.json is not written as Signet writes it. Other programs may read something else in it, such as a member that it has twice.',
  trail_members_unknown: ({ names }: Listed) =>
    `audit.json has members that this release of Signet does not know: ${names.join(', ')}.`,
  trail_document_as_logged: () =>
    'The document in audit.json is that of the log: title, files, state, times, recipients with their names and addresses, and values.',
  trail_document_differs: ({ member, found, logged }: Differing) =>
    `The document in audit.json: ${member} is ${found}, and the log says ${logged}.`,
  trail_document_lacks: ({ member, logged }: Pick<Differing, 'member' | 'logged'>) =>
    `The document in audit.json: ${member} is missing, and the log says ${logged}.`,
  trail_document_malformed: ({ member }: { member: string }) =>
    `The document in audit.json: ${member} is not of the type that Signet writes.`,
  trail_settings_unproven: ({ names }: Listed) =>
    `The log does not have these settings of the document: ${names.join(', ')}; of recipients language, delivery, codes and what became of their mails; places and labels of fields. The sealed file shows the fields.`,
  problems_more: ({ count }: Counted) => `And ${count} more of this kind.`,
  seal_not_logged: () => 'The log does not say that the document was completed and sealed.',
  seal_unreadable: ({ why }: { why: Said }) => `sealed.pdf cannot be read: ${why}.`,
  seal_by_another: () => 'sealed.pdf is not sealed by the certificate that the log names, or not by it alone.',
  seal_as_logged: () => 'sealed.pdf is sealed by the certificate that the log names.',
  seal_certificate_missing: () => 'seal.pem does not have the certificate that the log names.',
  seal_level_lower: ({ logged, found }: { logged: string; found: string }) =>
    `The log says that the seal has the level ${logged}, and here it has ${found}: its time-stamps or their proofs could not be verified with the known authorities.`,
  issuers_as_named: ({ count }: Counted) =>
    `The ${count} certificates in seal-chain.pem have issued those in seal.pem, or one another.`,
  issuers_unrelated: ({ names }: Listed) =>
    `seal-chain.pem has certificates that have issued none of those in seal.pem: ${names.join('; ')}.`,
  issuers_too_many: () => 'seal.pem or seal-chain.pem has too many certificates to compare them with one another.',
  authorities_of_pack: ({ names }: Listed) =>
    `Time-stamps were verified with the authorities that the pack itself names in timestamp-authorities.pem: ${names.join('; ')}.`,
  seal_unchecked: () => 'The seal could not be checked.',
  seal_not_valid: () => 'The seal is not valid: see below.',
  printed_unknown: ({ why }: { why: Said }) => `sealed.pdf does not show which entry was the newest: ${why}.`,
  printed_page_missing: () => 'it has no page of an audit certificate after those of the original',
  printed_entry_missing: () => 'its audit certificate does not show an entry of the audit log',
  printed_entry_twice: () => 'its audit certificate shows two entries of the audit log',
  printed_unreadable: ({ cause }: { cause: string }) => cause,
  printed_hash_unknown: (at: Printed) => `${printed(at)}, with a hash that no event of audit.json has.`,
  printed_entry_found: (at: Printed & Counted) =>
    `${printed(at)} with its hash: the seal covers all ${at.count} events up to it.`,
  printed_instance_agrees: ({ instance, environment }: { instance: string; environment: string }) =>
    `The audit certificate names the same instance: ${instance}, ${environment}.`,
  printed_instance_differs: () => 'The audit certificate names another instance or environment than audit.json.',
  page_as_printed: () => 'verify.html is the page that the audit certificate names.',
  page_differs: () => 'verify.html is not the page that the audit certificate names: do not open it.',
  page_not_printed: ({ sha256 }: { sha256: string }) =>
    `The audit certificate names no page: nothing in the pack shows that verify.html (SHA-256 ${sha256}) is genuine.`,
  page_missing: () => 'The audit certificate names a page, verify.html, which the pack does not have.',
  entry_after_seal: ({ sequence, type }: { sequence: number; type: string }) =>
    `Entry ${sequence} (${type}) comes after the seal, which is impossible.`,
  entries_not_sealed: ({ names }: Listed) =>
    `The seal does not cover the entries after it (${names.join(', ')}): only the log of the service, or a checkpoint of it, shows them.`,
  sealed_entries_differ: ({ member }: { member: string }) =>
    `The entries that the seal covers say another ${member} than audit.json.`,
}
