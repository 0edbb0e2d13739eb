/** Puts every state of a disk after a power failure in its place, and lets a trial check it. */
import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { note, report } from '../faults-report.ts'
import { LOSSES, TracedDisk } from './disk.ts'
import { callsIn, isAnswer } from './trace.ts'

export interface Recorded {
  name: string
  /** Where the program worked, and where each state is put. */
  site: string
  /** What was there when the trace began. */
  from: string
  trace: string
  /**
   * Why the state breaks a promise. `answers`: so many answers of the traced server had begun.
   * It may change the site.
   */
  check(answers: number): string | undefined | Promise<string | undefined>
}

/**
 * Removes the site. What reads the same, after SQLite has recovered the database, is checked once
 * for each number of answers.
 */
export async function replay({ name, site, from, trace, check }: Recorded): Promise<void> {
  const disk = new TracedDisk(site, from)
  const seen = new Set<string>()
  const broken = new Map<string, string>()
  const read = new Set<string>()
  const copy = `${site}.read`
  let answers = 0
  for (const call of callsIn(readFileSync(trace, 'utf8'))) {
    const hasAnswered = isAnswer(call)
    if (hasAnswered) answers++
    const after = hasAnswered ? `answer ${answers}` : disk.apply(call)
    if (after === undefined) continue
    for (const loss of LOSSES) {
      const state = `${answers} ${disk.state(loss)}`
      if (seen.has(state)) continue
      seen.add(state)
      disk.writeTo(copy, loss)
      const content = `${answers} ${contentOf(copy)}`
      rmSync(copy, { recursive: true })
      if (read.has(content)) continue
      read.add(content)
      rmSync(site, { recursive: true, force: true })
      disk.writeTo(site, loss)
      const problem = await check(answers)
      if (problem !== undefined && !broken.has(problem)) broken.set(problem, `${loss}, after ${after.replaceAll(site, '')}`)
    }
  }
  rmSync(site, { recursive: true, force: true })
  report(name, broken.size === 0, `${seen.size} states of the disk, of which ${read.size} read differently`)
  for (const [problem, at] of broken) note(`${problem} (${at})`)
}

const DATABASE = /\.db(\.copy)?$/

/** A digest of names, bytes, and the rows of databases. It changes the folder. */
function contentOf(folder: string): string {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const lines = found.map(({ parentPath, name }) => {
    const path = join(parentPath, name)
    // The log of a database is a part of it.
    if (/-wal$|-journal$/.test(name)) return ''
    return `${path.slice(folder.length)} ${DATABASE.test(name) ? rowsOf(path) : sha256Hex(readFileSync(path))}`
  })
  return sha256Hex(lines.sort().join('\n'))
}

function rowsOf(path: string): string {
  let database: Database | undefined
  try {
    database = new Database(path, { readwrite: true, create: false })
    const db = database
    const tables = db.query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all()
    const rows = tables.map(({ name, sql }) => [sql, db.query(`SELECT * FROM "${name}"`).values()])
    return sha256Hex(JSON.stringify([db.query('PRAGMA user_version').values(), rows]))
  } catch {
    // Not yet a database: its bytes tell it from others.
    return sha256Hex(readFileSync(path))
  } finally {
    database?.close()
  }
}
