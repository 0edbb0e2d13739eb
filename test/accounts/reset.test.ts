/** Password reset by a one-time link. */
import { expect, test } from 'bun:test'
import { createAdmin, issueSetupToken, sessionUser } from '../../src/accounts/people.ts'
import { issueResetLink, setPasswordByLink } from '../../src/accounts/reset.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { adminCreate, adminReset } from '../../src/cli/admin.ts'
import { doctor } from '../../src/cli/doctor.ts'
import type { Io, Verb } from '../../src/cli/verb.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { noteServiceAddress } from '../../src/settings/service-address.ts'
import { openVisitor, textOf } from '../support/browser-less.ts'
import { onSqlite } from '../support/engine.ts'
import { signIn } from '../support/sign-in.ts'
import { useTestApp } from '../support/use-app.ts'

const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const NEW_PASSWORD = 'quite another set of words'
const CLIENT = { ip: undefined, userAgent: undefined }

const t = useTestApp()

async function linkFor(email = ADMIN.email): Promise<string> {
  return `/reset/${(await issueResetLink(t.app, email, COMMAND_LINE)).token}`
}

async function eventTypes(): Promise<string[]> {
  const rows = await t.app.db.selectFrom('events').select('entry').where('document_id', 'is', null).orderBy('sequence').execute()
  return rows.map(row => {
    const { type, actor } = JSON.parse(row.entry) as { type: string; actor: string }
    return `${type} by ${actor.replace(/_.*/, '')}`
  })
}

const enter = (password: string) => signIn(t.app, { email: ADMIN.email, password, deviceToken: undefined }, CLIENT)

async function run(verb: Verb, args: string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
  const ran = { code: -1, out: '', err: '' }
  const io: Io = {
    out: text => {
      ran.out += `${text}\n`
    },
    err: text => {
      ran.err += `${text}\n`
    },
    env: {},
    stdin: async () => stdin,
    command: [],
    open: async () => ({ app: t.app, close: async () => {} }),
    serve: async () => {},
  }
  ran.code = await verb.run(args, io)
  return ran
}

test('the link sets a password, ends every session, is in the audit log, and the user is mailed', async () => {
  await createAdmin(t.app, ADMIN)
  const before = await enter(ADMIN.password)
  const link = await linkFor()
  expect(await sessionUser(t.app, before.token)).toBeDefined()
  const visitor = openVisitor(t.fetch)
  const form = await visitor.get(link)
  expect(textOf(form)).toContain(ADMIN.email)
  const signInPage = await visitor.submit(form, { password: NEW_PASSWORD })
  expect(textOf(signInPage)).toContain('Your new password is set.')
  expect(await sessionUser(t.app, before.token)).toBeUndefined()
  expect(textOf(await visitor.submit(signInPage, { email: ADMIN.email, password: NEW_PASSWORD }))).toContain('Documents')
  await expect(enter(ADMIN.password)).rejects.toMatchObject({ reason: 'unauthorized' })
  expect(await eventTypes()).toEqual([
    'user.created by command-line',
    'user.signed_in by user:usr',
    'user.password_reset_link_issued by command-line',
    'user.password_reset by user:usr',
    'user.signed_in by user:usr',
  ])
  expect('head' in (await verifyChain(t.app.db))).toBe(true)
  await t.drain()
  expect(t.mails.map(m => [m.to.address, m.subject])).toEqual([[ADMIN.email, '[TEST] Your password was changed']])
  expect(t.mails[0]?.text).toContain('with a one-time link')
})

test('the link works once', async () => {
  await createAdmin(t.app, ADMIN)
  const link = await linkFor()
  const visitor = openVisitor(t.fetch)
  await visitor.submit(await visitor.get(link), { password: NEW_PASSWORD })
  const again = await openVisitor(t.fetch).get(link)
  expect([again.status, textOf(again).includes('or run signet admin reset again')]).toEqual([404, true])
})

test('an invalid link is refused before the password is checked or hashed', async () => {
  await createAdmin(t.app, ADMIN)
  const set = setPasswordByLink(t.app, 'x'.repeat(43), 'short', CLIENT)
  await expect(set).rejects.toMatchObject({ reason: 'not_found' })
})

test('the link stays valid after a password that is not accepted', async () => {
  await createAdmin(t.app, ADMIN)
  const visitor = openVisitor(t.fetch)
  const page = await visitor.submit(await visitor.get(await linkFor()), { password: 'short' })
  expect([page.status, textOf(page).includes('at least 12 characters')]).toEqual([422, true])
  expect(textOf(await visitor.submit(page, { password: NEW_PASSWORD }))).toContain('Your new password is set.')
})

