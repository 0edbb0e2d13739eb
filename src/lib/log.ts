/** One JSON line per entry on standard error. Callers hand in no secret; tokens in paths are masked here. */
import { writeSync } from 'node:fs'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

export type Log = (level: LogLevel, what: string, facts?: Record<string, unknown>) => void

/** Signing and set-up links carry their secret in the path. */
export function maskPath(path: string): string {
  return path.replace(/^\/(s|setup)\/[^/?]+/, '/$1/…').replace(/\?.*$/, '')
}

const FLUSH_MS = 20

/** Lines are written together a few milliseconds later; a warning or an error writes what waits at once, and so does the end of the process. */
function bufferedStderr(): (line: string, atOnce: boolean) => void {
  let waiting = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const take = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    return text
  }
  // A reader that is slow to take the log must not hold up the service; only the very last lines are waited for.
  const flush = () => void process.stderr.write(take())
  process.on('exit', () => {
    if (waiting !== '') writeSync(2, take())
  })
  return (line, atOnce) => {
    waiting += line
    if (atOnce) flush()
    else timer ??= setTimeout(flush, FLUSH_MS)
  }
}

export function openLog(least: LogLevel, write: (line: string, atOnce: boolean) => void = bufferedStderr()): Log {
  return (level, what, facts = {}) => {
    if (RANK[level] < RANK[least]) return
    write(`${JSON.stringify({ ...facts, time: new Date().toISOString(), level, what })}\n`, RANK[level] >= RANK.warn)
  }
}
