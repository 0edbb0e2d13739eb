/** Evidence packs of documents that the signer's own device signed too. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { LANGUAGES } from '../../src/core/language.ts'
import { describePack, type PackReport, type WrittenPackReport, writePackReport } from '../../src/evidence/pack/report.ts'
import { verifyPack } from '../../src/evidence/pack/verify-pack.ts'
import { localVerifyTextsOf } from '../../src/locales/local-verify.ts'
import { remarkTextsOf } from '../../src/locales/remark-texts.ts'
import { verifyTextsOf } from '../../src/locales/verify-texts.ts'
import { packView } from '../../views/verify/pack-view.ts'
import { textOf } from '../evidence/pdf-programs.ts'
import { ENTRY_CHANGES, KEY_ORIGIN, newDevice, packWithKey, withEntry } from '../support/device-key-packs.ts'
import type { PackFiles } from '../support/packs.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

type Read = Exclude<WrittenPackReport, { verdict: 'unreadable' }>

const device = newDevice()
let t: TestApp
let pack: PackFiles
/** Of the same person, after `pack`, with the same key. */
let later: PackFiles

beforeAll(async () => {
  t = await openTestApp({ env: { SIGNET_BASE_URL: KEY_ORIGIN } })
  t.clock.now = new Date()
  pack = await packWithKey(t, device, 'Ada@example.com')
  t.mails.length = 0
  t.clock.pass({ days: 1 })
  later = await packWithKey(t, device, 'ada@EXAMPLE.com')
})
afterAll(() => t.close())

const reportOf = (files: PackFiles) => writePackReport(verifyPack(zipSync(files, { level: 0 }))) as Read

const deviceProblems = (files: PackFiles) =>
  reportOf(files).checks.flatMap(({ code, outcome, text }) => (code === 'device_key_false' && outcome === 'failed' ? [text] : []))

const certificateText = (files: PackFiles) => textOf(files['sealed.pdf'] ?? new Uint8Array())

test('the audit certificate says it, with the fingerprint, and knows the key of an earlier document', async () => {
  const text = await certificateText(pack)
  const fingerprint = reportOf(pack).people[0]?.deviceKey?.sha256 ?? ''
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Signed in addition with a key of their own device, after a finger, a face or a PIN',
  )
  expect(text.replaceAll(/\s/g, '')).toContain(`SHA-256${fingerprint}`)
  expect(text).not.toContain('the same key as on')
  expect((await certificateText(later)).replaceAll(/\s+/g, ' ')).toContain('the same key as on ')
})

test('a pack names the key of the device, and says that it fits', () => {
  const report = reportOf(pack)
  expect(report.verdict).toBe('valid')
  expect(report.people[0]?.deviceKey).toMatchObject({ origin: KEY_ORIGIN, isUserVerified: true, isCrossOrigin: false })
  expect(report.checks.map(({ code }) => code)).toContain('device_keys_right')
  expect(describePack(report)).toContain('in addition with a key of their own device, SHA-256 ')
})

test('verify.html says it of the person, in the language of the reader', () => {
  const report = verifyPack(zipSync(pack, { level: 0 })) as PackReport
  for (const language of LANGUAGES) {
    const texts = localVerifyTextsOf(language)
    const time = (moment: Date) => moment.toISOString()
    const wording = { language, texts: verifyTextsOf(language), remarkTexts: remarkTextsOf('en'), time }
    const { people } = packView(report, 'pack.zip', wording, texts)
    expect(people[0]?.[1]).toContain(texts.pack.person.deviceKey)
  }
})

describe('whoever rewrites the log cannot make the device sign what they wrote', () => {
  for (const [what, change, said] of ENTRY_CHANGES)
    test(what, () => {
      expect(deviceProblems(withEntry(pack, change))).toEqual([expect.stringContaining(said)])
    })
})
