/** The page on which a signer's device signs, and the response of a device in software. */
import { type Page, textOf } from './browser-less.ts'
import type { Deviation, SoftAuthenticator } from './soft-authenticator.ts'

export interface AskedKey {
  challenge: string
  userVerification: string
  statement: { previousHash: string; at: string }
}

/** What the page asks the device for; undefined if it is another page. */
export function keyAskedBy({ html }: Page): AskedKey | undefined {
  const [, json] = /id="device-key-data"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

export function askedBy(page: Page): AskedKey {
  const asked = keyAskedBy(page)
  if (asked === undefined) throw new Error(`no device key is asked for: ${textOf(page)}`)
  return asked
}

/** As the script of the page sends it. */
export function proofFor({ challenge, statement }: AskedKey, device: SoftAuthenticator, deviation: Deviation = {}): string {
  const { response } = JSON.parse(device.get({ challenge }, deviation))
  const { authenticatorData, clientDataJSON: clientDataJson, signature } = response
  const { id: credentialId, publicKey } = device
  return JSON.stringify({ ...statement, credentialId, publicKey, authenticatorData, clientDataJson, signature })
}
