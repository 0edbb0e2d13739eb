/** The networks that webhooks may reach although they are refused by default. */
import { errorsIn, refuseIfInvalid } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { errorMessage } from '../lib/error-message.ts'
import { isWithin, METADATA_ADDRESSES, type Network, parseNetworks } from '../lib/net-guard.ts'
import type { App, Origin } from '../ports.ts'
import { changeServiceSettings, readServiceSetting } from '../settings/service-settings.ts'

const LOOPBACK = parseNetworks('127.0.0.0/8, ::1/128')

/** Those in force now, and loopback outside production. */
export async function allowedNetworks(app: Pick<App, 'config' | 'db' | 'secrets' | 'instance'>): Promise<Network[]> {
  const allowed = await readServiceSetting(app, 'webhookAllow')
  return app.instance.isProduction ? allowed : [...LOOPBACK, ...allowed]
}

function networksError(text: string): string | undefined {
  try {
    for (const network of parseNetworks(text)) {
      const found = METADATA_ADDRESSES.find(address => isWithin(address, [network]))
      if (found !== undefined) return `${network.text} contains the metadata address ${found} of a cloud: list smaller networks.`
    }
    return undefined
  } catch (error) {
    return `${errorMessage(error)}.`
  }
}

/** `text`: networks by spaces, commas or lines. @throws Refusal with the error of `networks` */
export async function changeAllowedNetworks(app: App, origin: Origin, text: string): Promise<void> {
  const words = networksError(text)
  if (words !== undefined) refuseIfInvalid(errorsIn([['networks', violation('not_accepted', { words })]]))
  const webhookAllow = parseNetworks(text)
    .map(network => network.text)
    .join(', ')
  await app.write(tx => changeServiceSettings(tx, app, origin, { webhookAllow }))
}
