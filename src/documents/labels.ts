/** Labels a document, in any state. The audit log has no entry: a label is not evidence. */
import type { Document } from '../core/document.ts'
import { cleanLabels, labelErrors } from '../core/label.ts'
import { refuseIfInvalid } from '../core/refusal.ts'
import type { App, Origin } from '../ports.ts'
import { change } from './record.ts'

export function setLabels(app: App, id: string, labels: readonly string[], origin: Origin): Promise<Document> {
  refuseIfInvalid(labelErrors(labels))
  return change(app, origin, id, document => ({ document: { ...document, labels: cleanLabels(labels) }, events: [] }))
}
