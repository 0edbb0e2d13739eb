/** The public address, saved by the serving process because other verbs do not know its flags. */
import type { App } from '../ports.ts'
import { instanceFact, setInstanceFact } from './queries.ts'

const FACT = 'service-address'

export async function noteServiceAddress(app: App): Promise<void> {
  const { baseUrl } = app.config
  if ((await instanceFact(app.db, FACT)) !== baseUrl) await app.write(tx => setInstanceFact(tx, FACT, baseUrl), { wake: false })
}

/** As of the last start of the service, or of the configuration. No trailing slash. */
export async function serviceAddress(app: Pick<App, 'db' | 'config'>): Promise<string> {
  return (await instanceFact(app.db, FACT)) ?? app.config.baseUrl
}
