/** Contacts belong to one user. Sending adds them; the user corrects and forgets them. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { contactByEmail, listContacts, recentContacts } from '../../src/accounts/contact-queries.ts'
import { contactOf, forgetContact, putContact, rememberContacts } from '../../src/accounts/contacts.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
const GRACE = { userId: 'usr_1' }
const MIA = { userId: 'usr_2' }

beforeEach(async () => {
  await t.app.write(async tx => {
    const user = (id: string, name: string) => ({
      id,
      email: `${name}@example.com`,
      name,
      role: 'member' as const,
      passwordHash: 'x',
    })
    await insertUser(tx, user('usr_1', 'grace'), t.clock.now)
    await insertUser(tx, user('usr_2', 'mia'), t.clock.now)
  })
})

const person = (name: string, email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`) => ({
  name,
  email,
  locale: undefined,
})
const remember = (people: ReturnType<typeof person>[], owner = GRACE) =>
  t.app.write(tx => rememberContacts(tx, t.app, owner, people))
const names = async (owner = GRACE, q = '') =>
  (await listContacts(t.app.db, owner.userId, { q, after: undefined, limit: 100 })).contacts.map(({ name }) => name)

describe('sending', () => {
  test('adds the people once, whatever the case of their address, with their newest name', async () => {
    await remember([person('Bo Li', 'bo@example.com')])
    await remember([person('Bo Lee', 'BO@example.com'), person('Ann Berg')])
    expect(await names()).toEqual(['Ann Berg', 'Bo Lee'])
    expect(await contactByEmail(t.app.db, 'usr_1', 'Bo@Example.com')).toMatchObject({ name: 'Bo Lee', email: 'BO@example.com' })
  })

  test('never makes the sender a contact of their own', async () => {
    await remember([person('Me', 'Grace@example.com'), person('Ann Berg')])
    expect(await names()).toEqual(['Ann Berg'])
  })

  test('by an API token of the instance adds nothing', async () => {
    await t.app.write(tx => rememberContacts(tx, t.app, { userId: undefined }, [person('Ann Berg')]))
    expect(await t.app.db.selectFrom('contacts').selectAll().execute()).toEqual([])
  })

  test('keeps the 5,000 people written to last', async () => {
    await remember(Array.from({ length: 4_999 }, (_, i) => person(`Old ${i}`)))
    t.clock.pass({ minutes: 1 })
    await remember([person('New A'), person('New B')])
    expect(await recentContacts(t.app.db, 'usr_1', 10_000)).toHaveLength(5_000)
    expect((await recentContacts(t.app.db, 'usr_1', 2)).map(({ name }) => name).sort()).toEqual(['New A', 'New B'])
  })
})

describe('a user', () => {
  test('sees, corrects and forgets own contacts alone', async () => {
    await remember([person('Ann Berg')])
    await remember([person('Theo Voss')], MIA)
    const [theirs] = await recentContacts(t.app.db, 'usr_2', 1)
    const id = theirs?.id ?? ''
    expect(await names()).toEqual(['Ann Berg'])
    expect(contactOf(t.app, GRACE, id)).rejects.toThrow('contact_not_found')
    expect(putContact(t.app, GRACE, id, { name: 'X', email: 'x@example.com', locale: '' })).rejects.toThrow('contact_not_found')
    await forgetContact(t.app, GRACE, id)
    expect(await names(MIA)).toEqual(['Theo Voss'])
    await forgetContact(t.app, MIA, id)
    expect(await t.app.db.selectFrom('contacts').select('user_id').execute()).toEqual([{ user_id: 'usr_1' }])
  })

  test('finds a contact by any part of name or address, without accents, page by page', async () => {
    await remember([person('Jürgen Groß', 'j@example.com'), person('Ann Berg'), person('Zoë Berger')])
    expect(await names(GRACE, 'JURGEN gross')).toEqual(['Jürgen Groß'])
    expect(await names(GRACE, 'berg')).toEqual(['Ann Berg', 'Zoë Berger'])
    expect(await names(GRACE, '%')).toEqual([])
    const first = await listContacts(t.app.db, 'usr_1', { q: '', after: undefined, limit: 2 })
    const second = await listContacts(t.app.db, 'usr_1', { q: '', after: first.next, limit: 2 })
    expect([first, second].map(p => p.contacts.map(c => c.name))).toEqual([['Ann Berg', 'Jürgen Groß'], ['Zoë Berger']])
    expect(second.next).toBeUndefined()
  })

  test('cannot give two contacts one address, nor an invalid one', async () => {
    await remember([person('Ann Berg'), person('Bo Li')])
    const bo = await contactByEmail(t.app.db, 'usr_1', 'bo.li@example.com')
    const change = (input: { name: string; email: string }) => putContact(t.app, GRACE, bo?.id, { ...input, locale: '' })
    expect(change({ name: 'Bo Li', email: 'ANN.BERG@example.com' })).rejects.toThrow('contact_known')
    expect(change({ name: ' ', email: 'x' })).rejects.toMatchObject({ details: [{ path: 'name' }, { path: 'email' }] })
    await change({ name: 'Bo Lee', email: 'lee@example.com' })
    expect(await names()).toEqual(['Ann Berg', 'Bo Lee'])
  })
})
