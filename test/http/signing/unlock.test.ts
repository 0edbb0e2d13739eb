/** A recipient who entered too many wrong codes gets new tries from the sender, by API and page. */
import { expect, test } from 'bun:test'
import { openVisitor, textOf } from '../../support/browser-less.ts'
import { ADA, BOB, SIGNATURE } from '../../support/sample.ts'
import { linkTo, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'

const t = useTestApp()

const CODES = { [ADA.email]: 'tulip-42', [BOB.email]: 'rose-42' }

/** Enters a code in a new browser. */
async function open(email: string, accessCode = CODES[email] ?? '') {
  const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
  return { visitor, page: await visitor.submit(await visitor.get(linkTo(t, email)), { accessCode }) }
}

async function lock(email: string): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await open(email, 'wrong-code')
    t.clock.pass({ minutes: 10 })
  }
}

/** A sealed document that both open with their code. */
async function completed(): Promise<string> {
  const recipients = [
    { ...ADA, fields: [SIGNATURE], accessCode: CODES[ADA.email] },
    { ...BOB, role: 'viewer', accessCode: CODES[BOB.email] },
  ]
  const id = await sentDocument(t, { recipients })
  const { visitor, page } = await open(ADA.email)
  await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
  await t.drain()
  return id
}

const recipientsOf = async (id: string) => (await t.api('GET', `/documents/${id}`)).body.recipients
const unlock = (id: string, recipientId: string) => t.api('POST', `/documents/${id}/recipients/${recipientId}/unlock`)

test('by the API, also when the document is completed: the link stays, the event is in the audit trail, nothing is mailed', async () => {
  const id = await completed()
  for (const email of [ADA.email, BOB.email]) {
    await lock(email)
    const locked = textOf(await openVisitor(t.fetch, t.app.config.baseUrl).get(linkTo(t, email)))
    // A completed document has no reminders.
    expect(locked).toContain('ask the sender to unlock it: after that you can try again.')
    expect(locked).not.toContain('reminder')
    const mailed = t.mails.length
    const recipient = (await recipientsOf(id)).find((r: { email: string }) => r.email === email)
    expect(recipient.codeLocked).toBe(true)
    const { status, body } = await unlock(id, recipient.id)
    expect([status, body.id, body.codeLocked]).toEqual([200, recipient.id, false])
    await t.drain()
    expect(t.mails).toHaveLength(mailed)
    expect((await open(email)).page.html).toContain('Download the sealed document')
  }
  const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
  expect(events.filter(({ type }: { type: string }) => type === 'recipient.access_code_unlocked')).toHaveLength(2)
})

test('one who is not locked, not invited, or unknown is refused, and nothing is recorded', async () => {
  const recipients = [ADA, BOB].map((person, i) => ({
    ...person,
    fields: [SIGNATURE],
    accessCode: CODES[person.email],
    order: i + 1,
  }))
  const id = await sentDocument(t, { recipients, signingOrder: 'sequential' })
  for (const { id: recipientId } of await recipientsOf(id)) {
    const { status, body } = await unlock(id, recipientId)
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'invalid_state',
      'The recipient is not locked: tries are left.',
    ])
  }
  expect((await unlock(id, 'rcp_00000000000000000000000000')).status).toBe(404)
  await lock(ADA.email)
  await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  const [ada] = await recipientsOf(id)
  expect((await unlock(id, ada.id)).body.error.message).toBe(
    'The document is voided: this recipient cannot open it, with or without a code.',
  )
})

test('by the page of the document, whatever its state, once; an auditor sees the lock without the button', async () => {
  const id = await completed()
  await lock(BOB.email)
  const sender = await newAdministrator(t)
  const page = await sender.get(`/documents/${id}`)
  expect(page.html).toContain('Locked after too many wrong codes.')
  const after = await sender.submit(page, {}, '/unlock')
  expect(after.html).toContain(`${BOB.name} can enter the code again.`)
  expect(after.html).not.toContain('Locked after too many wrong codes.')
  expect((await open(BOB.email)).page.html).toContain('Download the sealed document')
})

test('the trouble on the page of an open document leads to the button', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE], accessCode: CODES[ADA.email] }] })
  await lock(ADA.email)
  const sender = await newAdministrator(t)
  const text = textOf(await sender.get(`/documents/${id}`))
  expect(text).toContain('“Unlock” beside the person then allows new tries.')
  expect(text).not.toContain('the reminder allows')
  expect(text).toContain(`Unlock ${ADA.name}`)
})
