/** What the verify page says of each answer of the verifier, in every language. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { answerOrder } from '../../../src/browser/answer-order.ts'
import { LANGUAGES, type Language } from '../../../src/core/language.ts'
import { localVerifyTextsOf } from '../../../src/locales/local-verify.ts'
import { remarkTextsOf } from '../../../src/locales/remark-texts.ts'
import { verifyTextsOf } from '../../../src/locales/verify-texts.ts'
import { type Answer, kindOf, NO_TRUST, type Trusted } from '../../../views/verify/browser/order.ts'
import { type OutcomeView, outcomeView } from '../../../views/verify/outcome-view.ts'
import { ADA, BOB } from '../../support/sample.ts'
import { sentDocument, signAs } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

let t: TestApp
type Bytes = Uint8Array<ArrayBuffer>
let files: { sealed: Bytes; pack: Bytes; otherPack: Bytes; receipt: Bytes; seal: Bytes }

async function completed(title: string) {
  const id = await sentDocument(t, { title })
  for (const { email, name } of [ADA, BOB]) {
    await signAs(t, email, name)
    await t.drain()
  }
  const get = async (path: string) => new Uint8Array((await t.api('GET', `/documents/${id}/${path}`)).body)
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  return { sealed: await get('file'), pack: await get('evidence'), receipt: await get(`recipients/${recipients[0].id}/receipt`) }
}

beforeAll(async () => {
  t = await openTestApp()
  const [one, two] = [await completed('Lease'), await completed('Other')]
  const seal = new Uint8Array(await (await t.fetch('/seal-certificate.pem')).arrayBuffer())
  files = { ...one, otherPack: two.pack, seal }
})

afterAll(() => t.close())

type Result = Exclude<Answer, { kind: 'certificates' }>
const now = () => t.clock.now.toISOString()
const given = (): Trusted => ({ ...NO_TRUST, trust: [new TextDecoder().decode(files.seal)] })
const answer = (kind: 'pdf' | 'pack', bytes: Bytes, trusted: Trusted = NO_TRUST) =>
  answerOrder({ kind, bytes, now: now(), ...trusted }) as Result
const ofReceipt = (trusted: Trusted, beside: { pack?: Bytes; sealed?: Bytes } = {}, bytes = files.receipt) =>
  answerOrder({ kind: 'receipt', bytes, now: now(), ...trusted, ...beside }) as Result

function view(
  result: Result,
  language: Language = 'en',
  source = { given: [] as string[], instance: undefined as string | undefined },
) {
  const wording = {
    language,
    texts: verifyTextsOf(language),
    remarkTexts: remarkTextsOf(language === 'de' ? 'de' : 'en'),
    time: (moment: Date) => moment.toISOString(),
  }
  return outcomeView(result, 'file.x', wording, localVerifyTextsOf(language), source)
}

/** Tone and heading, and whether people are named. */
function shown(outcome: OutcomeView): unknown[] {
  if (outcome.kind === 'problem') return ['problem', outcome.view.heading]
  return [outcome.view.tone, outcome.view.heading, outcome.view.people.map(([name]) => name)]
}

