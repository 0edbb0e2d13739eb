/** Documents over the API: list, file, void, remind, delete; how fields and numbers are printed. */
import { describe, expect, test } from 'bun:test'
import { expireDue } from '../../../src/documents/lifecycle/upkeep.ts'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { finishForm, formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { dumpOf } from '../../support/dump.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, SIGNED, sentDocument, signAs, signedDocument } from '../../support/story.ts'
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

test('the file is a download under its own name, with an ETag for conditional requests', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument({ fileName: 'Verträge "2026".pdf' }))
  const path = `/documents/${body.id}/file`
  const whole = await t.api('GET', path)
  expect(whole.status).toBe(200)
  expect(whole.headers.get('content-type')).toBe('application/pdf')
  expect(whole.headers.get('content-disposition')).toBe(
    `attachment; filename="Vertrage _2026_.pdf"; filename*=UTF-8''Vertr%C3%A4ge%20%222026%22.pdf`,
  )
  const etag = whole.headers.get('etag') ?? ''
  expect((await t.api('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
  expect((await t.api('GET', `${path}?version=sealed`)).body.error.code).toBe('not_found')
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
    const reminders = t.mails.filter(({ subject }) => subject.includes('Reminder'))
    expect(reminders.map(({ to }) => to.address)).toEqual([BOB.email])
  })

  test('deleting erases files, names and mails, and keeps the hash chain and a record', async () => {
    const id = await signedDocument(t)
    const { body } = await t.api('GET', `/documents/${id}`)
    expect((await t.api('DELETE', `/documents/${id}`)).body).toEqual({ id })
    expect((await t.api('GET', `/documents/${id}`)).status).toBe(404)
    expect(await t.app.storage.hashOf(body.sha256.original)).toBeUndefined()
    expect(await t.app.storage.hashOf(body.sha256.sealed)).toBeUndefined()
    const left = await dumpOf(t)
    expect(left).not.toMatch(/Lovelace|ada@example/)
    const { verifyChain } = await import('../../../src/audit/log.ts')
    expect(await verifyChain(t.app.db)).toMatchObject({ head: expect.any(String) })
    expect(left).toContain('document.deleted')
  })
})

const BOX = { page: 1, x: 10, y: 10, width: 30, height: 4 }

const create = async (field: object) =>
  t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, fields: [{ ...BOX, ...field }] }] }))

test('size, alignment and date format are answered as they were sent', async () => {
  const sent = { type: 'date', fontSize: 9.5, align: 'right', dateFormat: 'DD.MM.YYYY' }
  const { status, body } = await create(sent)
  expect(status).toBe(201)
  const document = await t.api('GET', `/documents/${body.id}`)
  expect(document.body.recipients[0].fields[0]).toMatchObject(sent)
})

test('without them the answer has null, and the service decides', async () => {
  const { body } = await create({ type: 'date' })
  const document = await t.api('GET', `/documents/${body.id}`)
  expect(document.body.recipients[0].fields[0]).toMatchObject({ fontSize: null, align: null, dateFormat: null })
})

test.each([
  ['a text smaller than 6 pt', { type: 'text', fontSize: 5.9 }, 'fontSize'],
  ['a text larger than 24 pt', { type: 'text', fontSize: 24.1 }, 'fontSize'],
  ['a size in words', { type: 'text', fontSize: 'large' }, 'fontSize'],
  ['a size of a signature', { type: 'signature', fontSize: 10 }, 'fontSize'],
  ['an unknown alignment', { type: 'text', align: 'justify' }, 'align'],
  ['an alignment of a checkbox', { type: 'checkbox', align: 'left' }, 'align'],
  ['an unknown date format', { type: 'date', dateFormat: 'yyyy' }, 'dateFormat'],
  ['a line under a text', { type: 'text', rule: true }, 'rule'],
  ['a date format of a text', { type: 'text', dateFormat: 'DD.MM.YYYY' }, 'dateFormat'],
])('%s is refused with its path', async (_, field, member) => {
  const { status, body } = await create(field)
  expect(status).toBe(422)
  expect(body.error.details.map((d: { path: string }) => d.path)).toEqual([`recipients[0].fields[0].${member}`])
})

test.each([
  ['a signature', { type: 'signature' }, false],
  ['initials with a line', { type: 'initials', rule: true }, true],
])('%s has a line under it only where the sender asks for one', async (_, field, rule) => {
  const { body } = await create(field)
  const document = await t.api('GET', `/documents/${body.id}`)
  expect(document.body.recipients[0].fields[0].rule).toBe(rule)
})

test('marks that an earlier release stored keep their line, also when the field is edited', async () => {
  const { body } = await create({ type: 'signature', rule: true })
  const stored = () =>
    t.app.db.selectFrom('fields').select(['id', 'rule']).where('document_id', '=', body.id).executeTakeFirstOrThrow()
  const { id, rule } = await stored()
  expect(rule).toBe(1)
  await t.app.write(tx => tx.updateTable('fields').set({ rule: null }).where('id', '=', id).execute())
  const read = await t.api('GET', `/documents/${body.id}`)
  expect(read.body.recipients[0].fields[0].rule).toBe(true)
  expect((await t.api('PATCH', `/documents/${body.id}`, { fields: [{ id, width: 31 }] })).status).toBe(200)
  expect(await stored()).toEqual({ id, rule: 1 })
  expect((await t.api('PATCH', `/documents/${body.id}`, { fields: [{ id, rule: null }] })).status).toBe(200)
  expect(await stored()).toEqual({ id, rule: 0 })
})

