/** Hidden verb `signet __check-database PATH quick|full`: prints SQLite's findings as JSON. */
export const DATABASE_CHECK = '__check-database'

/** Where the entry file of an executable is, elsewhere and on Windows. */
const COMPILED = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/

/** The command that starts this program: the executable, or bun with the entry file. */
export function ownCommand(): string[] {
  return COMPILED.test(Bun.main) ? [process.execPath] : [process.execPath, Bun.main]
}
