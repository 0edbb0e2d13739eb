/** Signed statements: their time-stamp, and forms that are refused. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStatement, StatementError } from '../../src/evidence/signed-statement.ts'
import { writeStatement } from '../../src/evidence/write-statement.ts'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { allSealCertificates } from '../../src/settings/seal-certificate.ts'
import { signStatement } from '../../src/settings/sign-statement.ts'
import { useTestAuthority } from '../support/tsa.ts'
import { useTestApp } from '../support/use-app.ts'
import { hasOpenssl } from '../verify/tools.ts'

const CONTENT = { kind: 'test', title: 'Kaufvertrag für Müller --signet-test', number: 5 }

const read = (text: string, now: Date, roots = '') =>
  readStatement(Buffer.from(text), { timestampTrust: certificatesOfPem(roots).map(readCertificate), now })

describe('with an authority', () => {
  const authority = useTestAuthority()
  const t = useTestApp({ env: { SIGNET_TSA_URL: authority.url } })
  beforeEach(() => {
    // An authority stamps the time of the machine.
    t.clock.now = new Date()
  })
  const signed = () => signStatement(t.app, 'test', CONTENT)

  test.skipIf(!hasOpenssl)('the signature has a time-stamp, and openssl verifies it still', async () => {
    const text = await signed()
    expect(read(text, t.clock.now, authority.root)).toMatchObject({
      content: CONTENT,
      timestamp: { verdict: 'trusted', authority: 'tsa of tests', reasons: [] },
    })
    const [file, roots] = [join(t.folder, 'statement.eml'), join(t.folder, 'seal.pem')]
    writeFileSync(file, text)
    writeFileSync(roots, (await allSealCertificates(t.app.db)).certificates)
    const options = ['-CAfile', roots, '-partial_chain', '-purpose', 'any', '-no_check_time']
    const { exitCode, stdout } = Bun.spawnSync(['openssl', 'cms', '-verify', '-in', file, ...options], { stderr: 'ignore' })
    expect([exitCode, stdout.toString().includes('"Kaufvertrag für Müller --signet-test"')]).toEqual([0, true])
  })

  test('the time of an unknown authority, or of one whose certificate has ended, does not count', async () => {
    const text = await signed()
    expect(read(text, t.clock.now).timestamp).toMatchObject({ verdict: 'untrusted', reasons: [{ code: 'authority_untrusted' }] })
    const later = new Date(t.clock.now.getTime() + 100 * 365 * 86_400_000)
    expect(read(text, later, authority.root).timestamp?.verdict).toBe('untrusted')
  })

  test('a token of another signature is false', async () => {
    const [one, another] = [await signed(), await signStatement(t.app, 'test', { ...CONTENT, number: 6 })]
    const cmsOf = (text: string) => Buffer.from(text.split('\r\n\r\n').at(-1)?.split('\r\n--')[0] ?? '', 'base64')
    const { readSignedCms, readSignatureTimestamps } = await import('../../src/verify/cms.ts')
    const { withTimestamp } = await import('../../src/pades/cms.ts')
    const [token = new Uint8Array()] = readSignatureTimestamps(readSignedCms(cmsOf(another)))
    const text = await writeStatement({
      name: 'test',
      content: CONTENT,
      key: await t.app.sealKey(),
      timestamp: async cms => withTimestamp(cms, token),
    })
    expect(cmsOf(one).length).toBeGreaterThan(0)
    expect(read(text, t.clock.now, authority.root).timestamp).toMatchObject({
      verdict: 'false',
      reasons: [{ code: 'token_of_other_bytes' }],
    })
  })

  test('an authority that fails costs the time-stamp, never the statement', async () => {
    authority.behave('/tsa', () => new Response('', { status: 500 }))
    expect(read(await signed(), t.clock.now)).toMatchObject({ content: CONTENT, timestamp: undefined })
  })
})

describe('refused', () => {
  const t = useTestApp()
  const why = (text: string) => {
    try {
      read(text, t.clock.now)
      return 'accepted'
    } catch (error) {
      expect(error).toBeInstanceOf(StatementError)
      return (error as StatementError).remark.code
    }
  }

  test('another form, a changed content, more parts, other JSON of the same meaning', async () => {
    const text = await signStatement(t.app, 'test', CONTENT)
    expect(why(text)).toBe('accepted')
    expect(why(text.replaceAll('\r\n', '\n'))).toBe('accepted')
    for (const other of [
      '',
      '%PDF-1.7',
      text.slice(0, 300),
      text.slice(0, -8),
      `${text}--signet-test--\r\n`,
      'x'.repeat(300_000),
    ])
      expect(why(other)).toBe('statement_malformed')
    expect(why(text.replace('"number": 5', '"number": 6'))).toBe('statement_changed')
    expect(why(text.replace('Müller', 'Maier'))).toBe('statement_changed')
    expect(why(text.replace('"number": 5', '"number": 5,\r\n  "number": 5'))).toBe('statement_malformed')
    expect(why(text.replace('"number": 5', '"number":5'))).toBe('statement_malformed')
    expect(why(text.replace('charset=utf-8', 'charset=utf-16'))).toBe('statement_malformed')
    expect(why(text.replace(/\r\n\r\nMI/, '\r\n\r\nMJ'))).toBe('statement_unreadable')
  })
})
