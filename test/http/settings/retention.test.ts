/** Settings → Retention, legal holds, and pages of settings in German. */
import { describe, expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { changeRetention } from '../../../src/documents/retention/retention.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { readRetention } from '../../../src/settings/retention.ts'
import { renewSealCertificate } from '../../../src/settings/seal-certificate.ts'
import { csrfOf, type Page, textOf } from '../../support/browser-less.ts'
import { sentDocument } from '../../support/story.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE } from '../../support/visitors.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

const PATH = '/settings/retention'

async function voidedDocument(title: string): Promise<string> {
  const id = await sentDocument(t, { title })
  await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  await t.drain()
  return id
}

/** An idle session ends. */
const again = async () => visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password: GRACE.password })

const periods = async () => readRetention(t.app.db, t.clock.now)
const preview = (query: string) => visitor.get(`${PATH}/preview?${query}`)
const confirmed = (page: Page) => visitor.submit(page, { password: GRACE.password }, PATH)

describe('the periods', () => {
  test('are set after a preview, with the password again, and wait', async () => {
    const id = await voidedDocument('=SUM(A1) "Lease", Elm Street')
    t.clock.pass({ days: 40 })
    await again()
    t.clock.pass({ minutes: 20 })
    expect(textOf(await visitor.get(PATH))).toContain('Nothing is erased automatically')
    const page = await preview('completed=&voided=1')
    expect(textOf(page)).toContain('1 document would be erased on 13 January 2027 or soon after')
    expect(textOf(page)).toContain('The change takes effect on 6 January 2027; until then you can call it off')
    expect(page.html).toContain(`href="/documents/${id}"`)
    expect(textOf(page)).toContain('November 2026 1 1')
    const refused = await visitor.submit(page, {}, PATH)
    expect([refused.status, (await periods()).next]).toEqual([422, undefined])
    const saved = await confirmed(refused)
    expect(textOf(saved)).toContain('Your change takes effect on 6 January 2027')
    expect(textOf(saved)).toContain('Nothing is erased before 13 January 2027')
    await t.drain()
    expect(t.mails.at(-1)?.subject).toBe('[TEST] 1 document will be erased from 2027-01-13 on')
    const { body } = await visitor.get(`${PATH}/preview.csv?voided=1`).then(csv => ({ body: csv.html }))
    expect(body.split('\r\n')[1]).toStartWith(`"${id}","'=SUM(A1) ""Lease"", Elm Street","Voided","2026-11-20T`)
  })

  test('wait for an announcement that has reached nobody, and the page says so', async () => {
    await voidedDocument('Lease')
    t.clock.pass({ days: 40 })
    await again()
    await confirmed(await preview('completed=&voided=1'))
    const lost = 'Nobody has received the e-mail that announces the erasure'
    expect(textOf(await visitor.get(PATH))).not.toContain(lost)
    t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 later' })
    await t.drain()
    expect(textOf(await visitor.get(PATH))).toContain(lost)
    t.clock.pass({ minutes: 5 })
    await t.drain()
    expect(textOf(await visitor.get(PATH))).not.toContain(lost)
  })

  test('can be called off while they wait', async () => {
    await changeRetention(t.app, SYSTEM, { completed: 12 })
    const called = await visitor.submit(await visitor.get(PATH), {}, `${PATH}/call-off`)
    expect(textOf(called)).toContain('The change was called off.')
    expect(await periods()).toEqual({ periods: {}, next: undefined, announcedAt: undefined, unreached: undefined })
  })

  test('that erase less take effect at once', async () => {
    await changeRetention(t.app, SYSTEM, { completed: 12 })
    t.clock.pass({ days: 8 })
    await again()
    const page = await preview('completed=24')
    expect(textOf(page)).toContain('erase nothing that would not have been erased anyway')
    await confirmed(page)
    expect((await periods()).periods).toEqual({ completed: 24 })
    const off = await preview('completed=')
    expect(textOf(off)).toContain('Documents are then kept until somebody deletes them.')
    await confirmed(off)
    expect((await periods()).periods).toEqual({})
  })

  test('that are no numbers of months are refused at their fields, with what was typed', async () => {
    for (const wrong of ['0', '601', '1.5', '-3', 'two']) {
      const page = await preview(`completed=${wrong}&voided=6`)
      expect(page.status).toBe(422)
      expect(textOf(page)).toContain('Completed must be a number of months from 1 to 600')
      expect(page.html).toContain(`value="${wrong}"`)
    }
  })
})

