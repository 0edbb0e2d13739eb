/** Certificates and keys for tests: authorities of both key types. */
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { type Authority, type KeyType, localKey, makeAuthority, type SealKey } from '../../src/pki/key.ts'
import { certificatePem } from '../../src/pki/x509.ts'

export const SEAL_TIME = new Date('2031-03-04T05:06:07Z')

export interface TestAuthority extends Authority {
  key: SealKey
  rootPem: string
  leafPem: string
}

export async function testAuthority(
  keyType: KeyType = 'ec-p256',
  { organisation = 'Contoso Verträge GmbH', now = SEAL_TIME, environment = 'test' } = {},
): Promise<TestAuthority> {
  const authority = await makeAuthority({ ...THIS_MACHINE, organisation, keyType, now, environment })
  return {
    ...authority,
    key: localKey({ leaf: authority.leaf, issuers: [authority.root.certificateDer] }, THIS_MACHINE.threads),
    rootPem: certificatePem(authority.root.certificateDer),
    leafPem: certificatePem(authority.leaf.certificateDer),
  }
}

const made = new Map<string, Promise<TestAuthority>>()

/** One authority per name and key type: making RSA keys takes a second. */
export function sharedAuthority(keyType: KeyType = 'ec-p256', name = 'ours'): Promise<TestAuthority> {
  const id = `${name} ${keyType}`
  const known = made.get(id) ?? testAuthority(keyType, { organisation: `${name} Ωμέγα 株式会社` })
  made.set(id, known)
  return known
}
