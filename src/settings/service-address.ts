/** Where the service is reached: short verbs do not know the flags that the serving process was started with, so it notes its address. */
import type { App } from '../ports.ts'
import { instanceFact, setInstanceFact } from './queries.ts'

const FACT = 'service-address'

/** Called by the serving process once it listens. */
export async function noteServiceAddress(app: App): Promise<void> {
  const { baseUrl } = app.config
  if ((await instanceFact(app.db, FACT)) !== baseUrl) await app.write(tx => setInstanceFact(tx, FACT, baseUrl), { wake: false })
}

/** The public address at the last start of the service; before the first one, what the configuration says. No trailing slash. */
export async function serviceAddress(app: Pick<App, 'db' | 'config'>): Promise<string> {
  return (await instanceFact(app.db, FACT)) ?? app.config.baseUrl
}
