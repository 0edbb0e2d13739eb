/** A seal from B-B to B-LTA with an openssl authority on loopback: each stage gets its level. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../../src/evidence/prepare.ts'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { addValidationData, prepareTimestamp } from '../../src/pades/augment.ts'
import { fill, sign, signatureValueOf, withTimestamp } from '../../src/pades/cms.ts'
import { collectValidationData } from '../../src/pades/validation-data.ts'
import { issueRevocationList } from '../../src/pki/issue.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import type { VerificationReport } from '../../src/verify/report.ts'
import { SOURCES } from '../support/archived.ts'
import { useFolder } from '../support/folders.ts'
import { EVIDENCE, fieldOn, RED_BOXES, SIGNATURE } from '../support/prepare-request.ts'
import { type TestAuthority, testAuthority } from '../support/test-pki.ts'

import { openTestAuthority, stampBy, type TestAuthority as TimeAuthority } from '../support/tsa.ts'
import { verifyFile } from '../support/written-report.ts'

import { sha256 } from './tokens.ts'
import { hasOpenssl } from './tools.ts'

const allow = parseNetworks('127.0.0.0/8')
const { send } = THIS_MACHINE
const folder = useFolder()
let time: TimeAuthority
let count = 0
beforeAll(() => {
  if (hasOpenssl) time = openTestAuthority()
})
afterAll(async () => {
  if (hasOpenssl) await time.close()
})
const fresh = (): string => join(folder, `file-${++count}.pdf`)

async function stamped(sourcePath: string, key: TestAuthority['key']) {
  const at = new Date().toISOString()
  const order = {
    sourcePath,
    outPath: fresh(),
    fields: [fieldOn(1)],
    evidence: EVIDENCE,
    signature: { ...SIGNATURE, at, contentsBytes: 16_384 },
  }
  const signed = await sign(await prepare(order, RED_BOXES), key)
  const { token, path } = await stampBy(time, sha256(signatureValueOf(signed.contents)))
  await fill(THIS_FILE_SYSTEM, { ...signed, contents: withTimestamp(signed.contents, token) })
  return { sealed: order.outPath, chain: path }
}

async function archived(sourcePath: string): Promise<string> {
  const prepared = await prepareTimestamp({ sourcePath, outPath: fresh(), contentsBytes: 12_000 }, THIS_MACHINE)
  const { token } = await stampBy(time, Buffer.from(prepared.digest, 'hex'))
  await fill(THIS_FILE_SYSTEM, { prepared, contents: token })
  return prepared.path
}

describe.skipIf(!hasOpenssl)('a seal raised from B-T to B-LTA (needs openssl)', () => {
  test.each([
    ...SOURCES.map(([what, source]) => ['ec-p256', what, source] as const),
    ...SOURCES.slice(0, 1).map(([what, source]) => ['rsa-3072', what, source] as const),
  ])(
    'by %s over %s',
    async (keyType, _, source) => {
      const own = await testAuthority(keyType, { now: new Date() })
      const originalPath = fresh()
      writeFileSync(originalPath, source())
      const verify = async (path: string, timestampTrust = [time.root]) => {
        const report = await verifyFile({ path, trust: [own.rootPem], timestampTrust, originalPath })
        if (report.verdict === 'unreadable') throw new Error(report.reason)
        return report
      }
      const reasons = (report: VerificationReport<string>) => [
        ...report.reasons,
        ...report.signatures.flatMap(one => one.reasons),
      ]
      const { sealed, chain } = await stamped(originalPath, own.key)
      const atT = await verify(sealed)
      expect(reasons(atT)).toEqual([])
      expect(atT).toMatchObject({
        verdict: 'valid',
        additions: [],
        signatures: [{ level: 'B-T', time: { timestamp: { trusted: true } } }],
      })

      const now = new Date()
      const day = new Date(now.getTime() + 86_400_000)
      const revocationList = issueRevocationList({ root: own.root, thisUpdate: now, nextUpdate: day, number: 1, revoked: [] })
      const seal = own.key.chain.map(readCertificate)
      const root = readCertificate(own.root.certificateDer)
      const { material, missing } = await collectValidationData({
        chains: [seal, chain],
        at: now,
        net: { allow, send },
        own: { root, revocationList },
      })
      expect(missing).toEqual([])
      const long = await addValidationData({ sourcePath: sealed, outPath: fresh(), material }, THIS_MACHINE)
      const atLt = await verify(long.path)
      expect(reasons(atLt)).toEqual([])
      expect(atLt).toMatchObject({
        verdict: 'valid',
        sha256: long.sha256,
        signatures: [{ level: 'B-LT', coversWholeFile: false }],
      })

      const path = await archived(long.path)
      const report = await verify(path)
      expect(reasons(report)).toEqual([])
      expect(report).toMatchObject({
        verdict: 'valid',
        signatures: [{ level: 'B-LTA' }, { kind: 'document-timestamp', coversWholeFile: true }],
      })
      expect(report.additions).toHaveLength(2)
      const renewed = await verify(await archived(path))
      expect(reasons(renewed)).toEqual([])
      expect(renewed).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-LTA' }, {}, {}] })

      // Without the authority the seal is as valid as before, at a lower level.
      const stranger = await verify(path, [])
      expect(stranger).toMatchObject({
        verdict: 'valid',
        signatures: [{ level: 'B-B', reasons: [], time: { timestamp: { trusted: false } } }, { trust: 'unknown' }],
      })

      const spoiled = fresh()
      copyFileSync(path, spoiled)
      writeFileSync(spoiled, Buffer.concat([readFileSync(spoiled), Buffer.from('\n')]))
      expect(await verify(spoiled)).toMatchObject({ verdict: 'not-valid' })
    },
    60_000,
  )
})
