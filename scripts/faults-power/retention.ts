/** A data folder in which retention erases tonight, and what has to be true afterwards. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { setLegalHold } from '../../src/documents/lifecycle/bulk.ts'
import { voidDocument } from '../../src/documents/lifecycle/lifecycle.ts'
import { changeRetention, eraseRetained } from '../../src/documents/retention/retention.ts'
import { watchOwnClock } from '../../src/health/watch.ts'
import { SYSTEM } from '../../src/ports.ts'
import { newDocument, samplePdf } from '../../test/support/sample.ts'
import { openTestApp } from '../../test/support/test-app.ts'

/** In all that is personal of what is erased. */
const GOES = 'zqcanary'
export const LEFT: readonly string[] = ['held', 'open']

/** Makes the folder. Returns the time of the night. */
export async function agedFolder(data: string): Promise<Date> {
  const t = await openTestApp()
  try {
    await createAdmin(t.app, { email: 'grace@example.org', name: 'Grace', password: 'four sound words here' })
    const recipients = [{ name: `${GOES} name`, email: `${GOES}@example.com` }]
    for (const title of [`${GOES} 1`, `${GOES} 2`, ...LEFT]) {
      const isErased = title.startsWith(GOES)
      const personal = { message: `${GOES} message`, file: await samplePdf(2), recipients }
      const body = { ...(await newDocument()), title, send: true, ...(isErased ? personal : {}) }
      const { status, body: made } = await t.api('POST', '/documents', body)
      if (status !== 201) throw new Error(JSON.stringify(made))
      if (title !== 'open') await voidDocument(t.app, made.id, isErased ? `${GOES} reason` : 'over', SYSTEM)
      if (title === 'held') await setLegalHold(t.app, made.id, 'claim 17', SYSTEM)
    }
    await t.drain()
    t.clock.pass({ days: 31 })
    await changeRetention(t.app, SYSTEM, { completed: 1, declined: 1, voided: 1, expired: 1 })
    await eraseRetained(t.app)
    await t.drain()
    t.clock.pass({ days: 15 })
    await watchOwnClock(t.app)
    cpSync(join(t.folder, 'data'), data, { recursive: true })
    return t.clock.now
  } finally {
    await t.close()
  }
}

/** Names of files that have a word of what was erased in name or bytes, or are its PDF. */
export function remains(data: string): string[] {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const text = `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`.toLowerCase()
    return text.includes(GOES) ? [name] : []
  })
}
