/** Where the data folder has its parts. What a folder of a backup holds is at the same places. */
import { join } from 'node:path'

/** Where the database is SQLite. */
export const DATABASE_FILE = 'signet.db'
export const databasePath = (folder: string) => join(folder, DATABASE_FILE)
export const filesFolder = (folder: string) => join(folder, 'files')
export const backupsFolder = (folder: string) => join(folder, 'backups')
export const keysFolder = (folder: string) => join(folder, 'keys')
export const masterKeyPath = (folder: string, named?: string) => named ?? join(keysFolder(folder), 'master.key')
