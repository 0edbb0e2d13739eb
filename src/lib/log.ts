/**
 * Writes log entries to standard error: JSON lines for programs, plain lines on a terminal. Callers
 * pass no secrets.
 */
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

interface LogOptions {
  write?: (line: string, atOnce: boolean) => void
  /** For a person: by default where standard error is a terminal. */
  isPlain?: boolean
}

export function openLog(minLevel: LogLevel, { write = bufferedStderr(), isPlain = process.stderr.isTTY }: LogOptions = {}): Log {
  const time = clock()
  return (level, what, facts = {}) => {
    if (RANK[level] < RANK[minLevel]) return
    const line = isPlain ? plainLine(time(), level, what, facts) : JSON.stringify({ ...facts, time: time(), level, what })
    write(`${line}\n`, RANK[level] >= RANK.warn)
  }
}

/** `16:26:43 warn  mail refused (reply: 550 no such user)`, in UTC. */
function plainLine(time: string, level: LogLevel, what: string, facts: Record<string, unknown>): string {
  const words = Object.entries(facts).map(([name, value]) => `${name}: ${plainText(value)}`)
  const details = words.length > 0 ? ` (${words.join(', ')})` : ''
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${what}${details}`
}

/** What others wrote must neither begin a line nor command the terminal. */
const plainText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