const changed = (bytes: Bytes, at: number): Bytes => {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
const { verdicts } = verifyTextsOf('en')
const { pack: ofPack, receipt, problems, trust } = localVerifyTextsOf('en')
const PEOPLE = [`Ada Lovelace (${ADA.email})`, `${BOB.name} (${BOB.email})`]

test('only what is verified by a certificate from elsewhere is shown as good', () => {
  expect(shown(view(answer('pdf', files.sealed, given())))).toEqual(['good', verdicts.valid.heading, []])
  expect(shown(view(answer('pdf', files.sealed)))).toEqual(['caution', verdicts.unknown.heading, []])
  expect(shown(view(answer('pack', files.pack, given())))).toEqual(['good', ofPack.verdicts.valid.heading, PEOPLE])
  expect(shown(view(answer('pack', files.pack)))).toEqual(['caution', ofPack.verdicts.validByPack.heading, PEOPLE])
  expect(shown(view(ofReceipt(given())))).toEqual(['good', receipt.verdicts.valid.heading, ['Ada Lovelace']])
  expect(shown(view(ofReceipt(given(), { pack: files.pack })))).toEqual([
    'good',
    receipt.verdicts.validWithLog.heading,
    ['Ada Lovelace'],
  ])
  // The pack brings the certificate along: whoever made both could have made it.
  for (const beside of [{}, { pack: files.pack }])
    expect(shown(view(ofReceipt(NO_TRUST, beside)))).toEqual(['caution', receipt.verdicts.unknown.heading, ['Ada Lovelace']])
})

test('the fingerprint beside the sealed PDF of a pack is that of the PDF', () => {
  const ofPdf = view(answer('pdf', files.sealed))
  const ofPack = view(answer('pack', files.pack))
  const sha256 = new Bun.CryptoHasher('sha256').update(files.sealed).digest('hex')
  expect([ofPdf, ofPack].map(one => one.kind === 'file' && one.view.sha256)).toEqual([sha256, sha256])
})

test.each(LANGUAGES)('of each person in a pack it says what the log knows besides, in %s', language => {
  const outcome = view(answer('pack', files.pack), language)
  const { person } = localVerifyTextsOf(language).pack
  const acts = outcome.kind === 'problem' ? [] : outcome.view.people.map(([, act]) => act)
  expect(acts).toHaveLength(2)
  for (const act of acts) {
    const number = Number(/\d+/.exec(act.split('; ').at(-1) ?? '')?.[0])
    expect(act).toEndWith(`; ${person.sealedEntry(number)})`)
    expect(act).toContain(person.consent('2026-'))
  }
})

test('nobody is named by what is not valid', () => {
  expect(shown(view(answer('pdf', changed(files.sealed, 2000), given())))).toEqual(['bad', verdicts.notValid.heading, []])
  const false_ = [ofReceipt(given(), { pack: files.otherPack }), ofReceipt(given(), {}, changed(files.receipt, 700))]
  for (const result of false_) expect(shown(view(result))).toEqual(['bad', receipt.verdicts.notValid.heading, []])
})

test('the reader sees which certificate to compare, and on whose word the verdict rests', () => {
  const source = { given: ['seal.pem'], instance: 'Acme' }
  const trusted = view(answer('pdf', files.sealed, given()), 'en', source)
  expect(trusted).toMatchObject({ trust: [trust.given('seal.pem'), trust.instance('Acme')], fingerprint: undefined })
  const unknown = view(answer('pdf', files.sealed))
  expect(unknown).toMatchObject({ trust: [trust.none], fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const byPack = view(answer('pack', files.pack))
  expect(byPack).toMatchObject({ trust: [trust.pack], fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(JSON.stringify(byPack)).not.toContain(verifyTextsOf('en').details.trust.trusted)
})

test('a file of another kind, damaged or locked says what to do', () => {
  const text = (value: string) => new TextEncoder().encode(value)
  expect(shown(view(answer('pack', files.pack.slice(0, 5000))))).toEqual(['problem', problems.damagedPack.heading])
  expect(shown(view(answer('pdf', text('%PDF-1.7 nothing'))))).toEqual(['caution', verdicts.unreadable.heading, []])
  expect(
    answerOrder({ kind: 'certificates', bytes: text('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----') }),
  ).toMatchObject({
    kind: 'problem',
    problem: 'wrongCertificate',
  })
  const kinds = [files.sealed, files.pack, files.receipt, files.seal, text('\x89PNG'), new Uint8Array()].map(kindOf)
  expect(kinds).toEqual(['pdf', 'pack', 'receipt', 'certificates', undefined, undefined])
})

describe.each(LANGUAGES)('in %s', language => {
  test('each result has words of this language', () => {
    const results = [
      answer('pdf', files.sealed, given()),
      answer('pack', files.pack),
      ofReceipt(given(), { pack: files.pack }),
      { kind: 'problem', problem: 'memory' } as Result,
    ]
    for (const result of results) {
      const { view: found } = view(result, language)
      expect(found.heading.length).toBeGreaterThan(2)
      expect(found.sentence).not.toMatch(/undefined|\[object|\$\{/)
    }
    const { view: ofPack } = view(answer('pack', files.pack), language)
    expect(ofPack.sentence).toContain('Lease')
  })
})
