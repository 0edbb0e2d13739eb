/** Correcting a recipient of a sent document, and duplicating a document. */
import { describe, expect, test } from 'bun:test'
import { daysAfter } from '../../../src/core/document/document.ts'
import { csrfOf, openVisitor } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const CLEO = 'cleo@example.com'
const TEXT = { type: 'text', page: 1, x: 10, y: 20, width: 30, height: 4, label: 'Reference' }

async function withReference() {
  const id = await sentDocument(t, {
    recipients: [
      { ...ADA, fields: [SIGNATURE, TEXT] },
      { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] },
    ],
  })
  const { body } = await t.api('GET', `/documents/${id}`)
  return { id, ada: body.recipients[0], bob: body.recipients[1] }
}

const correct = (id: string, recipientId: string, to: unknown, headers = {}) =>
  t.api('PATCH', `/documents/${id}/recipients/${recipientId}`, to, headers)

describe('another address of a recipient', () => {
  test('ends the old link, session and form, and invites the new person', async () => {
    const { id, ada } = await withReference()
    const oldLink = linkTo(t, ADA.email)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const reference = ada.fields[1].id
    const csrf = csrfOf(page)
    await visitor.post(`${page.url}/form-values`, { csrf, [`fields.${reference}`]: 'Ada’s words' })
    expect(await t.app.db.selectFrom('drafts').selectAll().execute()).toHaveLength(1)
    const corrected = await correct(id, ada.id, { email: CLEO, name: 'Cleo' })
    expect(corrected.status).toBe(200)
    expect(corrected.body).toMatchObject({ id: ada.id, email: CLEO, status: 'sent', viewedAt: null, emailStatus: 'queued' })
    expect(corrected.body.fields.map((f: { id: string }) => f.id)).toEqual(ada.fields.map((f: { id: string }) => f.id))
    expect(await t.app.db.selectFrom('drafts').selectAll().execute()).toEqual([])
    expect((await openVisitor(t.fetch).get(oldLink)).status).toBe(404)
    expect((await visitor.submit(page, { signature: 'Ada', consent: 'on' }, '/finish')).status).toBe(404)
    await t.drain()
    expect(t.mails.filter(m => m.to.address === CLEO)).toHaveLength(1)
    await signAs(t, CLEO, 'Cleo', { [`fields.${reference}`]: 'Mine' })
    await signAs(t, BOB.email, BOB.name)
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    expect(t.mails.filter(m => m.to.address === ADA.email && /completed|signed/i.test(m.subject))).toEqual([])
  })

  test('is in the audit trail with both persons, and in the search only the new one', async () => {
    const { id, ada } = await withReference()
    await correct(id, ada.id, { email: CLEO })
    const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
    const event = events.find(({ type }: { type: string }) => type === 'recipient.corrected')
    expect(event).toMatchObject({ recipientId: ada.id, personal: { from: ADA, to: { ...ADA, email: CLEO } } })
    expect(JSON.parse(event.entry).personal).toMatch(/^[0-9a-f]{64}$/)
    expect((await t.api('GET', `/documents?email=${ADA.email}`)).body.data).toEqual([])
    expect((await t.api('GET', `/documents?email=${CLEO}`)).body.data).toHaveLength(1)
  })

  test('gives the new person all tries at the access code', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, accessCode: 'secret-1' }] }))
    await t.api('POST', `/documents/${body.id}/send`)
    await t.drain()
    const link = linkTo(t, ADA.email)
    for (let i = 0; i < 5; i++) {
      const visitor = openVisitor(t.fetch)
      await visitor.submit(await visitor.get(link), { accessCode: 'wrong-1' })
      t.clock.pass({ minutes: 10 })
    }
    await correct(body.id, body.recipients[0].id, { email: CLEO })
    await t.drain()
    const visitor = openVisitor(t.fetch)
    const page = await visitor.submit(await visitor.get(linkTo(t, CLEO)), { accessCode: 'secret-1' })
    expect(page.status).toBe(200)
  })

  test('begins the reminders of the new person anew', async () => {
    const { id, ada } = await withReference()
    t.clock.pass({ days: 2 })
    await t.api('POST', `/documents/${id}/remind`)
    const row = () =>
      t.app.db
        .selectFrom('recipients')
        .select(['reminders_sent as sent', 'next_reminder_at as next'])
        .where('id', '=', ada.id)
        .executeTakeFirstOrThrow()
    expect((await row()).sent).toBe(1)
    await correct(id, ada.id, { email: CLEO })
    expect(await row()).toEqual({ sent: 0, next: daysAfter(t.clock.now, 3).toISOString() })
  })

  test('is not mailed before it is the recipient’s turn', async () => {
    const id = await sentDocument(t, { signingOrder: 'sequential' })
    const [, bob] = (await t.api('GET', `/documents/${id}`)).body.recipients
    expect((await correct(id, bob.id, { email: CLEO })).body).toMatchObject({ email: CLEO, status: 'created' })
    await t.drain()
    expect(t.mails.filter(m => m.to.address === CLEO)).toEqual([])
    await signAs(t, ADA.email, ADA.name)
    await t.drain()
    expect(t.mails.filter(m => m.to.address === CLEO)).toHaveLength(1)
  })
})

