/** Documents over the API after their creation: list, file, void, remind, delete. */
import { describe, expect, test } from 'bun:test'
import { expireDue } from '../../../src/documents/lifecycle/upkeep.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

describe('the list', () => {
  test('pages by cursor, newest first, without losing a document', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await t.api('POST', '/documents', await newDocument({ title: `No ${i}` }))).body.id)
    const first = (await t.api('GET', '/documents?limit=2')).body
    const second = (await t.api('GET', `/documents?limit=2&cursor=${first.nextCursor}`)).body
    const third = (await t.api('GET', `/documents?limit=2&cursor=${second.nextCursor}`)).body
    expect([...first.data, ...second.data, ...third.data].map((d: { id: string }) => d.id)).toEqual(ids.reverse())
    expect(third.nextCursor).toBeNull()
    expect(first.data[0].recipients[0].fields).toBeUndefined()
  })

  test('filters by status, recipient, words, time and metadata', async () => {
    const lease = (await t.api('POST', '/documents', await newDocument({ title: 'Lease 100%', metadata: { case: '7' } }))).body.id
    const other = await sentDocument(t, {
      title: 'Offer',
      recipients: [{ email: 'zoe@example.com', name: 'Zoë', fields: [SIGNATURE] }],
    })
    const found = async (query: string) => (await t.api('GET', `/documents?${query}`)).body.data.map((d: { id: string }) => d.id)
    expect(await found('status=sent')).toEqual([other])
    expect(await found('email=ZOE@example.com')).toEqual([other])
    expect(await found('q=100%25')).toEqual([lease])
    expect(await found('q=Zo')).toEqual([other])
    expect(await found('q=_ease')).toEqual([])
    expect(await found('metadata[case]=7')).toEqual([lease])
    expect(await found('metadata[case]=8')).toEqual([])
    expect(await found('createdAfter=2030-01-01T00:00:00Z')).toEqual([])
    expect((await t.api('GET', '/documents?createdBefore=soon')).status).toBe(422)
    expect((await t.api('GET', '/documents?limit=0')).body.error.details[0].path).toBe('limit')
    const wrong = await t.api('GET', '/documents?cursor=1&status=done')
    expect(wrong.body.error.details).toEqual([
      { path: 'cursor', code: 'wrong_form', message: 'does not have the required form: `nextCursor` of the previous page.' },
      {
        path: 'status',
        code: 'wrong_form',
        message: expect.stringMatching(/: One status or several with commas between: `draft`, `sent`/),
      },
    ])
    expect((await t.api('GET', '/documents?stauts=sent')).body.error.details[0].path).toBe('stauts')
  })
})

