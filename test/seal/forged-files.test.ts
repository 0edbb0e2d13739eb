/** Manipulated files: the verifier calls none of them valid, and each is given the verdict that its table names. */
import { describe, expect, test } from 'bun:test'
import { certificatesOfPem, readCertificate } from '../../src/seal/certificate.ts'
import { verifyBytes } from '../../src/seal/verify.ts'
import { catalog, document, type Forgery, Kit, update } from '../support/forged/document.ts'
import { FORGERIES, TOLERATED } from '../support/forged-files.ts'

const kit = new Kit()
const certificates = (pem: string) => certificatesOfPem(pem).map(readCertificate)

function verify(bytes: Uint8Array, { signers, times } = kit.trust) {
  return verifyBytes(bytes, certificates(signers), certificates(times))
}

describe('what the forgeries are made from is valid', () => {
  test.each([
    ['an approval', () => kit.sign()],
    ['a certification that allows nothing', () => kit.sign(undefined, { certifies: 1 })],
    ['a certification that allows forms', () => kit.sign(undefined, { certifies: 2 })],
    ['a second signature', () => kit.sign(kit.sign(), { field: 16 })],
    [
      'a second signature over a certification',
      () =>
        kit.sign(kit.sign(undefined, { certifies: 2 }), {
          field: 16,
          changes: { 1: catalog({ fields: [7, 14, 16], more: '/Perms << /DocMDP 15 0 R >>' }) },
        }),
    ],
    ['a document time-stamp behind it', () => kit.stamp(kit.sign())],
    ['a document that was updated before', () => kit.sign(update(document(), { 9: '<< /Title (Second) >>' }))],
  ])('%s', (_, make) => {
    const report = verify(make())
    expect({ verdict: report.verdict, reasons: 'reasons' in report ? report.reasons : report.reason }).toEqual({
      verdict: 'valid',
      reasons: [],
    })
  })
})

function forged({ make, trust }: Forgery): string {
  return verify(make(kit), trust?.(kit)).verdict
}

describe.each([...new Set(FORGERIES.map(({ source }) => source))])('%s', source => {
  for (const forgery of FORGERIES.filter(one => one.source === source)) {
    const run = forgery.isOpen ? test.todo : test
    run(forgery.name, () => {
      expect(forged(forgery)).toBe(forgery.verdict)
    })
  }
})

test.each(TOLERATED.map(one => [one.name, one] as const))('stays valid with its reason given: %s', (_, forgery) => {
  expect(forged(forgery)).toBe('valid')
})

test('none of the forgeries is to be valid', () => {
  expect(FORGERIES.filter(({ verdict }) => verdict === 'valid')).toEqual([])
})

test('no two forgeries have one name', () => {
  const names = FORGERIES.map(({ source, name }) => `${source}: ${name}`)
  expect(new Set(names).size).toBe(names.length)
})
