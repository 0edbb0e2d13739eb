/** What is said of signed statements: receipts and checkpoints of the audit log, in English. */
import type { Said } from '../remarks.ts'

interface Numbered {
  sequence: number
}
interface Stamped {
  at: string
  authority: string
}

export const statementRemarks = {
  // Why one is not accepted; clauses.
  statement_malformed: () => 'it has not the form of a signed statement',
  statement_without_signer: () => 'it does not contain the certificate of its signer',
  statement_changed: () => 'its content was changed after it was signed',
  statement_signature_wrong: () => 'its signature is not valid',
  statement_unreadable: ({ cause }: { cause: string }) => `its signature cannot be read: ${cause}`,
  statement_weak: ({ why }: { why: Said }) => `its signature is not accepted: ${why}`,
  checkpoint_malformed: () => 'it is no checkpoint of an audit log',
  receipt_malformed: () => 'it is no receipt',
  receipt_of_other_kind: () => 'it is another signed statement than a receipt',
  receipt_of_later_release: () => 'it is a receipt of a later release',
  // What was found about a receipt; sentences.
  receipt_hash_wrong: () => 'The hash in the receipt is not that of its entry.',
  receipt_entry_wrong: () => 'The entry in the receipt is not that of a signature.',
  receipt_contradicts: ({ members }: { members: string[] }) => `The receipt contradicts its own entry: ${members.join(', ')}.`,
  receipt_unchanged: ({ name, sha256 }: { name: string; sha256: string }) =>
    `The receipt is as ${name} signed it (certificate with the SHA-256 ${sha256}).`,
  receipt_agrees: ({ sequence }: Numbered) =>
    `It says what its entry of the audit log says, entry ${sequence}, and has its hash.`,
  receipt_timestamped: ({ at, authority }: Stamped) => `A time-stamp of ${authority} proves that it existed at ${at}.`,
  receipt_without_timestamp: () => 'It has no time-stamp: its time is that of the clock of the service.',
  receipt_timestamp_untrusted: ({ at, authority, why }: Stamped & { why: Said[] }) =>
    `Its time-stamp of ${at} by ${authority} proves nothing here. ${why.join(' ')}`,
  receipt_timestamp_false: ({ why }: { why: Said[] }) => `Its time-stamp is false. ${why.join(' ')}`,
  receipt_without_log: ({ sequence }: Numbered) =>
    `Whether the audit log still contains entry ${sequence} can be seen beside the evidence pack, or in the installation.`,
  receipt_pack_unreadable: ({ why }: { why: Said }) => `The evidence pack beside it cannot be read: ${why}.`,
  receipt_of_other_instance: ({ instance }: { instance: string }) =>
    `The evidence pack beside it is of another installation, ${instance}.`,
  receipt_of_other_document: ({ document, title }: { document: string; title: string }) =>
    `The receipt is of another document: the evidence pack is that of “${title}” (${document}).`,
  receipt_entry_in_log: ({ sequence }: Numbered) =>
    `This receipt belongs to the document of the evidence pack, and the log still contains its entry ${sequence}, unchanged.`,
  receipt_entry_not_in_log: ({ sequence }: Numbered) =>
    `The log in the evidence pack does not contain the entry of the receipt: entry ${sequence} was changed, removed or made anew.`,
  receipt_values_agree: () => 'The values and marks in the evidence pack are those of the receipt.',
  receipt_values_differ: () => 'The values or marks in the evidence pack are not those of the receipt.',
  receipt_values_erased: () => 'The evidence pack has no values to compare: they were erased.',
  receipt_pack_valid: () => 'The evidence pack is complete and unchanged.',
  receipt_pack_false: () => 'The evidence pack is not valid: `signet evidence verify` says why.',
  receipt_pack_unchecked: () => 'Not all of the evidence pack could be checked: `signet evidence verify` says what.',
  receipt_of_file: () => 'This receipt belongs to the PDF beside it: the PDF begins with the bytes that were shown.',
  receipt_of_other_file: () =>
    'The receipt is of another document: the PDF beside it does not begin with the bytes that were shown.',
  receipt_file_valid: () => 'The seal of the PDF is valid.',
  receipt_file_false: () => 'The PDF is not valid: `signet verify` says why.',
  receipt_file_unchecked: () => 'The seal of the PDF could not be verified: `signet verify` says why.',
  witness_malformed: () => 'it is no statement of a witness',
}
