/** What a person may do with a document now: pages offer it, routes and commands enforce it. */
import { allowedActions, type Document } from '../../src/core/document/document.ts'
import { recipientsToRemind } from '../../src/core/signing/routing.ts'
import type { PageUser } from '../layout.tsx'

/** `edit`: labels, duplicates, corrections. Nothing for those who only read. */
export function actsOn(document: Document, { opens }: Pick<PageUser, 'opens'>) {
  const isSender = opens.includes('sender')
  const allowed = allowedActions(document)
  return {
    edit: isSender,
    hold: opens.includes('admin'),
    send: isSender && allowed.send,
    void: isSender && allowed.void,
    remind: isSender && allowed.remind && recipientsToRemind(document).length > 0,
    delete: isSender && allowed.delete,
    retrySealing: isSender && allowed.retrySealing,
  }
}
