/** Labels of a document: the sender's words to find it by. Recipients never see them. Pure. */
import { errorsIn, type ValidationError } from '../refusal.ts'
import { cleanLine, lineError } from '../text.ts'
import { violation } from '../violation.ts'

export const MAX_LABELS = 20
export const MAX_LABEL_LENGTH = 50

/** Labels that differ only in case are the same. */
export const labelKey = (label: string) => cleanLine(label).toLowerCase()

/** The labels as they are stored, each once, in the spelling that comes first. */
export function cleanLabels(labels: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const label of labels.map(cleanLine)) if (!byKey.has(labelKey(label))) byKey.set(labelKey(label), label)
  return [...byKey.values()]
}

export function labelErrors(labels: readonly string[]): ValidationError[] {
  if (labels.length > MAX_LABELS) return errorsIn([['labels', violation('too_many', { max: MAX_LABELS })]])
  return errorsIn(
    labels.map((label, i) => {
      const tooLong = label.length > MAX_LABEL_LENGTH ? violation('too_long', { max: MAX_LABEL_LENGTH }) : undefined
      return [`labels[${i}]`, tooLong ?? lineError(label)]
    }),
  )
}
