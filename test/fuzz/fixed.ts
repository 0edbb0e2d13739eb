/** What seeds and readers have in common. */
import type { Random } from '../../src/lib/machine.ts'

/** The bytes that the signatures and tokens of the corpus are over. */
export const SIGNED_TEXT = Buffer.from('What was signed.')

/** The nonce of the time-stamp in the corpus. */
export const FIXED_RANDOM: Random = bytes => Uint8Array.from({ length: bytes }, (_, i) => (i * 37 + 11) % 256)

export const PASSPHRASE = 'secret'

export const OIDC = {
  registration: {
    issuer: 'https://id.acme.example',
    clientId: 'signet',
    clientSecret: 'a secret of the tests',
    redirectUri: 'https://sign.example.com/login/oidc',
  },
  secrets: { state: 'state-1', nonce: 'nonce-1', verifier: 'v'.repeat(43) },
}

export const PASSKEY_SITE = { origin: 'https://sign.example.com', host: 'sign.example.com' }
