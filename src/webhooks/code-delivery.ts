/** One-time codes in deliveries: they are filled in when a delivery is sent, and never stored. */
import { CODE_EVENT } from '../core/document/event.ts'
import { oneTimeCode } from '../lib/one-time-code.ts'
import type { App } from '../ports.ts'
import type { Delivery } from './delivery-queries.ts'
import type { Webhook } from './queries.ts'

/** By name only: a webhook for all events may be a log. */
export const takesCodes = (events: Webhook['events']) => events.includes(CODE_EVENT)

interface Content {
  body: string
  /** The code in the body, if there is one. */
  code: string | undefined
}

/** The bytes to send. A code is in them only until it expires. */
export function contentOf(app: Pick<App, 'linkKey' | 'now'>, webhook: Webhook, { type, body }: Delivery): Content {
  if (type !== CODE_EVENT || !takesCodes(webhook.events)) return { body, code: undefined }
  const event = JSON.parse(body) as { data: { oneTimeCode?: { id: string; code: string | null; expiresAt: string } } }
  const { oneTimeCode: stored } = event.data
  if (stored === undefined || new Date(stored.expiresAt) <= app.now()) return { body, code: undefined }
  const code = oneTimeCode(app.linkKey, stored.id)
  return { body: JSON.stringify({ ...event, data: { ...event.data, oneTimeCode: { ...stored, code } } }), code }
}

/** What a receiver answers may repeat the code. */
export function withoutCode(text: string, code: string | undefined): string {
  return code === undefined ? text : text.replaceAll(code, '••••••')
}
