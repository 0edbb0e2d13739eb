/** Informs the owner of an API token once that it ends soon. */
import { daysAfter } from '../core/document/document.ts'
import { readableTime } from '../lib/clock-format.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { mailPerson } from './account-mail.ts'
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
    const { name, expiresAt } = key
    const { timeZone } = await readOrganisation(tx)
    for (const to of await addressesForOwner(tx, key.ownerId)) {
      await mailPerson(tx, app, to, ({ settings }, _, language) => {
        const { link, ...mail } = settings.tokens.endsMail(name, readableTime(expiresAt, timeZone, language))
        return { ...mail, link: { text: link, path: `/settings/tokens/${id}` } }
      })
    }
  })
}
