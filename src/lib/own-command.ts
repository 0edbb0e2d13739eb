/** Hidden verb: `signet __check-database PATH quick|full` prints what SQLite finds wrong, as a JSON array. */
export const DATABASE_CHECK = '__check-database'

/** The command that starts this program again: the executable itself, or bun with its entry file. */
export function ownCommand(): string[] {
  return Bun.main.startsWith('/$bunfs/') ? [process.execPath] : [process.execPath, Bun.main]
}
