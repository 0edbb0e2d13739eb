/** Runs SQLite's check of a database; a serving instance runs it in a child process: it blocks. */
import { tmpdir } from 'node:os'
import { DATABASE_CHECK, ownCommand } from '../lib/own-command.ts'
import { openUnchanged, type Raw } from './sqlite.ts'

/**
 * `quick` does not compare tables with indexes.
 * https://www.sqlite.org/pragma.html#pragma_quick_check
 */
export type CheckMode = 'quick' | 'full'

const MAX_PROBLEMS = 10

/** Returns SQLite's findings, at most 10 lines; empty when the database is intact. */
export function checkDatabase(path: string, mode: CheckMode): string[] {
  return unlessDamaged(() => {
    const raw = openUnchanged(path)
    try {
      return problemsOf(raw, mode)
    } finally {
      raw.close()
    }
  })
}

/** As `checkDatabase`, with the foreign keys, of a database that is open. */
export function checkSnapshot(raw: Raw): string[] {
  return unlessDamaged(() => {
    const keys = raw.pragma('foreign_key_check') as { table: string }[]
    return [...problemsOf(raw, 'full'), ...keys.slice(0, MAX_PROBLEMS).map(({ table }) => `a row of ${table} refers to none`)]
  })
}

function problemsOf(raw: Raw, mode: CheckMode): string[] {
  const check = mode === 'quick' ? 'quick_check' : 'integrity_check'
  const rows = raw.pragma(`${check}(${MAX_PROBLEMS})`) as Record<string, string>[]
  return rows.map(row => String(Object.values(row)[0])).filter(line => line !== 'ok')
}

function unlessDamaged(check: () => string[]): string[] {
  try {
    return check()
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error
    return [error.message]
  }
}

/**
 * Whether SQLite reports a file that is damaged or no database. https://www.sqlite.org/rescode.html
 */
export function isDatabaseDamage(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}

/** Runs `checkDatabase` in a child process. @throws Error when the process fails */
export async function checkInChild(path: string, mode: CheckMode): Promise<string[]> {
  const child = Bun.spawn([...ownCommand(), DATABASE_CHECK, path, mode], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // SQLite's library is loaded from there.
    env: { TMPDIR: tmpdir() },
  })
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  if (child.exitCode !== 0) throw new Error(`the database could not be checked: ${errors.trim() || `exit ${child.exitCode}`}`)
  return JSON.parse(out) as string[]
}
