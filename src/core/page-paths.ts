/** Where pages are, for links, alerts and mails. A page below one adds to its path. */

export const DOCUMENTS_PATH = '/documents'
export const TEMPLATES_PATH = '/templates'
export const BATCHES_PATH = '/batches'
export const CONTACTS_PATH = '/contacts'
export const OUTBOX_PATH = '/outbox'
export const VERIFY_PATH = '/verify'
/** Asked by the script of the page, with the SHA-256 of a file. */
export const VERIFY_RECORD_PATH = '/verify/record'
/** The page that needs no service, to keep. */
export const VERIFY_PAGE_PATH = '/verify.html'

export const SIGN_IN_PATH = '/sign-in'
/** Asks for the password again. */
export const CONFIRM_PATH = '/confirm'
export const PROFILE_PATH = '/profile'
/** Leads to the set-up of a second factor. */
export const SECOND_FACTOR_PATH = '/profile/second-factor'
export const PASSKEYS_PATH = '/profile/passkeys'

/** Leads to the first section that the person may open. */
export const SETTINGS_PATH = '/settings'
export const TOKENS_PATH = '/settings/tokens'
export const WEBHOOKS_PATH = '/settings/webhooks'
export const ORGANISATION_PATH = '/settings/organisation'
export const SIGNING_LINKS_PATH = '/settings/organisation/signing-links'
export const PEOPLE_PATH = '/settings/people'
export const SIGN_IN_SETTINGS_PATH = '/settings/sign-in'
export const SESSIONS_PATH = '/settings/sign-in/sessions'
export const OIDC_PATH = '/settings/sign-in/openid-connect'
export const MAIL_PATH = '/settings/email'
export const SEAL_PATH = '/settings/seal'
export const TIMESTAMPS_PATH = '/settings/seal/time-stamps'
export const SEAL_FORM_PATH = '/settings/seal/form'
export const RETENTION_PATH = '/settings/retention'
export const BACKUPS_PATH = '/settings/backups'
/** After a restore sending is paused; here it begins again. */
export const RESUME_PATH = '/settings/backups/resume'
export const AUDIT_PATH = '/settings/audit'
export const CHECKPOINTS_PATH = '/settings/audit/checkpoints'
/** Who co-signs the checkpoints of this instance. */
export const WITNESS_PATH = '/settings/audit/witness'
/** Whose checkpoints this instance co-signs. */
export const WITNESSED_PATH = '/settings/audit/witnessed'
export const HEALTH_PATH = '/settings/health'
export const CLOCK_PATH = '/settings/clock'
