/** Informs the owner of an API key once that it ends soon. */
import { daysAfter } from '../core/document.ts'
import { readableTime } from '../lib/clock-format.ts'
import { queueNotice } from '../outbox/outbox.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { NOTE_DAYS } from './keys.ts'
import { addressesForOwner } from './notified.ts'
import * as queries from './queries.ts'

export async function noteKeysThatEnd(app: App): Promise<void> {
  const now = app.now()
  for (const { id } of await queries.keysEndingUntil(app.db, now, daysAfter(now, NOTE_DAYS))) await noteEnd(app, id, now)
}

function noteEnd(app: App, id: string, now: Date): Promise<void> {
  return app.write(async tx => {
    const key = await queries.noteEndOfKey(tx, id, now)
    if (!key?.expiresAt) return
    const { timeZone } = await readOrganisation(tx)
    const notice = {
      subject: `An API token ends soon: ${key.name}`,
      paragraphs: [
        `The API token “${key.name}” ends on ${readableTime(key.expiresAt, timeZone)}. From then on, programs that use it are refused.`,
        'If they are still needed, create a new API token and give it to them before that time.',
      ],
      link: { text: 'Open the API token', path: `/settings/tokens/${id}` },
    }
    for (const address of await addressesForOwner(tx, key.ownerId)) await queueNotice(tx, app, address, notice)
  })
}