test('the link is valid for thirty minutes or until a newer one is issued', async () => {
  await createAdmin(t.app, ADMIN)
  const [old, link] = [await linkFor(), await linkFor()]
  expect((await t.fetch(old)).status).toBe(404)
  t.clock.pass({ minutes: 29, seconds: 59 })
  expect((await t.fetch(link)).status).toBe(200)
  t.clock.pass({ seconds: 1 })
  expect((await t.fetch(link)).status).toBe(404)
})

test('a link used twice at the same time sets one password', async () => {
  await createAdmin(t.app, ADMIN)
  const link = await linkFor()
  const visitors = [openVisitor(t.fetch), openVisitor(t.fetch)]
  const forms = await Promise.all(visitors.map(v => v.get(link)))
  const pages = await Promise.all(
    visitors.map((v, i) => v.submit(forms[i] as (typeof forms)[0], { password: `${NEW_PASSWORD} ${i}` })),
  )
  expect(pages.map(p => p.status).sort()).toEqual([200, 404])
})

test('after a reset its browser signs in, even if other clients used up the attempts of unknown devices', async () => {
  await createAdmin(t.app, ADMIN)
  const visitor = openVisitor(t.fetch)
  const signInPage = await visitor.submit(await visitor.get(await linkFor()), { password: NEW_PASSWORD })
  for (let i = 0; i < 6; i++) await enter('wrong').catch(() => 'refused')
  expect(textOf(await visitor.submit(signInPage, { email: ADMIN.email, password: NEW_PASSWORD }))).toContain('Documents')
})

test('signet admin reset prints only the link on standard output, with the public address of the service', async () => {
  await createAdmin(t.app, ADMIN)
  t.app.config.baseUrl = 'https://sign.example.com'
  await noteServiceAddress(t.app)
  t.app.config.baseUrl = 'http://127.0.0.1:3000'
  const ran = await run(adminReset, ['Grace@example.com'])
  expect(ran.code).toBe(0)
  expect(ran.out).toMatch(/^https:\/\/sign\.example\.com\/reset\/[\w-]{43}\n$/)
  expect(ran.err).toContain('Grace Hopper <grace@example.com> can set a new password there, once, within 30 minutes.')
  await expect(run(adminReset, ['nobody@example.com'])).rejects.toMatchObject({ reason: 'not_found' })
})

onSqlite(test)('signet admin create and signet doctor print the public address of the service', async () => {
  t.app.config.baseUrl = 'https://sign.example.com'
  await noteServiceAddress(t.app)
  t.app.config.baseUrl = 'http://127.0.0.1:3000'
  const made = await run(adminCreate, ['--email', ADMIN.email, '--name', 'Grace', '--password-stdin'], `${ADMIN.password}\n`)
  expect(made.out).toBe('Grace <grace@example.com> is an administrator now: sign in at https://sign.example.com/sign-in\n')
  expect(made.err).toContain('signers see “Signet”: name it at https://sign.example.com/settings/organisation')
  const { out } = await run(doctor, ['--data', t.app.config.dataFolder])
  expect(out).toContain('address: https://sign.example.com\n')
  expect(out).toContain('service: does not run; its address is that of the last start')
})

test('signet admin create takes the language of the organisation with the first administrator, and only then', async () => {
  const args = (email: string, language: string) => [
    '--email',
    email,
    '--name',
    'Grace',
    '--password-stdin',
    '--language',
    language,
  ]
  const create = (email: string, language: string) => run(adminCreate, args(email, language), `${ADMIN.password}\n`)
  await expect(create(ADMIN.email, 'tlh')).rejects.toMatchObject({ details: [{ path: 'language' }] })
  const made = await create(ADMIN.email, 'de')
  expect(made.err).toContain('Its e-mails are in German')
  expect((await readOrganisation(t.app.db)).language).toBe('de')
  await expect(create('second@example.com', 'fr')).rejects.toMatchObject({ details: [{ path: 'language' }] })
  expect((await readOrganisation(t.app.db)).language).toBe('de')
})

test('once there is an administrator, a set-up link does not promise a new one after a restart', async () => {
  const token = await issueSetupToken(t.app)
  t.clock.pass({ minutes: 31 })
  expect(textOf(await openVisitor(t.fetch).get(`/setup/${token}`))).toContain('Restart signet serve: it prints a new one.')
  await createAdmin(t.app, ADMIN)
  const page = textOf(await openVisitor(t.fetch).get(`/setup/${token}`))
  expect(page).toContain('already set up: sign in at')
  expect(page).not.toContain('Restart')
})
