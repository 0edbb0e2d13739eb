/** Commits 50 changes of documents a second until it is killed: `writer.ts DATABASE ID…` */
import { openRaw } from '../../src/db/sqlite.ts'

const PAUSE_MS = 20
const [path = '', ...ids] = process.argv.slice(2)
const raw = openRaw(path)
const change = raw.prepare('UPDATE documents SET message = ? WHERE id = ?')
for (let i = 0; ; i++) {
  change.run(`change ${i}`, ids[i % ids.length])
  await Bun.sleep(PAUSE_MS)
}
