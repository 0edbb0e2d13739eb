/**
 * For whom child tasks are done: a person with all their tokens and sessions, an address, or the
 * service.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { SCOPES } from '../../../src/ports.ts'
import type { PdfTools } from '../../../src/sandbox/pdf-tools.ts'
import { currentOwner } from '../../../src/sandbox/task-owner.ts'
import { addPerson } from '../../support/accounts.ts'
import { pdfTools } from '../../support/pdf-tools.ts'
import { ADA, newDocument, ONE, samplePdf } from '../../support/sample.ts'
import { sentDocument, signAs } from '../../support/story.ts'
import { ORIGIN, openTestApp, type TestApp } from '../../support/test-app.ts'
import { signedIn } from '../../support/visitors.ts'

let t: TestApp
let owners: string[] = []
beforeEach(async () => {
  owners = []
  const noted = <Order, Answer>(work: (order: Order) => Promise<Answer>) => {
    return (order: Order): Promise<Answer> => {
      owners.push(currentOwner())
      return work(order)
    }
  }
  const real = pdfTools()
  const pdf: PdfTools = { ...real, inspect: noted(real.inspect), verify: noted(real.verify), prepare: noted(real.prepare) }
  t = await openTestApp({ pdf, env: { SIGNET_TRUST_PROXY: '127.0.0.0/8' } })
})
afterEach(() => t.close())

async function createBy(key: string): Promise<void> {
  const { status } = await t.api('POST', '/documents', await newDocument(), { authorization: `Bearer ${key}` })
  expect(status).toBe(201)
}

test('two tokens and a session of one person are one owner, another person is another', async () => {
  const [grace, bob] = [await addPerson(t, 'Grace', 'member', { signsIn: true }), await addPerson(t, 'Bob', 'member')]
  const keyOf = async (person: typeof grace, name: string) =>
    (await createKey(t.app, { userId: person.id }, { name, scopes: [...SCOPES], expiresInDays: undefined })).key
  for (const key of [await keyOf(grace, 'one'), await keyOf(grace, 'two'), await keyOf(bob, 'three')]) await createBy(key)
  const visitor = await signedIn(t, grace)
  const file = { name: 'a.pdf', bytes: Buffer.from(await samplePdf(), 'base64') }
  await visitor.upload(await visitor.get('/documents/new'), '/documents/new', file)
  expect(owners).toEqual([`account ${grace.id}`, `account ${grace.id}`, `account ${bob.id}`, `account ${grace.id}`])
})

test('a visitor without an account is an address, or the network of a subscriber', async () => {
  const visitor = await t.fetch('/verify')
  const csrf = /name="csrf" value="([^"]+)"/.exec(await visitor.text())?.[1] ?? ''
  const cookie = (visitor.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  for (const ip of ['192.0.2.7', '2001:db8:1:2:3::4']) {
    const body = new FormData()
    body.set('csrf', csrf)
    body.set('file', new File([Buffer.from(await samplePdf(), 'base64')], 'a.pdf'))
    const headers = { origin: ORIGIN, cookie, 'x-forwarded-for': ip }
    await t.serve(Object.assign(new Request(`${ORIGIN}/verify`, { method: 'POST', body, headers })))
  }
  expect(owners).toHaveLength(2)
  for (const owner of owners) expect(owner).toStartWith('address ')
})

test('a seal is made for the service, whoever signed last', async () => {
  await sentDocument(t, ONE)
  owners = []
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  expect(new Set(owners)).toEqual(new Set(['service']))
})
