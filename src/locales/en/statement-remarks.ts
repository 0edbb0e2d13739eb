/** What is said of signed statements: receipts and checkpoints of the audit log, in English. */
import type { Said } from '../remarks.ts'

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
}
