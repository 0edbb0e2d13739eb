/** The seal certificate over the years: issued, renewed, imported, revoked; none is lost. */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../src/core/refusal.ts'
import { englishOfRefusal } from '../../src/locales/violations.ts'
import { readRevocationList, revocationListError } from '../../src/pki/crl.ts'
import { SealKeyError } from '../../src/pki/issue.ts'
import type { SealKey } from '../../src/pki/key.ts'
import { certificatePem, certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { COMMAND_LINE, type Origin, SYSTEM } from '../../src/ports.ts'
import {
  allSealCertificates,
  createFirstSealCertificate,
  createSealKeyLoader,
  crlUrlOf,
  describeSealCertificate,
  describeSealCertificates,
  importSealCertificate,
  ownRevocationList,
  renewSealCertificate,
  renewWhenDue,
  trustedRoots,
} from '../../src/settings/seal-certificate.ts'
import { allRevocationLists, revokeSealCertificate } from '../../src/settings/seal-root.ts'
import { secretName } from '../../src/settings/sealed.ts'
import { onSqlite } from '../support/engine.ts'
import { pkcs12File } from '../support/pkcs12.ts'
import { useSmallApp } from '../support/use-app.ts'
import { hasOpenssl } from '../verify/tools.ts'

const t = useSmallApp({ SIGNET_SEAL_KEY: 'ec-p256', SIGNET_BASE_URL: 'https://sign.example.com' })
beforeEach(() => createFirstSealCertificate(t.app))

const ADMIN: Origin = { ...SYSTEM, actor: { ...SYSTEM.actor, label: 'user:usr_1' }, ip: '192.0.2.7' }

const active = () => describeSealCertificate(t.app.db)
const firstOf = (chain: string) => certificatesOfPem(chain).slice(0, 1).map(certificatePem).join('')
const rootOf = (chain: string) => readCertificate(certificatesOfPem(chain).at(-1) ?? new Uint8Array())
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => (error instanceof Refusal ? englishOfRefusal(error) : String(error)),
  )

