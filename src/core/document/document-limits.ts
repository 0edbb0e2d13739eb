/** The limits of a document and what people write in it. Bundled for the browser too. */

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
export const MAX_METADATA_NAME = 100
/** Of what is searched for. */
export const MAX_QUERY_LENGTH = 200

export const MAX_FILE_NAME_BYTES = 255
export const MAX_EXPIRY_DAYS = 365
/** From the sending to the first reminder, and between two. */
export const MAX_REMINDER_DAYS = 365
export const MAX_REMINDERS = 50
