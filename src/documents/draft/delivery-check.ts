/** What keeps recipients of a draft from their links or codes: settings, not the draft itself. */
import type { Document } from '../../core/document/document.ts'
import type { Finding } from '../../core/draft/draft-check.ts'
import { isMailed } from '../../core/signing/routing.ts'
import type { App } from '../../ports.ts'
import { hasCodeWebhook } from '../signing/one-time-code.ts'
import { mayHandOutLinks } from '../signing/signing-link.ts'

/** Sending is refused for the same reasons: `requireReachable`, `requireCodeWebhook`. */
export type DeliveryCode = 'links_not_allowed' | 'code_webhook_missing'

export async function deliveryFindings(app: App, document: Document): Promise<Finding<DeliveryCode>[]> {
  const { recipients } = document
  const byLink = recipients.filter(each => !isMailed(each))
  const byWebhook = recipients.filter(({ verify }) => verify === 'webhook_code')
  const isAllowed = byLink.length === 0 || (await mayHandOutLinks(app))
  const hasWebhook = byWebhook.length === 0 || (await hasCodeWebhook(app.db, document))
  const at = (code: DeliveryCode, member: string, found: Document['recipients']) =>
    found.map(({ id }) => ({ code, path: `recipients/${id}/${member}`, recipientId: id }))
  return [
    ...(isAllowed ? [] : at('links_not_allowed', 'deliverBy', byLink)),
    ...(hasWebhook ? [] : at('code_webhook_missing', 'verify', byWebhook)),
  ]
}
