/** Mends taken out again, for plans in which people change what exists. */
import type { Mutation } from './mutations.ts'

export const SENDER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'the link of who was replaced stays valid',
    file: 'core/document/correct-recipient.ts',
    find: '    linkVersion: recipient.linkVersion + 1,',
    replace: '    linkVersion: recipient.linkVersion,',
  },
  {
    name: 'who takes the place of a recipient is not invited',
    file: 'core/document/correct-recipient.ts',
    find: "const isMailedAgain = recipient.status !== 'created' && isMailed(recipient)",
    replace: "const isMailedAgain = recipient.status === 'viewed' && isMailed(recipient)",
  },
  {
    name: 'a row is marked after its document is sent',
    file: 'batches/send.ts',
    find: '  await queries.saveSentRow(tx, id, row, { documentId, mails, at: app.now() })',
    replace:
      '  app.timers.after(1, () => void app.write(next => queries.saveSentRow(next, id, row, { documentId, mails, at: app.now() })))',
  },
  {
    name: 'a legal hold does not keep from a deletion',
    file: 'core/document/document.ts',
    find: `  if (document.heldAt) throw new Refusal('invalid_state', violation('document_under_hold'))
  if (!allowedActions(document).delete) {`,
    replace: '  if (!allowedActions({ ...document, heldAt: undefined }).delete) {',
  },
  {
    name: 'retention erases what is held',
    file: 'documents/retention/retention-queries.ts',
    find: 'AND held_at IS NULL AND coalesce',
    replace: 'AND coalesce',
    also: { file: 'core/document/retention.ts', find: 'return heldAt === undefined && months', replace: 'return months' },
  },
  {
    name: 'an edit of a message is not kept',
    file: 'core/draft/edit-draft.ts',
    find: "...(message === undefined ? {} : { message: cleanText(message ?? '') || undefined }),",
    replace: 'message: document.message,',
  },
]