describe('a legal hold', () => {
  test('is set and lifted on the page of the document, shown there and in the list', async () => {
    const id = await voidedDocument('Lease')
    await voidedDocument('Other')
    const page = await visitor.get(`/documents/${id}`)
    const empty = await visitor.submit(page, { reason: ' ' }, `/documents/${id}/hold`)
    expect(empty.url).toContain('open=hold')
    const held = await visitor.submit(page, { reason: 'Case 4711 <b>' }, `/documents/${id}/hold`)
    expect(textOf(held)).toContain('Under legal hold since 20 November Case 4711 <b>')
    expect(held.html).not.toContain(`action="/documents/${id}/delete"`)
    const list = await visitor.get('/documents?view=all&hold=1')
    expect([list.html.includes(`/documents/${id}"`), textOf(list).includes('Other')]).toEqual([true, false])
    expect(textOf(await visitor.get(PATH))).toContain('1 document is under legal hold.')
    const refused = await visitor.post(`/documents/${id}/delete`, { csrf: csrfOf(held) })
    expect([refused.status, textOf(refused).includes('under legal hold')]).toEqual([409, true])
    const lifted = await visitor.submit(held, { reason: 'Case closed' }, `/documents/${id}/lift-hold`)
    expect(textOf(lifted)).toContain('The legal hold was lifted.')
    expect(lifted.html).toContain(`action="/documents/${id}/delete"`)
  })
})

const toGerman = async () => visitor.submit(await visitor.get('/documents'), { language: 'de' }, '/language')

/** Texts of two words at least, without what is the same in both languages. */
function textsOf({ html }: Page): Set<string> {
  const visible = html.replace(/<(style|script|code|select|option|pre)\b.*?<\/\1>/gs, '|')
  const attributes = [...visible.matchAll(/ (?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(([, text = '']) => text)
  const texts = [...visible.split(/<[^>]+>/), ...attributes].map(text => text.trim())
  const data = /^(test|Webhooks) · |Grace|Organisation · |example\.com|O=|CN=|:[0-9A-F]{2}:|^\d|ECDSA|127\.0\.0\.1|B-B|mailbox/
  return new Set(texts.filter(text => /\p{L}{2}.*\s.*\p{L}/u.test(text) && !data.test(text)))
}

test('no text of two words is the same in both languages', async () => {
  await sentDocument(t)
  await createKey(t.app, SYSTEM.actor, { name: 'HR', scopes: [], expiresInDays: undefined })
  await renewSealCertificate(t.app, SYSTEM)
  const [key] = await t.app.db.selectFrom('api_keys').select('id').execute()
  const { body: hook } = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['document.sent'] })
  await sentDocument(t)
  const [delivery] = await t.app.db.selectFrom('deliveries').select('id').execute()
  const webhook = `/settings/webhooks/${hook.id}`
  const paths = [
    '/settings/tokens',
    '/settings/email',
    '/settings/seal/time-stamps',
    `/settings/tokens/${key?.id}`,
    `/settings/tokens/${key?.id}/revoke`,
    '/settings/webhooks',
    '/settings/webhooks/new',
    '/settings/webhooks/networks',
    webhook,
    ...['edit', 'rotate', 'delete', 'deliveries', `deliveries/${delivery?.id}`].map(page => `${webhook}/${page}`),
    '/settings/organisation',
    '/settings/seal',
    '/settings/audit',
    '/settings/health/upgrade',
    '/outbox',
  ]
  const read = async () => Promise.all(paths.map(async path => textsOf(await visitor.get(path))))
  const english = await read()
  await toGerman()
  const german = await read()
  for (const [i, path] of paths.entries()) {
    const same = [...(english[i] ?? [])].filter(text => german[i]?.has(text))
    expect([path, (english[i]?.size ?? 0) > 5, same]).toEqual([path, true, []])
  }
})

test('errors, notices and the result of a test page are German too', async () => {
  await toGerman()
  const organisation = await visitor.get('/settings/organisation')
  const refused = textOf(await visitor.submit(organisation, { name: '' }, '/settings/organisation'))
  expect(refused).toContain('Bitte prüfen Sie Ihre Angaben: Name darf nicht leer sein.')
  const saved = await visitor.submit(organisation, { name: 'Muster GmbH' }, '/settings/organisation')
  expect(textOf(saved)).toContain('Die Angaben zur Organisation wurden gespeichert.')
  const seal = await visitor.get('/settings/seal')
  expect(textOf(await visitor.submit(seal, {}, '/seal/test'))).toContain('Die Testseite wurde gesiegelt. Ihr Siegel ist gültig')
  const wrong = { name: 'x.p12', bytes: Buffer.from('no key') }
  expect(textOf(await visitor.upload(seal, '/seal/import', wrong))).toContain('Die Datei ist beschädigt oder keine PKCS#12-Datei')
  const none = textOf(await visitor.upload(seal, '/seal/import', undefined))
  expect(none).toContain('Die Datei muss zuerst ausgewählt werden.')
  const tokens = await visitor.get('/settings/tokens')
  const nothing = textOf(await visitor.submit(tokens, { name: 'x', expiry: 'date', expiresOn: '2020-01-01' }, '/settings/tokens'))
  expect(nothing).toContain('Berechtigungen müssen gewählt werden: Sagen Sie, was das Programm darf.')
  expect(nothing).toContain('Letzter Tag muss ein Tag ab heute und innerhalb von zehn Jahren sein.')
  const made = textOf(await visitor.submit(tokens, { name: 'Lohn', access: 'everything' }, '/settings/tokens'))
  expect(made).toContain('Das API-Token „Lohn“ wurde erstellt.')
})