test('a corrected name alone keeps what was entered, and a new link is mailed to the same address', async () => {
  const { id, ada } = await withReference()
  await openLinkAs(t, ADA.email)
  const before = t.mails.length
  const { body } = await correct(id, ada.id, { name: 'Ada King' })
  expect(body).toMatchObject({ name: 'Ada King', email: ADA.email, status: 'viewed' })
  await t.drain()
  expect(t.mails.slice(before).map(m => m.to)).toEqual([{ name: 'Ada King', address: ADA.email }])
  await signAs(t, ADA.email, 'Ada King', { [`fields.${ada.fields[1].id}`]: 'R-7' })
  expect((await correct(id, ada.id, { name: 'Ada King' })).body.error.code).toBe('invalid_state')
})

test('a correction is refused for who has signed, for an address in use, and for nobody', async () => {
  const { id, ada, bob } = await withReference()
  const refused = async (recipientId: string, to: unknown) => (await correct(id, recipientId, to)).body.error
  expect((await refused(ada.id, { name: BOB.name, email: BOB.email.toUpperCase() })).details).toEqual([
    {
      path: 'email',
      code: 'mailbox_of_person',
      message: `is already used by ${BOB.name} with the same name: two people at one address need different names`,
    },
  ])
  expect((await refused(ada.id, { email: 'x', name: ' ' })).details.map((d: { path: string }) => d.path)).toEqual([
    'name',
    'email',
  ])
  expect((await refused('rcp_0', { name: 'X' })).code).toBe('not_found')
  expect((await correct(id, ada.id, { name: 'X' }, { 'if-match': '"v0"' })).status).toBe(412)
  await signAs(t, BOB.email, BOB.name)
  expect((await refused(bob.id, { name: 'X' })).code).toBe('invalid_state')
  await t.api('POST', `/documents/${id}/void`, { reason: 'x' })
  expect((await refused(ada.id, { name: 'X' })).code).toBe('invalid_state')
})

test('in a draft a correction is an edit', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument())
  const [ada, bob] = body.recipients
  const answer = await correct(body.id, ada.id, { email: CLEO })
  expect(answer.body).toMatchObject({ email: CLEO, status: 'created' })
  const { recipients } = (await t.api('GET', `/documents/${body.id}`)).body
  expect(recipients.map((r: { id: string }) => r.id)).toEqual([ada.id, bob.id])
  expect(recipients[0].fields).toHaveLength(1)
})

test('a duplicate has the file, people and fields, and nothing that anybody did', async () => {
  const { id } = await withReference()
  const before = (await t.api('GET', `/documents/${id}`)).body
  await signAs(t, ADA.email, ADA.name, { [`fields.${before.recipients[0].fields[1].id}`]: 'private words' })
  const copied = await t.api('POST', `/documents/${id}/duplicate`, undefined, { 'idempotency-key': 'once' })
  expect(copied.status).toBe(201)
  const again = await t.api('POST', `/documents/${id}/duplicate`, undefined, { 'idempotency-key': 'once' })
  expect(again.body).toEqual(copied.body)
  const copy = (await t.api('GET', `/documents/${copied.body.id}`)).body
  expect(copy).toMatchObject({ status: 'draft', title: before.title, sentAt: null, expiresAt: null, sha256: { sealed: null } })
  expect(copy.sha256.original).toBe(before.sha256.original)
  expect(JSON.stringify(copy)).not.toContain('private words')
  const shape = (document: typeof copy) =>
    document.recipients.map((r: { email: string; fields: { type: string; x: number; label: string }[] }) => [
      r.email,
      r.fields.map(f => [f.type, f.x, f.label]),
    ])
  expect(shape(copy)).toEqual(shape(before))
  expect(copy.recipients.map((r: { status: string }) => r.status)).toEqual(['created', 'created'])
  await t.api('POST', `/documents/${id}/void`, { reason: 'x' })
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
  expect((await t.api('GET', `/documents/${copy.id}/file`)).status).toBe(200)
})

test('an access code is not copied, and the answer says so', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, accessCode: 'secret-1' }] }))
  const copied = (await t.api('POST', `/documents/${body.id}/duplicate`)).body
  expect(copied.warnings).toMatchObject([{ code: 'access_code_missing' }])
  expect((await t.api('GET', `/documents/${copied.id}`)).body.recipients[0].hasAccessCode).toBe(false)
})
