/** Limits of accounts, links, settings and lists: rules, pages and texts take them from here. */

// People, their tokens and passkeys. Lengths are in characters.

export const MAX_ACCOUNT_NAME = 100
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 256
export const SETUP_MINUTES = 30
export const INVITATION_DAYS = 7
/** Between two e-mails with a link to choose a new password. */
export const RESET_MAIL_PAUSE_MINUTES = 5
/** From the password to the second factor. */
export const SIGN_IN_CODE_MINUTES = 10
/** A session may change sensitive things so long after its person proved who they are. */
export const CONFIRMED_MINUTES = 15
export const MAX_SESSION_HOURS = 12

// Links and codes of signers.

/** Until a link that a program hands out is opened. */
export const LINK_MINUTES = 15
/** Of a one-time code. */
export const CODE_MINUTES = 10
/** After its completion, who has the link can download the document so long. */
export const COPY_DAYS = 30

// Settings.

/** The organisation is called so until somebody names it. */
export const SERVICE_NAME = 'Signet'
export const MAX_ORGANISATION_NAME = 200
export const MAX_SENDER_NAME = 200
export const MAX_BULK_MAILS_PER_MINUTE = 6000
export const MAX_LOGO_BYTES = 2 * 1024 * 1024
/** px */
export const MAX_LOGO_SIDE = 4000
/** What is entered about the identity provider, by setting. */
export const MAX_OIDC_LENGTHS = {
  oidcIssuer: 1000,
  oidcClientId: 500,
  oidcClientSecret: 1000,
  oidcName: 40,
  oidcDomains: 2000,
  oidcRoleClaim: 200,
  oidcAdmins: 2000,
  oidcMembers: 2000,
  oidcAuditors: 2000,
  oidcScopes: 500,
}
/** Of a PKCS#12 file. */
export const MAX_KEY_FILE_BYTES = 1_000_000
/** Without backups: after how long the administrators are asked again. */
export const BACKUP_REMINDER_DAYS = 30
/** Why a mail did not arrive. */
export const MAX_RETURN_REASON = 500
/** Of a time-stamp authority. */
export const MAX_AUTHORITY_URL = 1000
export const MAX_AUTHORITY_USER = 200
/** Of a time-stamp authority or a mail server. */
export const MAX_SERVER_PASSWORD = 500
export const MAX_WEBHOOK_URL = 2000
export const MAX_WEBHOOK_DESCRIPTION = 200
/** Of the body of an answer to a delivery; what is longer is cut. */
export const MAX_STORED_ANSWER_BYTES = 2048
/** A replaced secret of a webhook signs so long beside the new one. */
export const FORMER_SECRET_HOURS = 24

/** Of the address or id of a document that the audit log is filtered by. */
export const MAX_DOCUMENT_ADDRESS = 500
/** Rows on a page of a list. */
export const PAGE_SIZE = 50

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255
