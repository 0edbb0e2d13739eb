/** The evidence for the audit certificate, from rows and audit log. */
import { expect, test } from 'bun:test'
import { createKey } from '../../src/accounts/keys.ts'
import { renamePerson } from '../../src/accounts/manage.ts'
import { createAdmin } from '../../src/accounts/people.ts'
import { evidenceOf } from '../../src/documents/evidence/evidence.ts'
import { sendDocument } from '../../src/documents/lifecycle/lifecycle.ts'
import { find } from '../../src/documents/queries.ts'
import { withDrawings } from '../../src/documents/signing/marks.ts'
import type { Evidence } from '../../src/evidence/model.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { folderMailer } from '../../src/mailer/outbox-folder.ts'
import { SYSTEM } from '../../src/ports.ts'
import { finishForm, openVisitor, type Page } from '../support/browser-less.ts'
import { ADA, BOB, newDocument, ONE, SIGNATURE } from '../support/sample.ts'
import { eventsOf, linkTo, openLinkAs, SIGNED, sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

async function evidence(id: string): Promise<Evidence> {
  const document = (await find(t.app.db, id))!
  return withDrawings(t.app, document.recipients, drawings => evidenceOf(t.app, document, drawings))
}

const csrfOf = (page: Page) => finishForm(page).values.csrf ?? ''

const person = ({ recipients }: Evidence, name: string) => recipients.find(r => r.name === name)!

test('an approver approves and a signer signs, in their order', async () => {
  const id = await sentDocument(t, {
    signingOrder: 'sequential',
    locale: 'de-AT',
    recipients: [
      { ...BOB, role: 'approver' },
      { ...ADA, fields: [SIGNATURE] },
    ],
  })
  await signAs(t, BOB.email, 'Bob Søndergård')
  await t.drain()
  await signAs(t, ADA.email, 'Ada Lovelace')
  const result = await evidence(id)
  expect(result.language).toBe('de')
  expect(result.document).toMatchObject({ signingOrder: 'sequential' })
  const [bob, ada] = [person(result, BOB.name), person(result, ADA.name)]
  expect([bob.actedAt, ada.actedAt]).toEqual([t.app.now().toISOString(), t.app.now().toISOString()])
  expect([bob.signature, ada.signature?.text]).toEqual([undefined, 'Ada Lovelace'])
  expect(result.events.find(e => e.kind === 'recipient.approved')?.who).toEqual({ kind: 'recipient', name: BOB.name })
  expect(result.events.find(e => e.kind === 'recipient.signed')?.who).toEqual({ kind: 'recipient', name: ADA.name })
})

test('an event distinguishes the actor from the recipient it is about', async () => {
  const id = await sentDocument(t, ONE)
  const { events, recipients } = await evidence(id)
  const of = (what: string) => events.find(e => e.kind === what)
  expect(of('document.sent')).toMatchObject({ who: { kind: 'sender' }, concernedRecipientName: undefined })
  expect(of('recipient.invitation_mailed')).toMatchObject({ who: undefined, concernedRecipientName: ADA.name, reason: undefined })
  expect(recipients[0]).toMatchObject({ identifiedBy: [], actedAt: undefined })
})

test('a mail is one act: it is queued only until its outcome is known, and a reminder is no invitation', async () => {
  const id = await sentDocument(t, ONE)
  t.clock.pass({ minutes: 90 })
  await t.api('POST', `/documents/${id}/remind`)
  const kinds = async () => (await evidence(id)).events.map(e => e.kind)
  expect(await kinds()).toEqual(['document.created', 'document.sent', 'recipient.invitation_mailed', 'recipient.reminded'])
  await t.drain()
  expect((await kinds()).slice(2)).toEqual(['recipient.invitation_mailed', 'recipient.reminder_mailed'])
})

test('has the words of the consent that was given, once for all who gave the same', async () => {
  const id = await sentDocument(t, { recipients: [ADA, BOB].map(r => ({ ...r, fields: [SIGNATURE] })) })
  for (const { email, name } of [ADA, BOB]) await signAs(t, email, name)
  const { consents, recipients } = await evidence(id)
  expect(consents).toHaveLength(1)
  expect(sha256Hex(consents[0]?.text ?? '')).toBe(consents[0]!.sha256)
  expect(consents[0]?.text).toContain('sign and keep this document electronically')
  expect(recipients.map(r => r.consentSha256)).toEqual([consents[0]!.sha256, consents[0]!.sha256])
})

test('acts before a correction of the address prove nothing about the new person, who is named since', async () => {
  const id = await sentDocument(t, ONE)
  await openLinkAs(t, ADA.email)
  const [recipient] = (await t.api('GET', `/documents/${id}`)).body.recipients
  const cleo = { name: 'Cleo Pires', email: 'cleo@example.com' }
  expect((await t.api('PATCH', `/documents/${id}/recipients/${recipient.id}`, cleo)).status).toBe(200)
  await t.drain()
  const before = person(await evidence(id), cleo.name)
  expect(before.identifiedBy).toEqual([])
  await signAs(t, cleo.email, cleo.name)
  const { events, recipients } = await evidence(id)
  expect(recipients[0]!.identifiedBy).toEqual(['email_link'])
  const named = events.map(e => [e.kind, e.who?.kind === 'recipient' ? e.who.name : e.concernedRecipientName])
  expect(named).toContainEqual(['document.viewed', ADA.name])
  expect(named).toContainEqual(['document.viewed', cleo.name])
  expect(events.find(e => e.kind === 'recipient.corrected')).toMatchObject({
    who: { kind: 'sender' },
    concernedRecipientName: ADA.name,
    newPerson: 'Cleo Pires <cleo@example.com>',
  })
})

test('a corrected name alone keeps what the same mailbox has proven', async () => {
  const id = await sentDocument(t, ONE)
  await openLinkAs(t, ADA.email)
  const [recipient] = (await t.api('GET', `/documents/${id}`)).body.recipients
  await t.api('PATCH', `/documents/${id}/recipients/${recipient.id}`, { name: 'Ada King' })
  expect(person(await evidence(id), 'Ada King').identifiedBy).toEqual(['email_link'])
})

test('without a mail server a mail is written to the folder', async () => {
  t.app.mailer = folderMailer(THIS_FILE_SYSTEM, `${t.app.config.dataFolder}/outbox`)
  const id = await sentDocument(t, ONE)
  const { events } = await evidence(id)
  expect(events.map(e => e.kind)).toEqual(['document.created', 'document.sent', 'recipient.email_written'])
})

test('a link and a code that were written to the folder are not said to be e-mailed, whatever is set later', async () => {
  const sending = t.app.mailer
  const folder = folderMailer(THIS_FILE_SYSTEM, `${t.app.config.dataFolder}/outbox`)
  // The codes are read from the mails of the test app.
  t.app.mailer = { ...folder, send: async message => (await sending.send(message)) && folder.send(message) }
  const id = await sentDocument(t, { recipients: [{ ...ADA, verify: 'email_code', fields: [SIGNATURE] }] })
  const visitor = openVisitor(t.fetch)
  const asked = await visitor.submit(await visitor.get(linkTo(t, ADA.email)), {}, '/code')
  await t.drain()
  t.app.mailer = sending
  const code = (/(\d{3})\s(\d{3})/.exec(t.mails.at(-1)?.text ?? '') ?? []).slice(1).join('')
  await visitor.submit(asked, { code })
  t.clock.pass({ minutes: 90 })
  await t.api('POST', `/documents/${id}/remind`)
  await t.drain()
  const { events, recipients } = await evidence(id)
  expect(recipients[0]!.identifiedBy).toEqual(['written_link', 'written_code'])
  expect(events.map(e => e.kind).slice(2)).toEqual([
    'recipient.email_written',
    'recipient.code_sent',
    'recipient.email_written',
    'recipient.identified',
    'document.viewed',
    'recipient.reminder_mailed',
  ])
})

const GRACE = { email: 'grace@acme.example', name: 'Grace Hopper', password: 'four sound words here' }

/** Sends a draft in the web app. Returns the ids of the document and of Grace. */
async function sentByGrace() {
  const userId = await createAdmin(t.app, GRACE)
  const { body } = await t.api('POST', '/documents', await newDocument(ONE))
  await sendDocument(t.app, body.id, { ...SYSTEM, actor: { ...SYSTEM.actor, label: `user:${userId}`, userId } })
  await t.drain()
  return { id: body.id as string, userId }
}

test('the person who sent is named, by the name at the time of the seal, in the head and among the events', async () => {
  const { id, userId } = await sentByGrace()
  const sentOf = ({ events }: Evidence) => events.find(e => e.kind === 'document.sent')?.who
  expect(await evidence(id)).toMatchObject({ person: GRACE.name })
  expect(sentOf(await evidence(id))).toEqual({ kind: 'sender', name: GRACE.name })
  await renamePerson(t.app, userId, 'Grace Murray', SYSTEM)
  expect(sentOf(await evidence(id))).toEqual({ kind: 'sender', name: 'Grace Murray' })
  const created = (await evidence(id)).events.find(e => e.kind === 'document.created')
  expect(created?.who).toEqual({ kind: 'sender', name: undefined, program: 'test' })
})

test('a document of a program names no person, and one that a program sent for a person names that one, as mails do', async () => {
  const one = { recipients: [{ ...ADA, fields: [SIGNATURE] }] }
  expect(await evidence(await sentDocument(t, one))).toMatchObject({ person: undefined, program: 'test' })
  const id = await sentDocument(t, one)
  const owner_id = await createAdmin(t.app, GRACE)
  await t.app.write(tx => tx.updateTable('documents').set({ owner_id }).where('id', '=', id).execute())
  const result = await evidence(id)
  expect(result.person).toBe(GRACE.name)
  expect(result.events.find(e => e.kind === 'document.sent')?.who).toEqual({ kind: 'sender', name: undefined, program: 'test' })
})

/** Sends by a token of Grace's. */
async function sentByProgram() {
  const ownerId = await createAdmin(t.app, GRACE)
  const { key } = await createKey(t.app, { userId: ownerId }, { name: 'CRM', scopes: [], expiresInDays: undefined })
  const api = (path: string, json?: object) =>
    t.fetch(`/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
  const { id } = (await (await api('/documents', await newDocument(ONE))).json()) as { id: string }
  expect((await api(`/documents/${id}/send`)).status).toBe(200)
  await t.drain()
  return { id, ownerId }
}

test('behind a program its owner is named, by the name at the time of the seal, and the log has the token and the id', async () => {
  const { id, ownerId } = await sentByProgram()
  await renamePerson(t.app, ownerId, 'Grace Murray', SYSTEM)
  const { person, program, events } = await evidence(id)
  expect({ person, program }).toEqual({ person: 'Grace Murray', program: 'CRM' })
  for (const kind of ['document.created', 'document.sent'])
    expect(events.find(e => e.kind === kind)?.who).toEqual({ kind: 'sender', name: 'Grace Murray', program: 'CRM' })
  const [sent] = await eventsOf(t, id, 'document.sent')
  expect(sent.personal.apiToken).toEqual({ name: 'CRM', ownerId })
  expect(sent.entry).not.toContain('CRM')
  // Who is removed is named in no entry any more.
  expect(JSON.stringify(sent)).not.toMatch(/Grace|grace@/)
})

test('an entry of a release before names the token and its owner as they are now', async () => {
  const { id, ownerId } = await sentByProgram()
  const details = await t.sql<{ sequence: number; personal: string }>('SELECT * FROM event_details WHERE document_id = ?', id)
  for (const { sequence, personal } of details) {
    const { apiToken: _, ...before } = JSON.parse(personal)
    await t.sql('UPDATE event_details SET personal = ? WHERE sequence = ?', JSON.stringify(before), sequence)
  }
  await renamePerson(t.app, ownerId, 'Grace Murray', SYSTEM)
  expect(await evidence(id)).toMatchObject({ person: 'Grace Murray', program: 'CRM' })
})

test('a delegate is named with all who handed the place over, since the sender gave it to somebody', async () => {
  const id = await sentDocument(t, { ...ONE, allowDelegation: true })
  const hand = async (from: string, name: string, email: string) => {
    t.clock.pass({ minutes: 5 })
    const { visitor, page } = await openLinkAs(t, from)
    await visitor.submit(page, { name, email }, '/delegate')
    await t.drain()
  }
  await hand(ADA.email, 'Bob Roe', 'bob@example.com')
  await hand('bob@example.com', 'Cleo Pires', 'cleo@example.com')
  const { namedBy } = person(await evidence(id), 'Cleo Pires')
  expect(namedBy).toEqual([
    { name: ADA.name, email: ADA.email, to: 'Bob Roe', at: expect.any(String) },
    { name: 'Bob Roe', email: 'bob@example.com', to: 'Cleo Pires', at: expect.any(String) },
  ])
  const [recipient] = (await t.api('GET', `/documents/${id}`)).body.recipients
  await t.api('PATCH', `/documents/${id}/recipients/${recipient.id}`, { name: 'Dan Ho', email: 'dan@example.com' })
  expect(person(await evidence(id), 'Dan Ho').namedBy).toEqual([])
})

test.each([
  [4, 5],
  [5, undefined],
] as const)('a signature %d s after the opening: less than %p s are said', async (seconds, said) => {
  const id = await sentDocument(t, ONE)
  const { visitor, page } = await openLinkAs(t, ADA.email)
  t.clock.pass({ seconds })
  await visitor.submit(page, SIGNED, '/finish')
  const ada = person(await evidence(id), ADA.name)
  expect(ada.secondsToAct).toBe(said)
  expect(ada.consentedAt).toBe(ada.actedAt)
  expect(ada.pagesShown).toBeUndefined()
})

test.each([
  ['1', [1]],
  ['none', []],
  ['1-9', undefined],
  ['<b>', undefined],
] as const)(
  'the pages are those that the signing page says it has displayed, if it is a list of its pages: %s',
  async (sent, shown) => {
    const id = await sentDocument(t, ONE)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    await visitor.submit(page, { ...SIGNED, pagesShown: sent }, '/finish')
    expect(person(await evidence(id), ADA.name).pagesShown).toEqual(shown && [...shown])
  },
)

test('pages that an earlier visit has displayed are known to the next one, without a claim by the form alone', async () => {
  await sentDocument(t, ONE)
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const save = (pagesShown: string) => visitor.post(`${page.url}/form-values`, { csrf: csrfOf(page), pagesShown })
  await save('1')
  await save('1-9')
  const { html } = await visitor.get(page.url)
  expect(html).toContain('"pagesShown":[1]')
  expect(finishForm({ html }).values.pagesShown).toBe('')
})

test('a sealed file keeps the name that it was sealed with', async () => {
  const { id, userId } = await sentByGrace()
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  const sealed = async (): Promise<Buffer> => Buffer.from((await t.api('GET', `/documents/${id}/file`)).body)
  const before = await sealed()
  expect(before.subarray(0, 5).toString()).toBe('%PDF-')
  await renamePerson(t.app, userId, 'Grace Murray', SYSTEM)
  await t.drain()
  expect((await sealed()).equals(before)).toBe(true)
})

test('the service starts sealing, not the person who finished last', async () => {
  const id = await sentDocument(t, ONE)
  await signAs(t, ADA.email, 'Ada')
  expect((await evidence(id)).events.at(-1)).toMatchObject({
    kind: 'recipient.signed',
    who: { kind: 'recipient', name: ADA.name },
  })
  const { body } = await t.api('GET', `/documents/${id}/audit`)
  const entry = body.events.find((e: { type: string }) => e.type === 'document.sealing')
  expect([entry.actor, entry.personal]).toEqual(['system', null])
})

test('right and wrong access codes are listed with times, without the codes', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, accessCode: 'K7-secret', fields: [SIGNATURE] }] })
  const visitor = openVisitor(t.fetch)
  const landing = await visitor.get(linkTo(t, ADA.email))
  const refused = await visitor.submit(landing, { accessCode: 'wrong-guess' })
  t.clock.pass({ minutes: 1 })
  await visitor.submit(refused, { accessCode: 'K7-secret' })
  const result = await evidence(id)
  const [ada] = result.recipients
  expect(ada!.identifiedBy).toEqual(['email_link', 'access_code'])
  const [first, second, third] = result.events.filter(e => e.who?.kind === 'recipient')
  expect([first, second, third].map(e => e?.kind)).toEqual([
    'recipient.access_code_failed',
    'recipient.access_code_accepted',
    'document.viewed',
  ])
  expect(Date.parse(second!.at) - Date.parse(first!.at)).toBe(60_000)
  expect(JSON.stringify(result)).not.toMatch(/K7-secret|wrong-guess/)
})

test('the reason for declining is included, and a recipient who has not acted has no times', async () => {
  const id = await sentDocument(t)
  const { visitor, page } = await openLinkAs(t, ADA.email)
  await visitor.submit(page, { reason: 'The price is wrong.' }, '/decline')
  const result = await evidence(id)
  const declined = result.events.find(e => e.kind === 'document.declined')
  expect(declined).toMatchObject({
    who: { kind: 'recipient', name: ADA.name },
    concernedRecipientName: undefined,
    reason: 'The price is wrong.',
  })
  const bob = person(result, BOB.name)
  expect([person(result, ADA.name).actedAt, bob.actedAt]).toEqual([undefined, undefined])
  expect([bob.signature, bob.consentSha256, bob.intent, bob.ip]).toEqual(Array(4).fill(undefined))
  expect([bob.identifiedBy, bob.values]).toEqual([[], []])
})

test('checkboxes are yes or no, and a text is never read as one', async () => {
  const box = { page: 1, x: 10, y: 10, width: 5, height: 3 }
  const id = await sentDocument(t, {
    recipients: [
      {
        ...ADA,
        fields: [
          SIGNATURE,
          { ...box, type: 'checkbox', label: 'Terms', value: 'true', readOnly: true },
          { ...box, y: 20, type: 'checkbox', label: 'News', value: 'false', readOnly: true },
          { ...box, y: 30, type: 'text', label: 'Word', value: 'true', readOnly: true },
        ],
      },
    ],
  })
  const { recipients } = await evidence(id)
  expect(recipients[0]!.values).toEqual([
    { label: 'Terms', page: 1, kind: 'check', value: true },
    { label: 'News', page: 1, kind: 'check', value: false },
    { label: 'Word', page: 1, kind: 'text', value: 'true' },
  ])
})

test('an unsupported language gives English, but selects the variant of Han characters', async () => {
  const id = await sentDocument(t, { locale: 'ja' })
  expect(await evidence(id)).toMatchObject({ language: 'en', han: 'Jpan' })
})

test('edits of the draft are in the audit trail, not on the audit certificate', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument(ONE))
  const { id } = body
  expect((await t.api('PATCH', `/documents/${id}`, { title: 'Lease of the ground floor' })).status).toBe(200)
  await t.api('POST', `/documents/${id}/send`)
  await t.drain()
  const types: string[] = (await t.api('GET', `/documents/${id}/audit`)).body.events.map((e: { type: string }) => e.type)
  expect(types).toContain('document.updated')
  const kinds = (await evidence(id)).events.map(e => e.kind)
  expect(kinds).not.toContain('document.updated')
  expect(kinds).toContain('document.sent')
})

test('a date is printed as on the page, and a field without a label has its kind in the document’s language', async () => {
  const box = { page: 1, x: 10, y: 10, width: 25, height: 3 }
  const dates = [
    { ...box, type: 'date', value: '2027-02-05' },
    { ...box, y: 20, type: 'date', label: 'Ende', value: '2028-02-05', dateFormat: 'DD/MM/YYYY' },
  ]
  const recipients = [{ ...ADA, fields: [SIGNATURE, { ...box, y: 30, type: 'email', value: ADA.email, readOnly: true }] }]
  const id = await sentDocument(t, { locale: 'de', senderFields: dates, recipients })
  const { document, recipients: people } = await evidence(id)
  expect(document.senderValues).toMatchObject([
    { label: 'Datum', kind: 'text', value: '5. Februar 2027' },
    { label: 'Ende', kind: 'text', value: '05/02/2028' },
  ])
  expect(people[0]?.values).toMatchObject([{ label: 'E-Mail-Adresse', kind: 'text', value: ADA.email }])
})