test('a duplicate, a template made from a document and its documents keep the line of a mark', async () => {
  const { body } = await create({ type: 'signature', rule: true })
  const rules = async ({ id }: { id: string }) => {
    const rows = t.app.db.selectFrom('fields').select('rule').where('document_id', '=', id)
    return (await rows.execute()).map(({ rule }) => rule)
  }
  const duplicate = await t.api('POST', `/documents/${body.id}/duplicate`)
  expect(await rules(duplicate.body)).toEqual([1])
  const template = await t.api('POST', '/templates', { documentId: body.id })
  expect(await rules(template.body)).toEqual([1])
  const recipients = [{ role: template.body.roles[0].id, ...ADA }]
  const used = await t.api('POST', `/templates/${template.body.id}/documents`, { recipients })
  expect([used.status, await rules(used.body)]).toEqual([201, [1]])
})

const RENT = { type: 'number', label: 'Rent', max: 100_000, page: 1, x: 10, y: 20, width: 30, height: 4 }

async function asked(locale: string, field: Record<string, unknown> = {}): Promise<string> {
  return sentDocument(t, { locale, recipients: [{ ...ADA, fields: [{ ...RENT, ...field }, SIGNATURE] }] })
}

const nameIn = (page: Page) => Object.keys(finishForm(page).values).find(each => each.startsWith('fields.'))!

async function enter(text: string) {
  const { visitor, page } = await openLinkAs(t, ADA.email)
  return { visitor, page, after: await visitor.submit(page, { ...SIGNED, [nameIn(page)]: text }, '/finish') }
}

async function storedValue(id: string): Promise<string | null> {
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  return recipients[0].fields.find((f: { type: string }) => f.type === 'number').value
}

async function sealedText(id: string): Promise<string> {
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}/file?version=sealed`)
  return (await pdfText(body, '-layout')).replace(/\s+/g, ' ')
}

test.each([
  ['de', '1.250', '1250', '1250'],
  ['de', '1.250,50', '1250.50', '1250,50'],
  ['en', '1,250', '1250', '1250'],
  ['en', '1,250.50', '1250.50', '1250.50'],
  ['fr', '1 250,50', '1250.50', '1250,50'],
] as const)('in %s, %p is stored as %s and sealed as %s', async (locale, text, stored, printed) => {
  const id = await asked(locale)
  const { after } = await enter(text)
  expect([after.status, await storedValue(id)]).toEqual([200, stored])
  const sealed = await sealedText(id)
  expect(sealed).toContain(`Rent ${printed}`)
  if (!text.startsWith(printed)) expect(sealed).not.toContain(`Rent ${text} `)
})

test('250.000 is more than 100,000 in German', async () => {
  const id = await asked('de')
  const { after } = await enter('250.000')
  expect([after.status, textOf(after).includes('höchstens 100000')]).toEqual([422, true])
  expect(after.html).toContain('value="250.000"')
  expect(await storedValue(id)).toBeNull()
})

test.each([
  ['en', '250.000', ['250000', '250.00']],
  ['de', '1,250', ['1250', '1,25']],
] as const)('in %s, %p could be two numbers: it is asked, and nothing is signed', async (locale, text, choices) => {
  const id = await asked(locale)
  const { visitor, after } = await enter(text)
  const shown = textOf(after)
  expect([after.status, ...choices.map(choice => shown.includes(choice))]).toEqual([422, true, true])
  expect(await storedValue(id)).toBeNull()
  const again = await visitor.submit(after, { ...SIGNED, [nameIn(after)]: choices[1] }, '/finish')
  expect([again.status, await storedValue(id)]).toEqual([200, choices[1].replace(',', '.')])
})

test('what is saved in one language is the same number in a window of another', async () => {
  await asked('de')
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const [name, csrf] = [nameIn(page), formsOf(page.html)[0]?.values.csrf ?? '']
  for (const [text, again] of [
    ['1.250', '1250'],
    ['1.250,5', '1250,5'],
    ['1,2345', '1,2345'],
  ] as const) {
    expect((await visitor.post(`${page.url}/form-values`, { csrf, [name]: text })).status).toBe(204)
    expect((await visitor.get(page.url)).html).toContain(`value="${again}"`)
  }
})

test('a condition compares numbers, not their spelling', async () => {
  const id = await sentDocument(t, {
    locale: 'de',
    recipients: [
      {
        ...ADA,
        fields: [
          { ...RENT, name: 'rent' },
          { ...RENT, type: 'text', label: 'Why', y: 30, max: undefined, showIf: { field: 'rent', is: '1250' } },
          SIGNATURE,
        ],
      },
    ],
  })
  const { after } = await enter('1.250,00')
  expect([after.status, textOf(after).includes('Why')]).toEqual([422, true])
  expect(await storedValue(id)).toBeNull()
})

test('a program gives JSON number text: 1,250 is refused, and 1.250 has decimals', async () => {
  const made = async (value: string) => {
    const recipients = [{ ...ADA, fields: [{ ...RENT, value, readOnly: true }, SIGNATURE] }]
    return t.api('POST', '/documents', await newDocument({ recipients }))
  }
  const refused = await made('1,250')
  expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'recipients[0].fields[0].value'])
  const { body } = await made('1.250')
  expect(await storedValue(body.id)).toBe('1.25')
})

test('a value that an earlier release stored is shown, signed and sealed as it is', async () => {
  const id = await asked('de', { value: '1250', readOnly: true })
  await t.sql("UPDATE fields SET value = '1.250' WHERE type = 'number'")
  const { visitor, page } = await openLinkAs(t, ADA.email)
  expect(textOf(page)).toContain('1.250')
  expect((await visitor.submit(page, SIGNED, '/finish')).status).toBe(200)
  expect(await storedValue(id)).toBe('1.250')
  expect(await sealedText(id)).toContain('Rent 1.250')
})
