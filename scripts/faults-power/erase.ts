/**
 * What the schedule does in the night in which retention erases: `erase.ts DATA TIME`. Prints the
 * titles of the documents that are left, whose files are intact, and ends at once, as a kill does.
 */
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { eraseRetained } from '../../src/documents/retention/retention.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { compactWhenDue } from '../../src/settings/compaction.ts'

const [data = '', time = ''] = process.argv.slice(2)
const aheadMs = Date.parse(time) - Date.now()
const { app } = await openApp(readConfig({}, { SIGNET_DATA: data }), {
  command: [],
  exclusive: true,
  lockHolder: 'a trial',
  machine: { ...THIS_MACHINE, now: () => new Date(Date.now() + aheadMs) },
  log: (level, what, facts) => {
    if (level === 'error') console.error(what, facts)
  },
  mailer: { send: async () => ({ outcome: 'accepted', reply: '250 2.0.0 Ok' }), close() {} },
})
await eraseRetained(app)
await compactWhenDue(app)
const left = await app.db.selectFrom('documents').select(['title', 'sha256_original']).orderBy('title').execute()
for (const { sha256_original } of left) await app.storage.intact(sha256_original)
console.log(JSON.stringify(left.map(({ title }) => title)))
process.exit(0)