describe('renewal', () => {
  test('issues a new leaf under the same root, which makes the next seal', async () => {
    const keyOf = createSealKeyLoader(t.app)
    const [before, key] = [await active(), await keyOf()]
    const after = await renewSealCertificate(t.app, ADMIN)
    expect(after).toEqual(await active())
    expect(after.sha256).not.toBe(before.sha256)
    expect(rootOf(after.chain).der).toEqual(rootOf(before.chain).der)
    expect((await keyOf()).certificate).toEqual(certificatesOfPem(after.chain)[0] ?? new Uint8Array())
    expect((await keyOf()).certificate).not.toEqual(key.certificate)
    expect(await keyOf()).toBe(await keyOf())
  })

  test('keeps all former certificates, the active one first', async () => {
    const first = await active()
    const second = await renewSealCertificate(t.app, ADMIN)
    const third = await renewSealCertificate(t.app, ADMIN)
    const all = await describeSealCertificates(t.app.db)
    expect(all.map(one => [one.sha256, one.isActive, one.source])).toEqual([
      [third.sha256, true, 'own'],
      [second.sha256, false, 'own'],
      [first.sha256, false, 'own'],
    ])
    const { certificates, issuers } = await allSealCertificates(t.app.db)
    const leaves = [third, second, first].map(({ chain }) => certificatesOfPem(chain)[0] ?? new Uint8Array())
    expect(certificatesOfPem(certificates)).toEqual(leaves)
    expect(certificatesOfPem(issuers)).toEqual([rootOf(first.chain).der])
    expect(await trustedRoots(t.app.db)).toHaveLength(1)
  })

  test('makes a new root if the old one would expire first, and still trusts the old one', async () => {
    const before = await active()
    t.clock.pass({ days: 6 * 365 })
    const after = await renewSealCertificate(t.app, ADMIN)
    expect(rootOf(after.chain).der).not.toEqual(rootOf(before.chain).der)
    expect(after.notAfter.toISOString().slice(0, 4)).toBe('2037')
    expect(await trustedRoots(t.app.db)).toHaveLength(2)
    const lists = (await allRevocationLists(t.app)).map(readRevocationList)
    expect(lists.map(list => revocationListError(list, rootOf(after.chain), t.clock.now))).toContain(undefined)
    expect(lists.map(list => revocationListError(list, rootOf(before.chain), t.clock.now))).toContain(undefined)
  })

  test('twice at once happens once', async () => {
    const results = await Promise.all([
      refusalOf(renewSealCertificate(t.app, ADMIN)),
      refusalOf(renewSealCertificate(t.app, ADMIN)),
    ])
    expect(results.filter(result => result === 'done')).toHaveLength(1)
    expect(results.join()).toContain('meanwhile')
    expect(await describeSealCertificates(t.app.db)).toHaveLength(2)
  })

  test('that is due on two nodes at once happens once, and fails on neither', async () => {
    t.clock.pass({ days: 5 * 365 })
    await Promise.all([renewWhenDue(t.app), renewWhenDue(t.app)])
    expect(await describeSealCertificates(t.app.db)).toHaveLength(2)
    expect(t.logged.filter(entry => entry.what === 'seal certificate renewed')).toHaveLength(1)
  })

  test('by another node is seen by the next seal of this one', async () => {
    const keyOf = createSealKeyLoader(t.app)
    const before = await keyOf()
    const after = await renewSealCertificate(await t.rebooted(), ADMIN)
    expect((await keyOf()).certificate).not.toEqual(before.certificate)
    expect((await keyOf()).certificate).toEqual(certificatesOfPem(after.chain)[0] ?? new Uint8Array())
  })

  test('is automatic 90 days before the end, and not a day earlier', async () => {
    const before = await active()
    const daysTo = (before.notAfter.getTime() - t.clock.now.getTime()) / 86_400_000
    t.clock.pass({ days: Math.floor(daysTo - 90) })
    await renewWhenDue(t.app)
    expect((await active()).sha256).toBe(before.sha256)
    t.clock.pass({ days: 1 })
    await renewWhenDue(t.app)
    await renewWhenDue(t.app)
    expect((await active()).sha256).not.toBe(before.sha256)
    expect(await describeSealCertificates(t.app.db)).toHaveLength(2)
    expect(t.logged.filter(entry => entry.what === 'seal certificate renewed')).toHaveLength(1)
  })
})

describe('the revocation list', () => {
  const listNow = async () => readRevocationList(await ownRevocationList(t.app))

  test('exists from the first start, empty and valid, and does not change when it is read', async () => {
    const writes = t.writes()
    const list = await listNow()
    expect(list.revoked).toEqual([])
    expect(revocationListError(list, rootOf((await active()).chain), t.clock.now)).toBeUndefined()
    expect((list.nextUpdate?.getTime() ?? 0) - list.thisUpdate.getTime()).toBe(31 * 86_400_000)
    expect(t.writes()).toBe(writes)
  })

  test('is renewed after half of its validity, with a higher number', async () => {
    const first = await ownRevocationList(t.app)
    t.clock.pass({ days: 15 })
    await renewWhenDue(t.app)
    expect(await ownRevocationList(t.app)).toEqual(first)
    t.clock.pass({ days: 1 })
    await renewWhenDue(t.app)
    const writes = t.writes()
    const second = await listNow()
    expect(t.writes()).toBe(writes)
    expect([readRevocationList(first).number, second.number]).toEqual(['01', '02'])
    expect(second.thisUpdate).toEqual(t.clock.now)
  })

  test('is reissued when it is read too late, even if no schedule ran', async () => {
    t.clock.pass({ days: 40 })
    const lists = await Promise.all([listNow(), listNow()])
    expect(lists.map(list => list.number)).toEqual(['02', '02'])
    expect(lists.map(list => list.thisUpdate)).toEqual([t.clock.now, t.clock.now])
  })

  test('contains what an administrator revoked, at once and for ever', async () => {
    const before = await active()
    await renewSealCertificate(t.app, ADMIN)
    await revokeSealCertificate(t.app, ADMIN, before.sha256, 'keyCompromise')
    expect((await listNow()).revoked).toEqual([{ serial: before.serial, revokedAt: t.clock.now, reason: 1 }])
    t.clock.pass({ days: 100 })
    await renewWhenDue(t.app)
    expect((await listNow()).revoked).toHaveLength(1)
    expect((await describeSealCertificates(t.app.db))[1]?.revokedAt).toBeDate()
    expect((await allSealCertificates(t.app.db)).certificates).toContain(firstOf(before.chain))
  })

  test('never contains the active certificate, one twice, or an unknown one', async () => {
    const now = await active()
    expect(await refusalOf(revokeSealCertificate(t.app, ADMIN, now.sha256, 'unspecified'))).toContain('renew it first')
    await renewSealCertificate(t.app, ADMIN)
    await revokeSealCertificate(t.app, ADMIN, now.sha256, 'unspecified')
    expect(await refusalOf(revokeSealCertificate(t.app, ADMIN, now.sha256, 'superseded'))).toContain('was revoked on')
    expect(await refusalOf(revokeSealCertificate(t.app, ADMIN, '0'.repeat(64), 'unspecified'))).toContain('no seal certificate')
    expect((await listNow()).revoked).toEqual([{ serial: now.serial, revokedAt: t.clock.now, reason: undefined }])
  })

  test('is read by root, and an unknown root is refused', async () => {
    expect(await refusalOf(ownRevocationList(t.app, 'crt_unknown'))).toContain('no such authority')
    const url = new TextDecoder('latin1').decode(certificatesOfPem((await active()).chain)[0])
    const rootId = /https:\/\/sign\.example\.com\/seal\.crl\?root=(crt_\d{26})/.exec(url)?.[1]
    expect(rootId).toBeDefined()
    expect(await ownRevocationList(t.app, rootId)).toEqual(await ownRevocationList(t.app))
  })
})

