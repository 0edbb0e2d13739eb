/** One JSON line per entry on standard error. Callers hand in no secret; tokens in paths are masked here. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

export type Log = (level: LogLevel, what: string, facts?: Record<string, unknown>) => void

/** Signing and set-up links carry their secret in the path. */
export function maskPath(path: string): string {
  return path.replace(/^\/(s|setup)\/[^/?]+/, '/$1/…').replace(/\?.*$/, '')
}

export function openLog(least: LogLevel, write: (line: string) => void = line => process.stderr.write(line)): Log {
  return (level, what, facts = {}) => {
    if (RANK[level] < RANK[least]) return
    write(`${JSON.stringify({ time: new Date().toISOString(), level, what, ...facts })}\n`)
  }
}
