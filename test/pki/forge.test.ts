/** Our certificates and CMS, read by node-forge. */
import { expect, test } from 'bun:test'
import forge from 'node-forge'
import { createSignedData } from '../../src/pades/cms.ts'
import { sharedAuthority } from '../support/test-pki.ts'

test('node-forge reads the chain and finds the leaf signed by the root', async () => {
  const { rootPem, leafPem } = await sharedAuthority('rsa-3072')
  const [root, leaf] = [forge.pki.certificateFromPem(rootPem), forge.pki.certificateFromPem(leafPem)]
  expect(root.verify(leaf)).toBe(true)
  expect(root.verify(root)).toBe(true)
  expect(() => leaf.verify(root)).toThrow()
})

test('node-forge reads the CMS as SignedData without content and with one signer', async () => {
  const { key } = await sharedAuthority('rsa-3072')
  const der = await createSignedData({ digest: new Uint8Array(32), key })
  const message = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(Buffer.from(der).toString('binary')))
  expect('certificates' in message ? message.certificates.length : 'not SignedData').toBe(2)
})
