/** Opens the app of an installation for one verb, also while instances serve it. */
import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { describeServer, parseDatabaseUrl } from '../db/postgresql/url.ts'
import { databasePath } from '../lib/data-paths.ts'
import type { App } from '../ports.ts'
import { configFrom, type Io, type ParsedFlags } from './verb.ts'

/** `verb` is named to another process that waits for the folder. */
export async function withApp<T>(config: Config, io: Io, verb: string, work: (app: App) => Promise<T>): Promise<T> {
  const { app, close } = await io.open(config, `signet ${verb}`, false)
  try {
    return await work(app)
  } finally {
    await close()
  }
}

/** What to do if the folder has no database; undefined if it has one, or if that is elsewhere. */
export function dataFolderError({ dataFolder, databaseUrl }: Config): string | undefined {
  if (databaseUrl !== undefined || existsSync(databasePath(dataFolder))) return undefined
  return `${dataFolder} contains no signet.db: run signet serve once, or name the folder with --data.`
}

/** Where the database is, without a login. */
export function databaseName({ dataFolder, databaseUrl }: Config): string {
  return databaseUrl === undefined ? databasePath(dataFolder) : describeServer(parseDatabaseUrl(databaseUrl))
}

/** Runs `work` on an existing folder. Returns the exit code. */
export async function withDataFolder(
  parsed: ParsedFlags,
  io: Io,
  verb: string,
  work: (app: App) => Promise<void>,
): Promise<number> {
  const config = configFrom(parsed, io.env)
  const error = dataFolderError(config)
  if (error !== undefined) {
    io.err(error)
    return 1
  }
  await withApp(config, io, verb, work)
  return 0
}
