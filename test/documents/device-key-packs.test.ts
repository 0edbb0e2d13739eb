/** Evidence packs of documents that the signer's own device signed too. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { unzipSync, zipSync } from 'fflate'
import { canonicalJson, commitment } from '../../src/core/document/audit-chain.ts'
import type { Json } from '../../src/core/document/event.ts'
import { LANGUAGES } from '../../src/core/language.ts'
import { describePack, type PackReport, type WrittenPackReport, writePackReport } from '../../src/evidence/pack/report.ts'
import { verifyPack } from '../../src/evidence/pack/verify-pack.ts'
import { localVerifyTextsOf } from '../../src/locales/local-verify.ts'
import { remarkTextsOf } from '../../src/locales/remark-texts.ts'
import { verifyTextsOf } from '../../src/locales/verify-texts.ts'
import { packView } from '../../views/verify/pack-view.ts'
import { textOf } from '../evidence/pdf-programs.ts'
import { askedBy, proofFor } from '../support/device-key.ts'
import { ONE } from '../support/sample.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'
import { openedDocument, SIGNED } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

type Fields = Record<string, Json>
type Read = Exclude<WrittenPackReport, { verdict: 'unreadable' }>

type Change = (event: Fields & { personal: Fields; data: Fields }) => unknown

const HOST = 'sign.example.com'
const ORIGIN = `https://${HOST}`
const device = new SoftAuthenticator(ORIGIN, HOST)
let t: TestApp
let pack: Record<string, Uint8Array>

/** Of the same person, after `pack`, with the same key. */
let later: Record<string, Uint8Array>

async function signedPack(email: string): Promise<Record<string, Uint8Array>> {
  const [first] = ONE.recipients
  const recipients = [{ ...first, email }]
  const { id, visitor, page } = await openedDocument(t, { ...ONE, recipients, deviceKey: 'required' }, email)
  const step = await visitor.submit(page, SIGNED, '/finish')
  await visitor.submit(step, { deviceKeyProof: proofFor(askedBy(step), device) }, '/finish')
  await t.drain()
  return unzipSync((await t.api('GET', `/documents/${id}/evidence`)).body)
}

beforeAll(async () => {
  t = await openTestApp({ env: { SIGNET_BASE_URL: ORIGIN } })
  t.clock.now = new Date()
  pack = await signedPack('Ada@example.com')
  t.mails.length = 0
  t.clock.pass({ days: 1 })
  later = await signedPack('ada@EXAMPLE.com')
})
afterAll(() => t.close())

const reportOf = (files: Record<string, Uint8Array>) => writePackReport(verifyPack(zipSync(files, { level: 0 }))) as Read

/** Changes the entry of the signature and the commitment to it, as whoever has the database can. */
function rewritten(change: Change): Record<string, Uint8Array> {
  const audit = JSON.parse(Buffer.from(pack['audit.json'] ?? '').toString())
  const event = audit.events.find(({ type }: Fields) => type === 'recipient.signed')
  change(event)
  const entry = { ...JSON.parse(event.entry), data: event.data, recipientId: event.recipientId, at: event.at }
  event.entry = canonicalJson({ ...entry, personal: commitment(event.salt, event.personal) })
  return { ...pack, 'audit.json': Buffer.from(`${JSON.stringify(audit, null, 2)}\n`) }
}

const deviceProblems = (files: Record<string, Uint8Array>) =>
  reportOf(files).checks.flatMap(({ code, outcome, text }) => (code === 'device_key_false' && outcome === 'failed' ? [text] : []))

const certificateText = (files: Record<string, Uint8Array>) => textOf(files['sealed.pdf'] ?? new Uint8Array())

test('the audit certificate says it, with the fingerprint, and knows the key of an earlier document', async () => {
  const text = await certificateText(pack)
  const fingerprint = reportOf(pack).people[0]?.deviceKey?.sha256 ?? ''
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Signed in addition with a key of their own device, after a finger, a face or a PIN',
  )
  expect(text.replaceAll(/\s/g, '')).toContain(`SHA-256${fingerprint}`)
  expect(text).not.toContain('the same key as on')
  expect((await certificateText(later)).replaceAll(/\s+/g, ' ')).toContain('the same key as on ')
  if (process.env.SHOTS) await Bun.write(`${process.env.SHOTS}/later.pdf`, later['sealed.pdf'] ?? '')
})

test('a pack names the key of the device, and says that it fits', () => {
  const report = reportOf(pack)
  expect(report.verdict).toBe('valid')
  expect(report.people[0]?.deviceKey).toMatchObject({ origin: ORIGIN, isUserVerified: true, isCrossOrigin: false })
  expect(report.checks.map(({ code }) => code)).toContain('device_keys_right')
  expect(describePack(report)).toContain('in addition with a key of their own device, SHA-256 ')
})

test('verify.html says it of the person, in the language of the reader', () => {
  const report = verifyPack(zipSync(pack, { level: 0 })) as PackReport
  for (const language of LANGUAGES) {
    const texts = localVerifyTextsOf(language)
    const time = (moment: Date) => moment.toISOString()
    const wording = { language, texts: verifyTextsOf(language), remarkTexts: remarkTextsOf('en'), time }
    const { people } = packView({ report, sha256: '' }, 'pack.zip', wording, texts)
    expect(people[0]?.[1]).toContain(texts.pack.person.deviceKey)
  }
})

describe('whoever rewrites the log cannot make the device sign what they wrote', () => {
  const proofIn = (personal: Fields) => personal.deviceKey as Fields & { facts: Fields }
  const changes: [string, Change, string][] = [
    [
      'another name of the mark',
      ({ personal }) => Object.assign(personal.signature as Fields, { text: 'Eve' }),
      'something else',
    ],
    ['another value', ({ personal }) => Object.assign(personal.fieldValues as Fields, { fld_x: '1000000' }), 'something else'],
    ['another file', ({ data }) => Object.assign(data, { originalSha256: 'ab'.repeat(32) }), 'something else'],
    ['another consent', ({ data }) => Object.assign(data, { consentSha256: 'ab'.repeat(32) }), 'something else'],
    ['another person', event => Object.assign(event, { recipientId: 'rcp_other' }), 'something else'],
    ['another day', event => Object.assign(event, { at: '2020-01-01T00:00:00.000Z' }), 'at another time'],
    ['a proof that is gone', ({ personal }) => Object.assign(personal, { deviceKey: null }), 'cannot be read'],
    ['another origin', ({ personal }) => Object.assign(proofIn(personal).facts, { origin: 'https://evil.example' }), 'not of'],
    ['another document', ({ personal }) => Object.assign(proofIn(personal).facts, { documentId: 'doc_x' }), 'another document'],
    [
      'less asked of the device',
      ({ personal }) => Object.assign(proofIn(personal).facts, { userVerification: 'preferred' }),
      'something else',
    ],
    [
      'a key of their own',
      ({ personal }) => Object.assign(proofIn(personal), { publicKey: new SoftAuthenticator(ORIGIN, HOST).publicKey }),
      'is wrong',
    ],
  ]
  for (const [what, change, said] of changes)
    test(what, () => {
      expect(deviceProblems(rewritten(change))).toEqual([expect.stringContaining(said)])
    })
})
