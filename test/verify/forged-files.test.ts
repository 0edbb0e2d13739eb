/** Manipulated files: none is valid, and each gets the verdict in its table. */
import { describe, expect, test } from 'bun:test'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { type Forgery, Kit } from '../support/forged/document.ts'
import { FORGERIES, TOLERATED, UNFORGED } from '../support/forged-files.ts'
import { verifyBytes } from '../support/written-report.ts'

const certificates = (pem: string) => certificatesOfPem(pem).map(readCertificate)

function verdictOn({ make, trust }: Forgery, kit: Kit): string {
  const { signers, times } = trust?.(kit) ?? kit.trust
  return verifyBytes(make(kit), certificates(signers), certificates(times)).verdict
}

const kit = new Kit()
const byName = (list: readonly Forgery[]) => list.map(one => [one.name, one] as const)

test.each(byName(UNFORGED))('is valid before it is manipulated: %s', (_, file) => {
  expect(verdictOn(file, kit)).toBe('valid')
})

describe.each([...new Set(FORGERIES.map(({ source }) => source))])('%s', source => {
  test.each(byName(FORGERIES.filter(one => one.source === source)))('%s', (_, forgery) => {
    expect(verdictOn(forgery, kit)).toBe(forgery.verdict)
  })
})

test.each(byName(TOLERATED))('stays valid for the documented reason: %s', (_, forgery) => {
  expect(verdictOn(forgery, kit)).toBe(forgery.verdict)
})

describe.each([1, 2, 3] as const)('with a certification (P=%d)', level => {
  const certifying = new Kit(level)

  test.each(byName(FORGERIES))('is not valid: %s', (_, forgery) => {
    expect(['valid', 'valid-changed']).not.toContain(verdictOn(forgery, certifying))
  })
})

test('no table expects a forgery to be valid', () => {
  expect(FORGERIES.filter(({ verdict }) => verdict.startsWith('valid'))).toEqual([])
})

test('the names of forgeries are unique', () => {
  const names = FORGERIES.map(({ source, name }) => `${source}: ${name}`)
  expect(new Set(names).size).toBe(names.length)
})
