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
/** The entry that the seed of a device key belongs to, and what its statement says. */
export const DEVICE_ENTRY = {
  instance: 'ins_1',
  documentId: 'doc_1',
  at: '2026-11-28T12:01:00.000Z',
  earlier: new Set(['d'.repeat(64)]),
  recipientId: 'rcp_1',
  data: { originalSha256: 'a'.repeat(64), consentVersion: '1', consentSha256: 'c'.repeat(64) },
  personal: { fieldValues: { fld_1: '100' } },
}
export const DEVICE_FACTS = {
  instance: 'ins_1',
  origin: PASSKEY_SITE.origin,
  documentId: 'doc_1',
  previousHash: 'd'.repeat(64),
  at: '2026-11-28T12:00:00.000Z',
  userVerification: 'required',
} as const
