/** The limits of a document and what people write in it. Bundled for the browser too. */
import { errorsIn, type ValidationError } from '../refusal.ts'
import { cleanLine, lineError } from '../text.ts'
import { violation } from '../violation.ts'

export const MAX_RECIPIENTS = 100
export const MAX_FIELDS = 1000

/** Characters. */
export const MAX_TITLE = 255
export const MAX_MESSAGE = 5000
export const MAX_PERSON_NAME = 200
export const MIN_ACCESS_CODE_LENGTH = 6
export const MAX_ACCESS_CODE_LENGTH = 64
export const MAX_REASON = 1000
export const MAX_LOCALE = 35
export const MAX_REDIRECT_URL = 2000
/** Pairs of metadata. */
export const MAX_METADATA = 20
export const MAX_METADATA_NAME = 100
export const MAX_METADATA_VALUE = 500
/** Of what is searched for. */
export const MAX_QUERY_LENGTH = 200

export const MAX_FILE_NAME_BYTES = 255
export const MAX_EXPIRY_DAYS = 365
/** From the sending to the first reminder, and between two. */
export const MAX_REMINDER_DAYS = 365
export const MAX_REMINDERS = 50

// Labels of a document: the sender's words to find it by. Recipients never see them.

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
