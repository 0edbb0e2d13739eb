/**
 * Writes log entries to standard error: JSON lines for programs, plain lines on a terminal. Callers
 * pass no secrets.
 */
import { writeSync } from 'node:fs'
import type { Cancel, Machine, Timers } from './machine.ts'

/** The message of a caught value, for the log. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

export type Log = (level: LogLevel, what: string, facts?: Record<string, unknown>) => void

const FLUSH_MS = 20
/** Characters that the reader of the log has not taken. Further lines are lost, not kept. */
export const MAX_UNREAD = 8_000_000

interface Stream {
  write(text: string, taken: () => void): unknown
}

/** Returns false if the line is lost. */
type Write = (line: string, atOnce: boolean) => boolean

/** Writes lines together after a few milliseconds, or at once for warnings and at the exit. */
export function bufferedWriter(stream: Stream, timers: Timers): Write {
  let waiting = ''
  let unread = 0
  let cancel: Cancel | undefined
  const take = () => {
    cancel?.()
    cancel = undefined
    const text = waiting
    waiting = ''
    return text
  }
  // A slow reader of the log must not block the service: only the exit writes synchronously.
  const flush = () => {
    const text = take()
    stream.write(text, () => {
      unread -= text.length
    })
  }
  process.on('exit', () => {
    if (waiting !== '') writeSync(2, take())
  })
  return (line, atOnce) => {
    if (unread + line.length > MAX_UNREAD) return false
    unread += line.length
    waiting += line
    if (atOnce) flush()
    else cancel ??= timers.after(FLUSH_MS, flush)
    return true
  }
}

/** RFC 3339, formatted once for each millisecond: a busy service logs many lines in one. */
function clock(now: () => Date): () => string {
  let shownMs = 0
  let shown = ''
  return () => {
    const at = now()
    if (at.getTime() !== shownMs) {
      shownMs = at.getTime()
      shown = at.toISOString()
    }
    return shown
  }
}

interface LogOptions {
  write?: Write
  /** For a person: by default where standard error is a terminal. */
  isPlain?: boolean
}

export function openLog(
  minLevel: LogLevel,
  { now, timers }: Pick<Machine, 'now' | 'timers'>,
  { write = bufferedWriter(process.stderr, timers), isPlain = process.stderr.isTTY }: LogOptions = {},
): Log {
  const time = clock(now)
  let lost = 0
  const put = (level: LogLevel, what: string, facts: Record<string, unknown>) => {
    const line = isPlain ? plainLine(time(), level, what, facts) : JSON.stringify({ ...facts, time: time(), level, what })
    return write(`${line}\n`, RANK[level] >= RANK.warn)
  }
  return (level, what, facts = {}) => {
    if (RANK[level] < RANK[minLevel]) return
    if (lost > 0 && put('warn', 'lines of the log were lost: nobody read it', { lines: lost })) lost = 0
    if (lost > 0 || !put(level, what, facts)) lost++
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
