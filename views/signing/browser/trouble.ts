/** Why the service did not take what was sent, and when it is sent again. */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { format } from './texts.ts'

export interface Trouble {
  /** `busy`: too many requests. `failed`: an error of the service. */
  kind: 'busy' | 'failed'
  waitS: number
}

/** Of a file. What is typed is sent again for as long as the page is open. */
export const MAX_TRIES = 4
const FIRST_WAIT_S = 2
const MAX_WAIT_S = 60

/** Seconds, growing with the number of failures. */
export const waitAfter = (failures: number) => Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** failures)

/** Undefined for an answer that would be the same again. `tries`: those that failed before. */
export function troubleOf(status: number, retryAfter: string | null, tries: number): Trouble | undefined {
  if (status !== 429 && status < 500) return undefined
  return { kind: status === 429 ? 'busy' : 'failed', waitS: Math.max(Number(retryAfter) || 0, waitAfter(tries)) }
}

export function troubleText(
  { trouble }: ScriptTexts,
  { kind, waitS }: Trouble,
  sent: keyof ScriptTexts['trouble'][Trouble['kind']],
  lang: string,
): string {
  const seconds = new Intl.NumberFormat(lang, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  return format(trouble[kind][sent], { time: seconds.format(waitS) })
}