test.each([
  ['http://127.0.0.1:3000', false],
  ['http://localhost:3000', false],
  ['http://sign.localhost', false],
  ['http://[::1]:3000', false],
  ['https://sign.example.com', true],
  ['http://10.1.2.3:3000', true],
])('at %s the list is public: %p', async (baseUrl, reachable) => {
  const app = { config: { ...t.app.config, baseUrl } }
  expect(crlUrlOf(app, 'crt_1')).toBe(reachable ? `${baseUrl}/seal.crl?root=crt_1` : undefined)
})

describe.skipIf(!hasOpenssl)('import (needs openssl)', () => {
  let file: Uint8Array
  beforeAll(() => {
    if (!hasOpenssl) return
    file = pkcs12File('geheim')
  })
  beforeEach(() => {
    t.clock.now = new Date(Date.now() + 3_600_000)
  })
  const isValid = async () => undefined

  test('tests the key first, and then activates it', async () => {
    const tried: SealKey[] = []
    const before = await active()
    const imported = await importSealCertificate(t.app, ADMIN, file, 'geheim', async key => {
      tried.push(key)
      expect((await active()).sha256).toBe(before.sha256)
      return undefined
    })
    expect(imported).toMatchObject({ subject: 'CN=Imported', algorithm: 'ec-p384', source: 'imported', isActive: true })
    expect(tried).toHaveLength(1)
    expect((await createSealKeyLoader(t.app)()).certificate).toEqual(tried[0]?.certificate ?? new Uint8Array())
    expect((await allSealCertificates(t.app.db)).certificates).toContain(firstOf(before.chain))
  })

  test('that fails changes nothing: wrong pass-phrase, or a test page that is not valid', async () => {
    const before = await describeSealCertificates(t.app.db)
    await expect(importSealCertificate(t.app, ADMIN, file, 'falsch', isValid)).rejects.toThrow(SealKeyError)
    const isInvalid = importSealCertificate(t.app, ADMIN, file, 'geheim', async () => 'the certificate is not trusted')
    await expect(isInvalid).rejects.toThrow('not valid: the certificate is not trusted')
    expect(await describeSealCertificates(t.app.db)).toEqual(before)
  })

  onSqlite(test)('stores the key only encrypted', async () => {
    await importSealCertificate(t.app, ADMIN, file, 'geheim', isValid)
    const rows = await t.app.db.selectFrom('seal_certificates').select(['sealed_key', 'id']).where('active', '=', 1).execute()
    const plain = t.app.secrets.decrypt(secretName('sealCertificate', rows[0]?.id ?? ''), rows[0]?.sealed_key ?? new Uint8Array())
    for (const name of ['signet.db', 'signet.db-wal']) expect(readFileSync(join(t.folder, name)).includes(plain)).toBeFalse()
  })

  test('twice has the effect of once', async () => {
    const first = await importSealCertificate(t.app, ADMIN, file, 'geheim', isValid)
    await renewSealCertificate(t.app, ADMIN, 'replace imported')
    expect((await active()).source).toBe('own')
    expect((await importSealCertificate(t.app, ADMIN, file, 'geheim', isValid)).sha256).toBe(first.sha256)
    expect(await describeSealCertificates(t.app.db)).toHaveLength(3)
  })

  test('is not replaced by a renewal without the option, and cannot be revoked here', async () => {
    const { sha256 } = await importSealCertificate(t.app, ADMIN, file, 'geheim', isValid)
    expect(await refusalOf(renewSealCertificate(t.app, ADMIN))).toContain('imported')
    expect((await active()).sha256).toBe(sha256)
    await renewSealCertificate(t.app, ADMIN, 'replace imported')
    expect(await refusalOf(revokeSealCertificate(t.app, ADMIN, sha256, 'unspecified'))).toContain('only its issuer')
  })

  test('trusts the certificate itself, not others of its issuer', async () => {
    const { chain } = await importSealCertificate(t.app, ADMIN, file, 'geheim', isValid)
    const [leaf = new Uint8Array(), authority = new Uint8Array(), ...more] = certificatesOfPem(chain)
    expect(more).toEqual([])
    const trusted = (await trustedRoots(t.app.db)).map(pem => certificatesOfPem(pem)[0])
    expect(trusted).toHaveLength(2)
    expect(trusted[0]).toEqual(leaf)
    const { certificates, issuers } = await allSealCertificates(t.app.db)
    expect(certificatesOfPem(certificates)).toContainEqual(leaf)
    expect(certificatesOfPem(certificates).some(der => readCertificate(der).isAuthority)).toBeFalse()
    expect(certificatesOfPem(issuers)).toContainEqual(authority)
  })
})

