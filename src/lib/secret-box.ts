/** Encrypts small secrets by AES-256-GCM, with the name as additional data. NIST SP 800-38D. */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from './machine.ts'

/** `settings/sealed.ts` makes these names: it lists everything that is encrypted. */
export type SecretName = string & { readonly isSecretName: true }

export interface SecretBox {
  /** Returns nonce ‖ tag ‖ ciphertext. */
  encrypt(name: SecretName, secret: Uint8Array): Uint8Array
  /** Throws for another key or name, and for changed bytes. */
  decrypt(name: SecretName, encrypted: Uint8Array): Buffer
  /** Whether `decrypt` would return the secret. */
  opens(name: SecretName, encrypted: Uint8Array): boolean
  /** The same for the same key. Reveals nothing of it. */
  readonly fingerprint: string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** That of the box with this key. */
export const fingerprintOf = (key: Uint8Array): string =>
  createHmac('sha256', key).update('signet: fingerprint of the master key').digest('hex').slice(0, 32)

/** `key`: 32 bytes. */
export function secretBox(key: Uint8Array, random: Random): SecretBox {
  const box: SecretBox = {
    fingerprint: fingerprintOf(key),
    encrypt(name, secret) {
      const nonce = random(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
      const text = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    decrypt(name, encrypted) {
      const nonce = encrypted.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(name)).setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    },
    opens(name, encrypted) {
      try {
        box.decrypt(name, encrypted)
        return true
      } catch {
        // Another key and altered bytes fail alike.
        return false
      }
    },
  }
  return box
}
