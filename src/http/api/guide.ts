/** The guide of the API in CommonMark: the description of the OpenAPI document and of its tags. */
import { PUBLIC_EVENTS } from '../../core/event.ts'
import { errorCatalogue } from '../error-codes.ts'
import type { Tag } from '../route.ts'

export const TAGS: Record<Tag, string> = {
  Documents: 'Create documents, send them for signature, follow them, and download the sealed PDF and its evidence.',
  Webhooks: 'Register the endpoints to which events are delivered.',
  Verification: 'Verify signed PDFs, of this service and of others.',
  Key: 'What the calling API key is and may do.',
}

const QUICKSTART = `## Quickstart

1. In the web app, create a key under Settings. It is shown once. A production key begins with
   \`esk_live_\`, a key of any other environment with \`esk_test_\`.
2. Create a document with \`POST /documents\`: the PDF in base64, the recipients and their fields in one call.
   Positions are in percent of the page as displayed, from its top left corner.
3. Send it with \`POST /documents/{id}/send\`. Each recipient is mailed a link and signs without an account.
4. When every signer has finished, the PDF is sealed. Wait for the \`document.completed\` webhook, or get the document
   until its \`status\` is \`completed\`.
5. Download the sealed PDF with \`GET /documents/{id}/file\`.

Send the key with every request as \`Authorization: Bearer <key>\`. A key may be limited to scopes; each call names the
scope it needs.`

const CONVENTIONS = `## Conventions

- Bodies are JSON in UTF-8, \`Content-Type: application/json\`, without a content coding. Unknown and duplicate members
  are refused. \`null\` for an optional member of a request means that it is absent.
- Times are RFC 3339 in UTC with milliseconds. IDs are a prefix and 26 characters; they sort by creation.
- A list returns \`data\` and \`nextCursor\`. Pass \`nextCursor\` as \`cursor\` until it is \`null\`.
- Within v1, members, event types, statuses and error codes may be added. Ignore what you do not know. Nothing is
  removed or renamed.
- Each key may make a limited number of requests a minute. \`RateLimit\` and \`RateLimit-Policy\` show what is left.
- Every response carries \`X-Request-Id\`. Give it to your administrator when you report a problem.`

const STATES = `## States

A document is \`draft\` until it is sent, then \`sent\`. When every signer has finished it is \`sealing\`, and
\`completed\` once the sealed PDF is stored. If sealing fails it is tried again, and \`sealingError\` gives the reason. A
sent document ends as \`declined\`, \`voided\` or \`expired\` otherwise. A draft can be voided or deleted. No state follows
\`completed\`, \`declined\`, \`voided\` or \`expired\`.

A recipient is \`created\`, then \`sent\` (invited), \`viewed\` and \`signed\`, or \`declined\`; \`expired\` and \`voided\`
follow the document. \`viewed\` is set by an action of a person on the page, not by a mail scanner that follows the link.`

const IDEMPOTENCY = `## Idempotency

Send an \`Idempotency-Key\` with every POST, a fresh value for each new request. If the connection breaks, repeat the
request with the same value: within 24 hours you get the stored response, with \`Idempotency-Replayed: true\`, and nothing
is done twice. A refused request changes nothing and is not stored, so the corrected request may use the same value. The
same value with a different request is \`idempotency_key_reused\`; while the first request still runs it is
\`idempotency_in_progress\`.`

const errors = () => `## Errors

Every failure has the body \`{"error": {"code", "message", "requestId", "details"?}}\`. Decide by \`code\`; the text of
\`message\` may change. \`details\` lists the path and the problem of each invalid member. A request that is refused stores
nothing.

${errorCatalogue()}`

const webhooks = () => `## Webhooks

Register an endpoint with \`POST /webhooks\` and keep its \`secret\`. Events are posted to it as JSON, signed by
Standard Webhooks 1.0.0 (standardwebhooks.com has libraries for many languages). Verify each delivery before you act on it:

\`\`\`typescript
import { Webhook } from 'standardwebhooks'

const event = new Webhook(process.env.SIGNET_WEBHOOK_SECRET).verify(rawBody, request.headers)
\`\`\`

\`\`\`python
from standardwebhooks import Webhook

event = Webhook(os.environ["SIGNET_WEBHOOK_SECRET"]).verify(raw_body, request.headers)
\`\`\`

Without a library: compute the HMAC-SHA256 over \`{webhook-id}.{webhook-timestamp}.{body}\` with the bytes that the part
of the secret after \`whsec_\` encodes in base64. Compare its base64 with each \`v1,\` entry of \`webhook-signature\`, in
constant time, and refuse a \`webhook-timestamp\` that is more than five minutes away.

Answer with a 2xx status within 15 seconds. Otherwise the delivery is tried again after 5 seconds, 5 and 30 minutes, 2,
5, 10, 14, 20 and 24 hours; \`Retry-After\` may lengthen a pause. 410 disables the webhook at once. A delivery may arrive
more than once and out of order: \`webhook-id\` identifies the event.

Event types: ${PUBLIC_EVENTS.map(type => `\`${type}\``).join(', ')}.`

export function guide(): string {
  return ['Electronic signatures over HTTP.', QUICKSTART, CONVENTIONS, STATES, IDEMPOTENCY, errors(), webhooks()].join('\n\n')
}
