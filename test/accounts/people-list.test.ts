/** The list of people in parts: filters, orders, and the last sign-in. */
import { expect, test } from 'bun:test'
import {
  countPeople,
  type ListedPerson,
  listPeoplePage,
  type PeopleFilter,
  type PeopleOrder,
  peoplePositionIn,
} from '../../src/accounts/list-queries.ts'
import { insertPasskey } from '../../src/accounts/passkey-queries.ts'
import { openSession } from '../../src/accounts/people.ts'
import { setDisabled } from '../../src/accounts/people-queries.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import { nameKey } from '../../src/lib/search-text.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { withSecondFactor } from '../support/second-factor.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

async function everybody(filter: PeopleFilter, order: PeopleOrder, limit: number): Promise<ListedPerson[]> {
  const all: ListedPerson[] = []
  let after: string | undefined
  do {
    const { people, next } = await listPeoplePage(t.app.db, filter, { order, limit, after: peoplePositionIn(after) })
    all.push(...people)
    after = next
  } while (after)
  return all
}

const names = async (filter: PeopleFilter, order: PeopleOrder = 'name') =>
  (await everybody(filter, order, 2)).map(({ name }) => name)

const CLIENT = { ip: undefined, userAgent: undefined }

async function signIn(person: TestPerson, methods: ('password' | 'totp' | 'passkey')[]): Promise<void> {
  t.clock.pass({ minutes: 1 })
  await openSession(t.app, person, methods, CLIENT)
}

async function addPasskey(userId: string): Promise<void> {
  const times = { createdAt: t.clock.now, lastUsedAt: undefined }
  const key = { publicKey: new Uint8Array(1), counter: 0, transports: [], isBackedUp: false, ...times }
  await t.app.write(tx => insertPasskey(tx, { ...key, id: `key-${userId}`, userId, name: 'Phone' }))
}

test('names with an accent are sorted as those without it, page by page', async () => {
  for (const name of ['Zoe', 'Ägidius', 'adam', 'Øystein', 'Olga', 'Ahmed', 'Łukasz', 'Luise']) await addPerson(t, name, 'member')
  const order = ['adam', 'Ägidius', 'Ahmed', 'Luise', 'Łukasz', 'Olga', 'Øystein', 'Zoe']
  expect(await names({})).toEqual(order)
  expect(order.map(nameKey).toSorted()).toEqual(order.map(nameKey))
})

test('each filter finds those whom it names, and the count agrees', async () => {
  const ada = await addPerson(t, 'Ada', 'admin')
  const mia = await addPerson(t, 'Mia', 'member')
  const theo = await addPerson(t, 'Theo', 'auditor')
  await addPerson(t, 'adrian', 'member')
  await withSecondFactor(t.app, ada.email)
  await addPasskey(ada.id)
  await addPasskey(mia.id)
  await t.app.write(tx => setDisabled(tx, theo.id, t.clock.now))
  const cases: [PeopleFilter, string[]][] = [
    [{}, ['Ada', 'adrian', 'Mia', 'Theo']],
    [{ text: 'AD' }, ['Ada', 'adrian']],
    [{ text: 'mia@example' }, ['Mia']],
    [{ text: '%' }, []],
    [{ role: 'member' }, ['adrian', 'Mia']],
    [{ factor: 'app' }, ['Ada']],
    [{ factor: 'passkey' }, ['Ada', 'Mia']],
    [{ factor: 'none' }, ['adrian', 'Theo']],
    [{ factor: 'none', isDisabled: false }, ['adrian']],
    [{ isDisabled: true }, ['Theo']],
  ]
  for (const [filter, expected] of cases) {
    expect([filter, await names(filter), await countPeople(t.app.db, filter)]).toEqual([filter, expected, expected.length])
  }
  const [first] = await everybody({ text: 'ada' }, 'name', 9)
  expect(first).toMatchObject({ hasApp: true, passkeys: 1, lastSignIn: undefined })
})

test('the last sign-in says when and how, outlives its session, and puts people in order', async () => {
  const people: TestPerson[] = []
  for (const name of ['Ada', 'Mia', 'Theo']) people.push(await addPerson(t, name, 'member'))
  const [ada, mia] = people as [TestPerson, TestPerson]
  await signIn(mia, ['password'])
  await signIn(ada, ['passkey'])
  await signIn(mia, ['password', 'totp'])
  await t.app.write(tx => tx.deleteFrom('sessions').execute())
  expect(await names({}, 'newest')).toEqual(['Mia', 'Ada', 'Theo'])
  expect(await names({}, 'oldest')).toEqual(['Theo', 'Ada', 'Mia'])
  const [latest] = await everybody({ text: 'mia' }, 'name', 1)
  expect(latest?.lastSignIn).toEqual({ at: t.clock.now, methods: ['password', 'totp'] })
})

test('3,000 people, many of one name, are each on one page, in both orders', async () => {
  await t.app.write(async tx => {
    for (let i = 0; i < 3000; i++) {
      const person = { id: t.app.newId('usr'), email: `p${i}@example.com`, name: `Person ${i % 7}`, role: 'member' as const }
      await insertUser(tx, { ...person, passwordHash: 'none' }, t.clock.now)
    }
  })
  for (const order of ['name', 'newest', 'oldest'] as const) {
    const all = await everybody({}, order, 50)
    expect([order, all.length, new Set(all.map(({ id }) => id)).size]).toEqual([order, 3000, 3000])
  }
})
