/** The list of migrations, in order: an executable cannot read a folder. Only ever appended to. */
import start from './0001_start.sql' with { type: 'text' }

export interface Migration {
  version: number
  name: string
  sql: string
}

export const migrations: Migration[] = [{ version: 1, name: 'start', sql: start }]
