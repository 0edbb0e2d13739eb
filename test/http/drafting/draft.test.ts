/** Editing a draft with versions, correcting a recipient, duplicating a document. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { daysAfter } from '../../../src/core/document/document.ts'
import { csrfOf, openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, BOB_SIGNS, newDocument, SIGNATURE } from '../../support/sample.ts'
import { eventsOf, linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import type { ApiAnswer } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const GRACE = { email: 'grace@example.com', password: 'four sound words here' }
const ID = '01kqj4zg4m3c5d7f9h1k2n4q6'
const newFieldId = (end: string) => `fld_${ID}${end}`

async function draft(overrides: Record<string, unknown> = {}): Promise<{ id: string; etag: string; body: ApiAnswer['body'] }> {
  const { body } = await t.api('POST', '/documents', await newDocument(overrides))
  const { headers, body: document } = await t.api('GET', `/documents/${body.id}`)
  return { id: body.id, etag: headers.get('etag') ?? '', body: document }
}

const patch = (id: string, edit: unknown, etag?: string) =>
  t.api('PATCH', `/documents/${id}`, edit, etag === undefined ? {} : { 'if-match': etag })

const pathsOf = ({ body }: ApiAnswer) => body.error.details.map(({ path }: { path: string }) => path)

describe('an edit of a draft', () => {
  test('changes what it names, keeps the rest and every id, and leads to a new version', async () => {
    const { id, etag, body } = await draft()
    const answer = await patch(id, { title: '  New title ', message: 'Hello', metadata: { case: '7' } }, etag)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ title: 'New title', message: 'Hello', metadata: { case: '7' } })
    expect(answer.body.recipients).toEqual(body.recipients)
    expect(answer.headers.get('etag')).not.toBe(etag)
    const read = await t.api('GET', `/documents/${id}`)
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'))
    expect(read.body).toEqual(answer.body)
    expect((await t.api('GET', '/documents?q=New title')).body.data).toHaveLength(1)
    expect((await t.api('GET', '/documents?metadata[case]=7')).body.data).toHaveLength(1)
    expect((await patch(id, { message: null })).body.message).toBeNull()
  })

  test('is refused whole, with the path of every error', async () => {
    const { id, etag, body } = await draft()
    const [ada] = body.recipients
    const [field] = ada.fields
    const other = (await draft()).body.recipients[0]
    const refused = async (edit: unknown) => {
      const answer = await patch(id, edit)
      expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed'])
      return pathsOf(answer)
    }
    expect(await refused({ title: ' ', redirectUrl: 'ftp://x', expiresAt: '2020-01-01T00:00:00Z' })).toEqual([
      'title',
      'redirectUrl',
      'expiresAt',
    ])
    expect(
      await refused({
        fields: [
          { id: field.id, page: 2 },
          { recipientId: ada.id, ...SIGNATURE, x: 90 },
        ],
      }),
    ).toEqual(['fields[0].page', 'fields[1].width'])
    expect(await refused({ fields: [{ id: newFieldId('s'), x: 5 }] })).toEqual(['fields[0].id'])
    expect(await refused({ fields: [{ ...SIGNATURE }, { type: 'date', recipientId: ada.id }] })).toEqual([
      'fields[0].recipientId',
      ...['page', 'x', 'y', 'width', 'height'].map(member => `fields[1].${member}`),
    ])
    expect(await refused({ fields: [{ ...SIGNATURE, id: other.fields[0].id, recipientId: ada.id }] })).toEqual(['fields[0].id'])
    expect(await refused({ recipients: [{ id: other.id, name: 'X' }, { id: ada.id }, { id: ada.id }] })).toContain(
      'recipients[0].id',
    )
    expect(await refused({ recipients: [{ id: ada.id }, { ...ADA }] })).toEqual(['recipients[1].email'])
    expect(await refused({ recipients: [{ id: ada.id, email: 'nobody' }] })).toEqual(['recipients[0].email'])
    expect(await refused({ recipients: [{ id: ada.id, role: 'viewer' }] })).toEqual(['recipients[0].role'])
    expect(await refused({ recipients: [{ id: 'rcp_ilou000000000000000000000u' }] })).toEqual(['recipients[0].id'])
    const many = Array.from({ length: 999 }, () => ({ ...SIGNATURE, recipientId: ada.id }))
    expect(await refused({ fields: many })).toEqual(['fields'])
    expect((await t.api('GET', `/documents/${id}`)).headers.get('etag')).toBe(etag)
  })

  test('is for drafts: a document that was sent accepts labels alone', async () => {
    const id = await sentDocument(t)
    const refused = await patch(id, { title: 'Other', labels: ['a'] })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state'])
    expect((await patch(id, {})).status).toBe(409)
    const labelled = await patch(id, { labels: ['Rent'] })
    expect([labelled.status, labelled.body.labels]).toEqual([200, ['Rent']])
    const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
    expect(events.map(({ type }: { type: string }) => type)).not.toContain('document.updated')
  })
})

describe('two editors of one draft', () => {
  test('both survive on different members after the second has seen what changed', async () => {
    const { id, etag, body } = await draft()
    const [ada, bob] = body.recipients
    await patch(id, { fields: [{ id: ada.fields[0].id, x: 5 }] }, etag)
    const stale = await patch(id, { fields: [{ id: bob.fields[0].id, x: 50 }] }, etag)
    expect([stale.status, stale.body.error.code]).toEqual([412, 'draft_changed'])
    expect(pathsOf(stale)).toEqual([`fields/${ada.fields[0].id}`])
    expect(stale.body.error.details[0].message).toBe('was changed by the API token test at 2026-11-20T17:25:00.000Z')
    const fresh = (await t.api('GET', `/documents/${id}`)).headers.get('etag') ?? ''
    const replayed = await patch(id, { fields: [{ id: bob.fields[0].id, x: 50 }] }, fresh)
    expect(replayed.body.recipients.map((r: { fields: { x: number }[] }) => r.fields[0]?.x)).toEqual([5, 50])
  })

  test('an answer that was lost is repeated without an error', async () => {
    const { id, etag } = await draft()
    const first = await patch(id, { title: 'Once' }, etag)
    const again = await patch(id, { title: 'Once' }, etag)
    expect([again.status, again.headers.get('etag')]).toEqual([200, first.headers.get('etag')])
    expect((await patch(id, { title: 'Twice' }, etag)).status).toBe(412)
    await patch(id, { message: 'From another window' })
    expect((await patch(id, { title: 'Once' }, etag)).status).toBe(412)
  })

  test('an edit that changes nothing is no excuse for not having seen one’s own other edit', async () => {
    const { id, etag, body } = await draft()
    const [ada] = body.recipients
    await patch(id, { fields: [{ id: ada.fields[0].id, x: 3 }] }, etag)
    expect((await patch(id, { title: body.title }, etag)).status).toBe(412)
    expect((await patch(id, { recipients: body.recipients.map((r: { id: string }) => ({ id: r.id })) }, etag)).status).toBe(412)
    const again = (await t.api('GET', `/documents/${id}`)).headers.get('etag') ?? ''
    const removal = { recipients: [{ id: ada.id }] }
    expect((await patch(id, removal, again)).status).toBe(200)
    expect((await patch(id, removal, again)).status).toBe(200)
  })
})

describe('the scripts of the pages', () => {
  let visitor: Visitor
  let csrf = ''
  beforeEach(async () => {
    visitor = openVisitor(t.fetch)
    await createAdmin(t.app, { name: 'Grace Hopper', ...GRACE })
    await visitor.submit(await visitor.get('/sign-in'), GRACE)
    csrf = csrfOf(await visitor.get('/documents'))
  })

  test('read the draft with its version, and save by the same action', async () => {
    const { id, etag, body } = await draft()
    const read = JSON.parse((await visitor.get(`/documents/${id}/draft`)).html)
    expect(read).toEqual({ version: Number(/\d+/.exec(etag)?.[0]), document: body })
    const save = async (edit: unknown, version: number) => {
      const page = await visitor.post(`/documents/${id}/draft`, { csrf, version: String(version), edit: JSON.stringify(edit) })
      return { status: page.status, body: JSON.parse(page.html) }
    }
    const saved = await save({ title: 'By the page' }, read.version)
    expect(saved.status).toBe(200)
    expect((await t.api('GET', `/documents/${id}`)).headers.get('etag')).toBe(`"v${saved.body.version}"`)
    expect((await t.api('PATCH', `/documents/${id}`, { title: 'By the API' })).status).toBe(200)
    const stale = await save({ message: 'Hello' }, saved.body.version)
    expect([stale.status, stale.body.error.code]).toEqual([412, 'draft_changed'])
    expect(stale.body.error.details).toMatchObject([{ path: 'title', by: 'the API token “test”', isOwn: false }])
    expect(stale.body.error.details[0].message).toContain('was changed by')
    expect((await save({ titel: 'x' }, stale.body.error.version)).body.error.details).toEqual([
      { path: 'titel', code: 'unknown_member', message: 'is not a known member: check its spelling' },
    ])
    expect((await visitor.post(`/documents/${id}/draft`, { csrf, version: '1', edit: '{' })).status).toBe(400)
    expect((await visitor.post(`/documents/${id}/draft`, { csrf: 'x', version: '1', edit: '{}' })).status).toBe(403)
  })

  test('the page of a duplicate says that access codes were not copied', async () => {
    const { id } = await draft({ recipients: [{ ...ADA, accessCode: 'secret-1' }] })
    const copy = textOf(await visitor.post(`/documents/${id}/duplicate`, { csrf }))
    expect(copy).toContain('Access codes were not copied')
    const plain = textOf(await visitor.post(`/documents/${(await draft()).id}/duplicate`, { csrf }))
    expect(plain).toContain('This is a copy')
    expect(plain).not.toContain('Access codes')
  })
})

describe('sending a draft', () => {
  test('with the version its sender has seen never sends what nobody saw', async () => {
    const { id, etag } = await draft()
    await patch(id, { title: 'Edited meanwhile' })
    const send = (tag: string) => t.api('POST', `/documents/${id}/send`, undefined, { 'if-match': tag })
    const stale = await send(etag)
    expect([stale.status, stale.body.error.code, pathsOf(stale)]).toEqual([412, 'draft_changed', ['title']])
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('draft')
    const fresh = (await t.api('GET', `/documents/${id}`)).headers.get('etag') ?? ''
    expect((await send(fresh)).status).toBe(200)
    expect((await send(fresh)).body.error.code).toBe('invalid_state')
    expect(await t.app.db.selectFrom('draft_changes').selectAll().execute()).toEqual([])
  })

  test('at the same time as an edit: either the edit is sent, or one of the two is refused', async () => {
    for (let i = 0; i < 10; i++) {
      const { id, etag } = await draft()
      const [edited, sent] = await Promise.all([
        patch(id, { title: 'Edited' }, etag),
        t.api('POST', `/documents/${id}/send`, undefined, { 'if-match': etag }),
      ])
      expect([edited.status, sent.status].sort()).toEqual(edited.status === 200 ? [200, 412] : [200, 409])
    }
  })

  test('is refused with the path of everything that is missing', async () => {
    const { id, body } = await draft()
    const [ada, bob] = body.recipients
    await patch(id, {
      recipients: [
        { id: ada.id, name: '' },
        { id: bob.id, email: '' },
      ],
    })
    const refused = await t.api('POST', `/documents/${id}/send`)
    expect([refused.status, pathsOf(refused)]).toEqual([422, [`recipients/${ada.id}/name`, `recipients/${bob.id}/email`]])
    expect(refused.headers.get('etag')).toBeNull()
  })
})

test('a draft may lose every recipient and get new ones, and so may its duplicate', async () => {
  const { id } = await draft()
  expect((await patch(id, { recipients: [] })).body.recipients).toEqual([])
  const copy = (await t.api('POST', `/documents/${id}/duplicate`)).body
  expect(copy).toMatchObject({ status: 'draft', recipients: [], warnings: [] })
  expect((await t.api('POST', `/documents/${copy.id}/send`)).body.error.code).toBe('nothing_to_sign')
  await patch(copy.id, { recipients: [ADA] })
  expect((await t.api('POST', `/documents/${copy.id}/send`)).status).toBe(200)
})

test('GET answers 304 to the version that the client has, and reads nothing', async () => {
  const { id, etag } = await draft()
  const known = await t.api('GET', `/documents/${id}`, undefined, { 'if-none-match': etag })
  expect([known.status, known.headers.get('etag'), known.body.length]).toEqual([304, etag, 0])
  const stale = await t.api('DELETE', `/documents/${id}`, undefined, { 'if-match': '"v0"' })
  expect([stale.status, stale.body.error.code]).toEqual([412, 'draft_changed'])
  expect((await t.api('DELETE', `/documents/${id}`, undefined, { 'if-match': 'v1' })).body.error.details[0].path).toBe('If-Match')
  expect((await t.api('DELETE', `/documents/${id}`, undefined, { 'if-match': etag })).status).toBe(200)
})

test('a webhook hears of an edit and of each invitation', async () => {
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['document.updated', 'recipient.notified', 'recipient.corrected'] }
  expect((await t.api('POST', '/webhooks', hook)).status).toBe(201)
  const { id, body } = await draft()
  await patch(id, { title: 'Other' })
  await t.api('POST', `/documents/${id}/send`)
  await t.api('PATCH', `/documents/${id}/recipients/${body.recipients[0].id}`, { email: 'cleo@example.com' })
  const rows = await t.app.db.selectFrom('deliveries').select('body').orderBy('id').execute()
  const events = rows.map(row => JSON.parse(row.body))
  expect(events.map(({ type, data }) => [type, data.recipient?.email])).toEqual([
    ['document.updated', undefined],
    ['recipient.notified', ADA.email],
    ['recipient.notified', BOB.email],
    ['recipient.corrected', 'cleo@example.com'],
    ['recipient.notified', 'cleo@example.com'],
  ])
  expect(events[0].data.document.title).toBe('Other')
})

test('edits of one author within ten minutes are one document.updated', async () => {
  const { id } = await draft()
  const updates = async () =>
    (await t.api('GET', `/documents/${id}/audit`)).body.events.filter(({ type }: { type: string }) => type === 'document.updated')
  await patch(id, { title: 'One' })
  await patch(id, { title: 'Two' })
  expect(await updates()).toHaveLength(1)
  t.clock.pass({ minutes: 11 })
  await patch(id, { title: 'Three' })
  expect(await updates()).toHaveLength(2)
  await patch(id, { title: 'Three' })
  expect(await updates()).toHaveLength(2)
})

const CLEO = 'cleo@example.com'
const TEXT = { type: 'text', page: 1, x: 10, y: 20, width: 30, height: 4, label: 'Reference' }

async function withReference() {
  const id = await sentDocument(t, {
    recipients: [{ ...ADA, fields: [SIGNATURE, TEXT] }, BOB_SIGNS],
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
    const [event] = await eventsOf(t, id, 'recipient.corrected')
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