describe('the file', () => {
  test('is a download under its own name, with ETag, conditional requests and ranges', async () => {
    const { body } = await t.api(
      'POST',
      '/documents',
      await newDocument({ fileName: 'Verträge "2026" 契約.pdf'.replace(' 契約', '') }),
    )
    const path = `/documents/${body.id}/file`
    const whole = await t.api('GET', path)
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-type')).toBe('application/pdf')
    expect(whole.headers.get('content-disposition')).toBe(
      `attachment; filename="Vertrage _2026_.pdf"; filename*=UTF-8''Vertr%C3%A4ge%20%222026%22.pdf`,
    )
    const etag = whole.headers.get('etag') ?? ''
    expect((await t.api('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
    const part = await t.api('GET', path, undefined, { range: 'bytes=5-9' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-9/${whole.body.length}`])
    expect(Buffer.from(part.body)).toEqual(Buffer.from(whole.body.subarray(5, 10)))
    const tail = await t.api('GET', path, undefined, { range: 'bytes=-4' })
    expect(Buffer.from(tail.body)).toEqual(Buffer.from(whole.body.subarray(-4)))
    expect((await t.api('GET', path, undefined, { range: `bytes=${whole.body.length}-` })).status).toBe(416)
    expect((await t.api('GET', path, undefined, { range: 'bytes=5-9', 'if-range': '"other"' })).status).toBe(200)
    expect((await t.api('GET', `${path}?version=sealed`)).body.error.code).toBe('not_found')
  })
})

describe('void, remind, delete', () => {
  test('are refused in the wrong state', async () => {
    const draft = (await t.api('POST', '/documents', await newDocument())).body.id
    expect((await t.api('POST', `/documents/${draft}/remind`)).body.error.code).toBe('invalid_state')
    const sent = await sentDocument(t)
    expect((await t.api('DELETE', `/documents/${sent}`)).body.error.code).toBe('invalid_state')
    expect((await t.api('POST', `/documents/${sent}/send`)).body.error.code).toBe('invalid_state')
    expect((await t.api('POST', `/documents/${sent}/void`, {})).body.error.details[0].path).toBe('reason')
    expect((await t.api('POST', `/documents/${sent}/void`, { reason: 'wrong file' })).body).toEqual({
      id: sent,
      status: 'voided',
    })
    await t.drain()
    expect(t.mails.filter(m => m.subject.includes('Voided')).map(m => m.text.includes('wrong file'))).toEqual([true, true])
  })

  test('who has signed is mailed that the document was voided or has expired, and will not be sealed', async () => {
    const mailsTo = async (email: string, subject: string) => {
      await t.drain()
      return t.mails.filter(m => m.to.address === email && m.subject.includes(subject)).map(m => m.text)
    }
    const voided = await sentDocument(t)
    await signAs(t, ADA.email, 'Ada')
    await t.api('POST', `/documents/${voided}/void`, { reason: 'wrong file' })
    const [toAda, toBob] = [await mailsTo(ADA.email, 'Voided'), await mailsTo(BOB.email, 'Voided')]
    const held = 'You have already signed this document. It will not be completed or sealed.'
    expect([toAda.length, toBob.length]).toEqual([1, 1])
    expect([toAda[0]?.includes(held), toBob[0]?.includes(held)]).toEqual([true, false])
    expect(toAda[0]).toContain('wrong file')
    const expiresAt = new Date(t.clock.now.getTime() + 3_600_000).toISOString()
    const people = [{ ...ADA, role: 'approver' }, BOB, { name: 'Vera', email: 'vera@example.com', role: 'viewer' }]
    await sentDocument(t, { recipients: people, expiresAt })
    await signAs(t, ADA.email, 'Ada')
    t.clock.pass({ hours: 2 })
    await expireDue(t.app)
    expect((await mailsTo(ADA.email, 'Expired'))[0]).toContain('You have already approved this document.')
    expect((await mailsTo(BOB.email, 'Expired'))[0]).not.toContain('already')
    expect(await mailsTo('vera@example.com', 'Expired')).toHaveLength(1)
  })

  test('a reminder goes to recipients whose turn it is, at most once an hour, never to one who has finished', async () => {
    const id = await sentDocument(t)
    const people: { id: string }[] = (await t.api('GET', `/documents/${id}`)).body.recipients
    const skipped = people.map(person => ({ id: person.id, reason: 'mailed_recently' }))
    expect((await t.api('POST', `/documents/${id}/remind`)).body).toEqual({ ok: true, notified: 0, skipped })
    t.clock.pass({ minutes: 61 })
    await signAs(t, ADA.email, 'Ada')
    expect((await t.api('POST', `/documents/${id}/remind`)).body).toEqual({ ok: true, notified: 1, skipped: [] })
    await t.drain()
    expect(t.mails.at(-1)).toMatchObject({ to: { address: BOB.email }, subject: expect.stringContaining('Reminder') })
  })

  test('deleting erases files, names and mails, and keeps the hash chain and a record', async () => {
    const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }] })
    await signAs(t, ADA.email, 'Ada Lovelace')
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}`)
    expect((await t.api('DELETE', `/documents/${id}`)).body).toEqual({ id })
    expect((await t.api('GET', `/documents/${id}`)).status).toBe(404)
    expect(await t.app.storage.hashOf(body.sha256.original)).toBeUndefined()
    expect(await t.app.storage.hashOf(body.sha256.sealed)).toBeUndefined()
    const tables = [
      'documents',
      'recipients',
      'fields',
      'events',
      'event_details',
      'jobs',
      'mails',
      'deliveries',
      'files',
    ] as const
    const rows = await Promise.all(tables.map(table => t.app.db.selectFrom(table).selectAll().execute()))
    expect(JSON.stringify(rows)).not.toMatch(/Lovelace|ada@example/)
    const { verifyChain } = await import('../../../src/audit/log.ts')
    expect(await verifyChain(t.app.db)).toMatchObject({ head: expect.any(String) })
    expect(JSON.stringify(rows)).toContain('document.deleted')
  })

  test('two documents with equal bytes share a file, and the second keeps it after the first is deleted', async () => {
    const one = (await t.api('POST', '/documents', await newDocument())).body.id
    const two = (await t.api('POST', '/documents', await newDocument())).body.id
    await t.api('DELETE', `/documents/${one}`)
    expect((await t.api('GET', `/documents/${two}/file`)).status).toBe(200)
  })
})
