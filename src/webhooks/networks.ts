/** The networks that webhooks may reach although they are refused by default. */
import { type Network, parseNetworks } from '../lib/net-guard.ts'
import type { App } from '../ports.ts'
import { readServiceSetting } from '../settings/service-settings.ts'

const LOOPBACK = parseNetworks('127.0.0.0/8, ::1/128')

/** Those in force now, and loopback outside production. */
export async function allowedNetworks(app: Pick<App, 'config' | 'db' | 'secrets' | 'instance'>): Promise<Network[]> {
  const allowed = await readServiceSetting(app, 'webhookAllow')
  return app.instance.isProduction ? allowed : [...LOOPBACK, ...allowed]
}
