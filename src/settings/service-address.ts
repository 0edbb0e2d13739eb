/** The public address, which verbs need for links and do not know: it may be a flag of `serve`. */
import { readRunningAddress } from '../lib/running-address.ts'
import type { App } from '../ports.ts'
import { instanceFact, setInstanceFact } from './queries.ts'

const FACT = 'service-address'

export async function noteServiceAddress(app: App): Promise<void> {
  const { baseUrl } = app.config
  if ((await instanceFact(app.db, FACT)) !== baseUrl) await app.write(tx => setInstanceFact(tx, FACT, baseUrl), { wake: false })
}

/** Whether an instance serves from this data folder, by a file that exists as long as its lock. */
export async function isServing({ config, fileSystem }: Pick<App, 'config' | 'fileSystem'>): Promise<boolean> {
  return (await readRunningAddress(fileSystem, config.dataFolder)) !== undefined
}

/** Of the running instance, of the last start, or of the configuration. No trailing slash. */
export async function serviceAddress(app: Pick<App, 'db' | 'config' | 'fileSystem'>): Promise<string> {
  const { dataFolder, databaseUrl, baseUrl } = app.config
  // Verbs do not lock the folder of a node: the file may be of one that was killed.
  const running = databaseUrl === undefined ? await readRunningAddress(app.fileSystem, dataFolder) : undefined
  return running?.baseUrl ?? (await instanceFact(app.db, FACT)) ?? baseUrl
}
