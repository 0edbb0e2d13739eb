/** Writes log entries as JSON lines to standard error. Callers pass no secrets. */
import { writeSync } from 'node:fs'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

export type Log = (level: LogLevel, what: string, facts?: Record<string, unknown>) => void

const FLUSH_MS = 20

/** Writes lines together after a few milliseconds, or at once for warnings and at the exit. */
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
  // A slow reader of the log must not block the service: only the exit writes synchronously.
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

/** RFC 3339, formatted once for each millisecond: a busy service logs many lines in one. */
function clock(): () => string {
  let shownMs = 0
  let shown = ''
  return () => {
    const now = Date.now()
    if (now !== shownMs) {
      shownMs = now
      shown = new Date(now).toISOString()
    }
    return shown
  }
}

export function openLog(minLevel: LogLevel, write: (line: string, atOnce: boolean) => void = bufferedStderr()): Log {
  const time = clock()
  return (level, what, facts = {}) => {
    if (RANK[level] < RANK[minLevel]) return
    write(`${JSON.stringify({ ...facts, time: time(), level, what })}\n`, RANK[level] >= RANK.warn)
  }
}
