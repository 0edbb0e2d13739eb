/** How a recipient proves who they are beside the link and an access code. */

/** A one-time code by e-mail, or through a webhook by the sender's own program. */
export const VERIFICATIONS = ['email_code', 'webhook_code'] as const
export type Verification = (typeof VERIFICATIONS)[number]
