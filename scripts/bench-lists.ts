/**
 * Measures lists, searches, filters and counts in process: `bun scripts/bench-lists.ts [COUNT]`.
 * Prints medians. Asserts nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../migrations/index.ts'
import { migrate, NO_CLOCK } from '../src/db/migrate.ts'
import { openRaw, openSqlite } from '../src/db/sqlite.ts'
import { countViews, filterOfView, labelsInUse, VIEWS } from '../src/documents/lists/count-queries.ts'
import { type DocumentFilter, listDocuments } from '../src/documents/lists/list-queries.ts'
import { THIS_MACHINE } from '../src/lib/this-machine.ts'
import { type Actor, SYSTEM } from '../src/ports.ts'
import { fill } from './bench-growth/fill.ts'

const ROUNDS = 41
/** The schema that `fill` writes; later migrations compute their columns. */
const FILLED_SCHEMA = 12
/** The rows of the search, which `fill` does not write. */
const SEARCH = `INSERT INTO document_search (number, document_id, text)
  SELECT row_number() OVER (ORDER BY d.id), d.id, search_text(row_number() OVER (ORDER BY d.id),
    d.title || char(10) || d.file_name || char(10) || (
      SELECT group_concat(name || char(10) || email, char(10)) FROM recipients WHERE document_id = d.id)) FROM documents d;
  INSERT INTO document_metadata (document_id, key, value)
  SELECT d.id, m.key, m.value FROM documents d, json_each(d.metadata) m`
const count = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'signet-lists-'))
const path = join(folder, 'signet.db')

const raw = openRaw(path)
migrate(raw, NO_CLOCK, { list: migrations.slice(0, FILLED_SCHEMA) })
fill(folder, count, { withFiles: false })
raw.exec(SEARCH)
migrate(raw, NO_CLOCK)
raw.exec(`INSERT INTO document_labels SELECT id, owner_id, 'label ' || (rowid % 50) FROM documents WHERE rowid % 3 = 0;
  INSERT INTO document_labels SELECT id, owner_id, 'rare' FROM documents WHERE rowid % 20000 = 7;
  UPDATE documents SET labels = (SELECT json_group_array(label) FROM document_labels WHERE document_id = id) WHERE rowid % 3 = 0 OR rowid % 20000 = 7;
  UPDATE documents SET sealing_error = 'x', attention_from = '0', attention_until = '9' WHERE rowid % 5000 = 3`)
const { db, close } = openSqlite(path, raw)

const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const FILTERS: Record<string, Partial<DocumentFilter>> = {
  ...Object.fromEntries(VIEWS.map(view => [`view ${view}`, filterOfView(view, now)])),
  'view attention, searched': { ...filterOfView('attention', now), q: 'lovelace' },
  'view waiting, searched': { ...filterOfView('waiting', now), q: 'lovelace' },
  'statuses declined, voided': { statuses: ['declined', 'voided'] },
  'label of few': { label: 'rare' },
  'label of many': { label: 'label 3' },
  'label and view drafts': { label: 'label 3', ...filterOfView('drafts', now) },
  'updated in a day': { updatedAfter: daysAgo(1) },
  'updated in a year': { updatedAfter: daysAgo(365) },
  'updated in a day, declined': { updatedAfter: daysAgo(1), statuses: ['declined'] },
  'created last month': { createdAfter: daysAgo(60), createdBefore: daysAgo(30) },
  'address of half': { email: 'office@example.com' },
  'address of one, completed': { email: 'person300@customer300.example', statuses: ['completed'] },
  'words, rare': { q: '0000123' },
  'words, none': { q: 'nowhere to be found' },
  'two letters, none': { q: 'zq' },
  'words, old': { q: 'lovelace', createdBefore: daysAgo(700) },
  'words of few, label of many': { q: '0000123', label: 'label 3' },
}
const ACTORS: Record<string, Actor> = {
  administrator: SYSTEM.actor,
  'member of most': { ...SYSTEM.actor, seesAll: false, userId: 'usr_bench_many' },
  'member of few': { ...SYSTEM.actor, seesAll: false, userId: 'usr_bench_few' },
}

async function medianMs(work: () => unknown): Promise<string> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const startedMs = performance.now()
    await work()
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  return `${(times[Math.floor(ROUNDS / 2)] ?? Number.NaN).toFixed(2)} ms`.padStart(10)
}

const names = Object.keys(ACTORS)
console.log(`${count.toLocaleString('en')} documents, medians of ${ROUNDS}: ${names.join(', ')}`)
const print = async (name: string, work: (actor: Actor) => unknown) => {
  const cells: string[] = []
  for (const actor of Object.values(ACTORS)) cells.push(await medianMs(() => work(actor)))
  console.log(`  ${name.padEnd(32)}${cells.join('')}`)
}
await print('counts of the views', actor => countViews(db, actor, now))
await print('labels in use', actor => labelsInUse(db, actor))
for (const [name, filter] of Object.entries(FILTERS)) {
  await print(name, actor =>
    listDocuments({ ...THIS_MACHINE, db }, actor, { metadata: {}, ...filter }, { limit: 50, after: undefined }),
  )
}
await close()
rmSync(folder, { recursive: true })
