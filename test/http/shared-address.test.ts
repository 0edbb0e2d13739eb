/** Two people with one mail address: each signs by a link of their own, and nothing is mixed. */
import { expect, test } from 'bun:test'
import { openVisitor, textOf } from '../support/browser-less.ts'
import { newDocument, SIGNATURE } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'

const ANNA = { name: 'Anna Berg', email: 'family@example.com' }
const BEN = { name: 'Ben Berg', email: 'Family@example.com' }
const fields = [SIGNATURE]

const t = useTestApp()

const create = async (recipients: unknown[], more = {}) =>
  t.api('POST', '/documents', await newDocument({ recipients, send: true, ...more }))

const mailsFor = ({ name }: { name: string }) => t.mails.filter(({ to }) => to.name === name)
const linkFor = (person: { name: string }) => /https?:\/\/\S+?(\/s\/\S+)/.exec(mailsFor(person).at(-1)?.text ?? '')?.[1] ?? ''

async function opened(person: { name: string }) {
  const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
  const landing = await visitor.get(linkFor(person))
  return { visitor, landing, page: await visitor.submit(landing) }
}

test('each gets a mail that says for whom it is, and a link of their own', async () => {
  const { status } = await create([ANNA, BEN].map(person => ({ ...person, fields })))
  expect(status).toBe(201)
  await t.drain()
  expect(t.mails.map(({ to, text }) => [to.address, to.name, /Hello (.*),/.exec(text)?.[1]])).toEqual([
    [ANNA.email, ANNA.name, ANNA.name],
    [BEN.email, BEN.name, BEN.name],
  ])
  expect(linkFor(ANNA)).not.toBe(linkFor(BEN))
  const { landing } = await opened(BEN)
  expect([textOf(landing).includes(BEN.name), textOf(landing).includes(ANNA.name)]).toEqual([true, false])
})

test('one signs while the other has not: sessions, marks and states are apart, also in one browser', async () => {
  const { body } = await create([ANNA, BEN].map(person => ({ ...person, fields })))
  await t.drain()
  const anna = await opened(ANNA)
  const landing = await anna.visitor.get(linkFor(BEN))
  const page = await anna.visitor.submit(landing)
  expect(page.url).not.toBe(anna.page.url)
  await anna.visitor.submit(page, { signature: 'Ben Berg', consent: 'on' }, '/finish')
  const states = async () =>
    (await t.api('GET', `/documents/${body.id}`)).body.recipients.map((r: { status: string }) => r.status)
  expect(await states()).toEqual(['viewed', 'signed'])
  expect((await anna.visitor.get(anna.page.url)).html).toContain('/finish')
  await anna.visitor.submit(anna.page, { signature: 'Anna Berg', consent: 'on' }, '/finish')
  await t.drain()
  expect(await states()).toEqual(['signed', 'signed'])
  const done = [ANNA, BEN].map(person => mailsFor(person).filter(({ subject }) => subject.includes('Completed')).length)
  expect(done).toEqual([1, 1])
})

test('a reminder goes to who has not signed, and a correction of one leaves the link of the other', async () => {
  const { body } = await create([ANNA, BEN].map(person => ({ ...person, fields })))
  await t.drain()
  const { visitor, page } = await opened(ANNA)
  await visitor.submit(page, { signature: 'Anna', consent: 'on' }, '/finish')
  t.clock.pass({ hours: 2 })
  await t.api('POST', `/documents/${body.id}/remind`)
  await t.drain()
  expect([mailsFor(ANNA).length, mailsFor(BEN).length]).toEqual([1, 2])
  const link = linkFor(BEN)
  const moved = await t.api('PATCH', `/documents/${body.id}/recipients/${body.recipients[1].id}`, { email: 'ben@example.com' })
  expect(moved.status).toBe(200)
  expect((await openVisitor(t.fetch).get(link)).status).toBe(404)
})

test('in turn, the second is asked at the shared address once the first has signed', async () => {
  await create(
    [ANNA, BEN].map((person, i) => ({ ...person, order: i + 1, fields })),
    { signingOrder: 'sequential' },
  )
  await t.drain()
  expect(t.mails.map(({ to }) => to.name)).toEqual([ANNA.name])
  const { visitor, page } = await opened(ANNA)
  await visitor.submit(page, { signature: 'Anna', consent: 'on' }, '/finish')
  await t.drain()
  expect(mailsFor(BEN)).toHaveLength(1)
})

test('one person twice is refused: the same address and the same name, however they are written', async () => {
  const { status, body } = await create([ANNA, { name: ' anna  BERG', email: 'FAMILY@example.com' }].map(p => ({ ...p, fields })))
  expect([status, body.error.details]).toEqual([
    422,
    [
      {
        path: 'recipients[1].email',
        code: 'mailbox_of_recipient',
        message: 'is already used by recipients[0] with the same name: two people at one address need different names',
      },
    ],
  ])
})

test('who hands over to the other of the shared address is refused: that person signs already', async () => {
  const cleo = { name: 'Cleo', email: 'cleo@example.com' }
  await create([ANNA, BEN, cleo].map(person => ({ ...person, fields })))
  await t.drain()
  const { visitor, page } = await opened(cleo)
  const refused = await visitor.submit(page, { name: BEN.name, email: BEN.email }, '/delegate')
  expect([refused.status, textOf(refused).includes('already asked to sign')]).toEqual([422, true])
  const third = await visitor.submit(page, { name: 'Dora Berg', email: BEN.email }, '/delegate')
  expect([third.status, textOf(third).includes('Handed over')]).toEqual([200, true])
})

test('while the release before may serve, which could not send it, no such document is made; one that there is goes on', async () => {
  const both = [ANNA, BEN].map(person => ({ ...person, fields }))
  await t.sql('UPDATE cluster SET feature_level = 0')
  const { body: before } = await create([both[0], { ...both[1], email: 'ben@example.com' }], { send: false })
  await t.sql('UPDATE recipients SET email = ? WHERE id = ?', ANNA.email, before.recipients[1].id)
  const { status, body } = await create(both)
  expect([status, body.error.code, body.error.message]).toEqual([
    409,
    'upgrade_unfinished',
    expect.stringContaining('One address for two people who sign can be used when the upgrade is finished'),
  ])
  expect((await create([{ ...ANNA, fields }])).status).toBe(201)
  const edited = await t.api('PATCH', `/documents/${before.id}`, { title: 'Another title' })
  expect([edited.status, (await t.api('POST', `/documents/${before.id}/send`)).status]).toEqual([200, 200])
})
