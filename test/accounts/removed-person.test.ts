/** What is left of a person after "Remove": nothing that names one, in no row and in no file. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { requestEmailChange } from '../../src/accounts/email-change.ts'
import { invitePerson, withdrawInvitation } from '../../src/accounts/invitations.ts'
import { disablePerson, removePerson, renamePerson } from '../../src/accounts/manage.ts'
import { appendInstanceEvent, verifyChain } from '../../src/audit/log.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { folderMailer } from '../../src/mailer/outbox-folder.ts'
import { sweepMailFiles, sweepNotices } from '../../src/outbox/outbox.ts'
import { addPerson } from '../support/accounts.ts'
import { dumpOf } from '../support/dump.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const words = (text: string) => [...new Set(text.match(/canary\w*/gi) ?? [])]

function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => statSync(join(folder, name)).isFile())
    .map(name => `${name}\n${readFileSync(join(folder, name), 'latin1')}`)
    .join('\n')
}

test('nothing names a person who was removed, whatever was done with the account before', async () => {
  const grace = await addPerson(t, 'Grace', 'admin')
  const invited = { name: 'Canaryinvited', email: 'Canary@Example.com', role: 'member', language: 'en' }
  await invitePerson(t.app, invited, 'mail', grace.origin)
  await t.drain()
  const [invitation] = await t.app.db.selectFrom('invitations').select('id').execute()
  await withdrawInvitation(t.app, invitation?.id ?? '', grace.origin)
  const person = await addPerson(t, 'Canary', 'member')
  const client = { ...person.origin, ip: '192.0.2.77', userAgent: 'Canarybrowser/1.0' }
  await t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'user.signed_out', data: { userId: person.id } }, client))
  await requestEmailChange(t.app, person.id, 'canarynew@example.com', client)
  await renamePerson(t.app, person.id, 'Canaryrenamed', grace.origin)
  await disablePerson(t.app, person.id, grace.origin)
  await t.drain()
  expect(words(await dumpOf(t)).length).toBeGreaterThan(4)
  await removePerson(t.app, person.id, grace.origin)
  await t.drain()
  expect(t.mails.at(-1)).toMatchObject({ subject: '[TEST] Your account was removed', to: { address: 'canary@example.com' } })
  await sweepMailFiles(t.app)
  expect(words(await dumpOf(t))).toEqual([])
  expect(words(bytesOf(t.folder))).toEqual([])
  const details = await t.app.db.selectFrom('event_details').select('personal').execute()
  expect(details.filter(({ personal }) => personal.includes('192.0.2.77'))).toEqual([])
  expect(await verifyChain(t.app.db)).toHaveProperty('head')
})

test('without a mail server the files of the outbox go as well, and what is about others stays', async () => {
  await t.close()
  t = await openTestApp({ mailer: folderMailer(THIS_FILE_SYSTEM, join(t.folder, 'data', 'outbox')) })
  const grace = await addPerson(t, 'Grace', 'admin')
  const person = await addPerson(t, 'Canary', 'member')
  const bob = await addPerson(t, 'Bob', 'member')
  await renamePerson(t.app, person.id, 'Canaryrenamed', grace.origin)
  await renamePerson(t.app, bob.id, 'Robert', grace.origin)
  await t.drain()
  await removePerson(t.app, person.id, grace.origin)
  await t.drain()
  await sweepMailFiles(t.app)
  expect(words(await dumpOf(t))).toEqual([])
  expect(words(bytesOf(t.folder))).toEqual([])
  expect(await dumpOf(t)).toContain('Robert')
})

test('mails that belong to no document are deleted after their time: 30 days, 90 if they failed', async () => {
  const grace = await addPerson(t, 'Grace', 'admin')
  const bob = await addPerson(t, 'Bob', 'member')
  t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 unknown' })
  await renamePerson(t.app, bob.id, 'Robert', grace.origin)
  await t.drain()
  await renamePerson(t.app, bob.id, 'Roberta', grace.origin)
  await t.drain()
  const states = async () =>
    (await t.app.db.selectFrom('mails').select('status').orderBy('id').execute()).map(({ status }) => status)
  t.clock.pass({ days: 29 })
  await sweepNotices(t.app)
  expect(await states()).toEqual(['failed', 'accepted'])
  t.clock.pass({ days: 2 })
  await sweepNotices(t.app)
  expect(await states()).toEqual(['failed'])
  t.clock.pass({ days: 60 })
  await sweepNotices(t.app)
  expect(await states()).toEqual([])
})
