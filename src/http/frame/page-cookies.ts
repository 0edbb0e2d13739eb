/** The names and texts of the cookies of pages. */
import { isHttps } from '../../config.ts'
import type { App } from '../../ports.ts'

/** Browsers bind the `__Host-` prefix to this host. They refuse it on http. */
export function cookieName({ config }: Pick<App, 'config'>, name: string): string {
  return isHttps(config) ? `__Host-${name}` : name
}

/** RFC 6265 §4.1. Without an age the cookie ends with the browser session. */
export function cookieText({ config }: Pick<App, 'config'>, name: string, value: string, maxAgeS: number | undefined): string {
  const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`
  return `${cookieName({ config }, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${isHttps(config) ? '; Secure' : ''}${age}`
}
