/** `signet evidence verify` of packs of real documents: people, exit codes, JSON, certificates. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { type Io, UsageError } from '../../src/cli/verb.ts'
import { evidenceVerify } from '../../src/cli/verify.ts'
import { LANGUAGES } from '../../src/core/language.ts'
import { openVisitor } from '../support/browser-less.ts'
import { everyKindCompleted } from '../support/every-kind-story.ts'
import { useFolder } from '../support/folders.ts'
import { PROGRAM } from '../support/program.ts'
import { ADA, BOB, SIGNATURE } from '../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs, signedDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
const folder = useFolder()
beforeAll(async () => {
  t = await openTestApp()
  t.clock.now = new Date()
})
afterAll(() => t.close())

const put = (name: string, bytes: Uint8Array): string => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

async function packOf(id: string): Promise<Uint8Array> {
  const { status, body } = await t.api('GET', `/documents/${id}/evidence`)
  expect(status).toBe(200)
  return body
}

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const ran = { code: -1, out: '' }
  const io: Io = {
    out: text => {
      ran.out += text
    },
    err: () => {},
    env: {},
    stdin: async () => '',
    command: [...PROGRAM, '__pdf-child'],
    open: () => Promise.reject(new Error('no installation is opened')),
    serve: () => Promise.reject(new Error('nothing is served')),
  }
  ran.code = await evidenceVerify.run(args, io)
  return ran
}

const CAROL = { name: 'Carol King', email: 'carol@example.com' }

/** Ada delegates to Carol, Bob's name is corrected and he approves. */
async function eventful(locale: string): Promise<string> {
  const recipients = [
    { ...ADA, fields: [SIGNATURE] },
    { ...BOB, role: 'approver' },
  ]
  const id = await sentDocument(t, { title: `Vertrag ${locale}`, locale, recipients })
  const bob = (await t.api('GET', `/documents/${id}`)).body.recipients[1]
  await t.api('PATCH', `/documents/${id}/recipients/${bob.id}`, { name: 'Bob Correct' })
  await t.drain()
  const { visitor, page } = await openLinkAs(t, ADA.email)
  await visitor.submit(page, CAROL, '/delegate')
  await t.drain()
  await signAs(t, CAROL.email, 'Carol')
  await signAs(t, BOB.email, 'Bob Correct')
  await t.drain()
  return id
}

test.each(LANGUAGES)('a document in %s with a delegation, a correction and an approval', async locale => {
  const { code, out } = await run(put(`${locale}.zip`, await packOf(await eventful(locale))))
  expect(out).toStartWith(`VALID: the evidence of “Vertrag ${locale}” (doc_`)
  expect(code).toBe(0)
  expect(out).toContain('Carol King <carol@example.com> signed it at ')
  expect(out).toContain(`Bob Correct <${BOB.email}> approved it at `)
  expect(out.match(/^- /gm)).toBeNull()
})

test('a document with every kind of field, photos and attachments, also as the releases before made packs', async () => {
  const { id } = await everyKindCompleted(t)
  const bytes = await packOf(id)
  const { code, out } = await run(put('every.zip', bytes))
  expect(out.match(/^- .*/gm)).toBeNull()
  expect(code).toBe(0)
  expect(out).toContain('files that signers added are those of the log')
  const { 'seal-chain.pem': chain, 'seal.pem': seal, ...rest } = unzipSync(bytes)
  const mixed = Buffer.concat([seal ?? Buffer.of(), chain ?? Buffer.of()])
  expect((await run(put('former.zip', zipSync({ ...rest, 'seal.pem': mixed })))).code).toBe(0)
  const attachment = Object.keys(rest).find(name => name.startsWith('attachments/')) ?? ''
  const other = await run(put('other.zip', zipSync({ ...unzipSync(bytes), [attachment]: Buffer.from('x') })))
  expect([other.code, other.out]).toEqual([1, expect.stringMatching(/^NOT VALID: Not as SHA256SUMS says: attachments/)])
})

describe('exit codes', () => {
  let pack: Uint8Array
  beforeAll(async () => {
    const id = await signedDocument(t)
    pack = await packOf(id)
  })

  test('0 with the certificate that was given; its source is named', async () => {
    const seal = put('seal.pem', unzipSync(pack)['seal.pem'] ?? Buffer.of())
    const { code, out } = await run(put('good.zip', pack), '--trust', seal)
    expect(code).toBe(0)
    expect(out).toContain('The seal was verified with the certificates that you gave.')
    const json = JSON.parse((await run(put('good.zip', pack), '--json')).out)
    expect(json).toMatchObject({ verdict: 'valid', trustedBy: 'pack', people: [{ name: ADA.name }], seal: { verdict: 'valid' } })
  })

  test('4 where the given certificate is of somebody else', async () => {
    const other = await openTestApp()
    const pem = await (await other.fetch('/seal-certificate.pem')).text()
    await other.close()
    const { code, out } = await run(put('good.zip', pack), '--trust', put('other.pem', Buffer.from(pem)))
    expect([code, out]).toEqual([4, expect.stringMatching(/^UNCHANGED, SIGNER NOT KNOWN: /)])
  })

  test('1 and no name of a person where something is false', async () => {
    const files = unzipSync(pack)
    const audit = JSON.parse(Buffer.from(files['audit.json'] ?? '').toString())
    audit.document.recipients[0].name = 'Mallory'
    const { code, out } = await run(
      put('false.zip', zipSync({ ...files, 'audit.json': Buffer.from(`${JSON.stringify(audit, null, 2)}\n`) })),
    )
    expect([code, out]).toEqual([1, expect.stringMatching(/^NOT VALID: .*name is "Mallory", and the log says "Ada Lovelace"\./)])
    expect(out).not.toContain('signed it at')
  })

  test('6 where a later release added a member', async () => {
    const files = unzipSync(pack)
    const audit = JSON.parse(Buffer.from(files['audit.json'] ?? '').toString())
    const later = { ...files, 'audit.json': Buffer.from(`${JSON.stringify({ ...audit, receipts: [] }, null, 2)}\n`) }
    const { code, out } = await run(put('later.zip', zipSync(later)))
    expect([code, out]).toEqual([
      6,
      expect.stringMatching(/^NOT CHECKED: audit.json has members that this release .*: receipts\./),
    ])
  })

  test('2 for what is no pack, and a usage error for no file', async () => {
    const { code, out } = await run(put('text.zip', Buffer.from('text')))
    expect([code, out]).toEqual([2, 'CANNOT BE READ: it is not a ZIP, or it is damaged.'])
    expect(run(join(folder, 'none.zip'))).rejects.toThrow(UsageError)
  })
})

test('a code that the sender unlocked after the seal does not fail the pack', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE], accessCode: 'tulip-42' }] })
  const enter = async (accessCode: string) => {
    const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
    return { visitor, page: await visitor.submit(await visitor.get(linkTo(t, ADA.email)), { accessCode }) }
  }
  const { visitor, page } = await enter('tulip-42')
  await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
  await t.drain()
  for (let i = 0; i < 5; i++) {
    await enter('wrong-code')
    t.clock.pass({ minutes: 10 })
  }
  const [recipient] = (await t.api('GET', `/documents/${id}`)).body.recipients
  expect((await t.api('POST', `/documents/${id}/recipients/${recipient.id}/unlock`)).status).toBe(200)
  const { code, out } = await run(put('unlocked.zip', await packOf(id)))
  expect(out).not.toContain('impossible')
  expect(code).toBe(0)
})
