/** Secrets and signatures of webhook deliveries by Standard Webhooks 1.0.0. */
import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

export interface Delivery {
  /** The event's id; the same for each retry. Contains no dot, which separates the signed parts. */
  id: string
  /** Unix seconds of this attempt. */
  timestamp: number
  /** Exactly the bytes that are sent; text as UTF-8. */
  body: string | Uint8Array
  /** One signature for each, so that a receiver may know the old or the new one during a change. */
  secrets: readonly string[]
}

export interface SignatureHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** A symmetric secret from 24 to 64 random bytes. Standard Webhooks 1.0.0, "Signature scheme". */
export function newSecret(random: Uint8Array): string {
  if (random.length < 24 || random.length > 64) throw new Error('a webhook secret has 24 to 64 bytes')
  return PREFIX + Buffer.from(random).toString('base64')
}

/** HMAC-SHA256 over `id.timestamp.body` under each secret's decoded bytes. */
export function sign({ id, timestamp, body, secrets }: Delivery): SignatureHeaders {
  if (!/^[\x21-\x2d\x2f-\x7e]+$/.test(id)) throw new Error('a webhook id is printable ASCII without a dot')
  if (!Number.isSafeInteger(timestamp)) throw new Error('a webhook time-stamp is in whole seconds')
  if (secrets.length === 0) throw new Error('a delivery is signed by at least one secret')
  const signatures = secrets.map(secret => {
    const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
    return `v1,${mac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}

function keyOf(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const key = Buffer.from(text, 'base64')
  // Buffer ignores invalid characters: only encoding again shows that the text was base64.
  if (key.length < 24 || key.toString('base64') !== text)
    throw new Error('a webhook secret is whsec_ and the base64 of 24 to 64 bytes')
  return key
}
