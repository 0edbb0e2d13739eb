/** Whether an approver makes a signature, which a release that may still serve asks for. */
import type { Recipient } from '../../core/document/document.ts'
import type { App } from '../../ports.ts'

export type MarkedRecipient = Recipient & { isApprovalMarked: boolean }

/** Until the upgrade is finished an approver is asked for what the release before asks for. */
export async function withMarking(app: App, recipient: Recipient): Promise<MarkedRecipient> {
  return { ...recipient, isApprovalMarked: !(await app.features.isUsable(app.db, 'approvalWithoutMark')) }
}
