/** Hidden verb `signet __check-database PATH quick|full`: prints SQLite's findings as JSON. */
export const DATABASE_CHECK = '__check-database'

/** The command that starts this program: the executable, or bun with the entry file. */
export function ownCommand(): string[] {
  return Bun.main.startsWith('/$bunfs/') ? [process.execPath] : [process.execPath, Bun.main]
}