describe.skipIf(!hasOpenssl)('the audit log (needs openssl)', () => {
  const audited = async () => {
    const rows = await t.app.db.selectFrom('events').select('entry').orderBy('sequence').execute()
    return rows.map(({ entry }) => JSON.parse(entry) as { type: string; actor: string; data: Record<string, unknown> })
  }

  test('contains who renewed, imported and revoked which certificates, and nothing that was refused', async () => {
    const first = (await active()).sha256
    const second = (await renewSealCertificate(t.app, ADMIN)).sha256
    await revokeSealCertificate(t.app, COMMAND_LINE, first, 'superseded')
    await refusalOf(revokeSealCertificate(t.app, ADMIN, first, 'superseded'))
    t.clock.now = new Date(Date.now() + 3_600_000)
    const file = pkcs12File('geheim')
    const third = (await importSealCertificate(t.app, ADMIN, file, 'geheim', async () => undefined)).sha256
    await importSealCertificate(t.app, ADMIN, file, 'geheim', async () => undefined)
    await refusalOf(importSealCertificate(t.app, ADMIN, file, 'falsch', async () => undefined))
    await refusalOf(renewSealCertificate(t.app, ADMIN))
    expect(await audited()).toMatchObject([
      { type: 'seal_certificate.renewed', actor: 'user:usr_1', data: { sha256: second, previousSha256: first } },
      { type: 'seal_certificate.revoked', actor: 'command-line', data: { sha256: first, reason: 'superseded' } },
      { type: 'seal_certificate.imported', actor: 'user:usr_1', data: { sha256: third, previousSha256: second } },
    ])
    expect(await audited()).toHaveLength(3)
    expect(JSON.stringify(await audited())).not.toContain('geheim')
  })

  test('contains an automatic renewal as an act of the service', async () => {
    const before = await active()
    t.clock.now = new Date(before.notAfter.getTime() - 89 * 86_400_000)
    await renewWhenDue(t.app)
    await renewWhenDue(t.app)
    expect(await audited()).toMatchObject([
      {
        type: 'seal_certificate.renewed',
        actor: 'system',
        data: { sha256: (await active()).sha256, previousSha256: before.sha256 },
      },
    ])
  })
})
