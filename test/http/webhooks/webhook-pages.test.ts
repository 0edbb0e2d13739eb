/** Settings → Webhooks by forms alone, with a receiver on loopback: made, tested, changed, seen. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { fillDeliveryTypes } from '../../../src/jobs/upkeep.ts'
import { type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { type HttpSink, openHttpSink, type SinkHandler } from '../../support/http-sink.ts'
import { sentDocument } from '../../support/story.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE, newVisitor, signedIn } from '../../support/visitors.ts'
import { mailWarnings } from '../../support/warnings.ts'

const HOOKS = '/settings/webhooks'

const t = useTestApp()
const visitor = useAdministrator(t)
let sink: HttpSink
let answer: SinkHandler
beforeEach(async () => {
  answer = (_request, response) => response.end('thank you')
  sink = await openHttpSink((request, response) => answer(request, response))
})
afterEach(() => sink.close())

const mainOf = (page: Page) => textOf({ ...page, html: page.html.split('page-head')[1] ?? page.html })
const answering =
  (status: number, body = '', headers: Record<string, string> = {}): SinkHandler =>
  (_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

async function make(form: Record<string, string> = {}, by: Visitor = visitor): Promise<Page> {
  const entries = { url: `${sink.url}/hook?key=s3cret`, which: 'all', ...form }
  return by.submit(await by.get(`${HOOKS}/new`), entries, HOOKS)
}

const webhooks = () => t.app.db.selectFrom('webhooks').selectAll().where('deleted_at', 'is', null).orderBy('id').execute()
const pathOf = async () => `${HOOKS}/${(await webhooks())[0]?.id}`

describe('a new webhook', () => {
  test('shows its secret once, with how to verify, and is listed with its events in words', async () => {
    expect(mainOf(await visitor.get(HOOKS))).toContain('No webhooks yet.')
    const made = await make({ description: ' HR system ', which: 'chosen', 'event:document.completed': 'on' })
    const secret = /whsec_[A-Za-z0-9+/=]{40,}/.exec(made.html)?.[0] ?? 'none'
    expect(secret).not.toBe('none')
    expect(made.html).toContain('href="/api/v1/docs#webhooks"')
    const [row] = await webhooks()
    expect(row).toMatchObject({ description: 'HR system', events: '["document.completed"]', enabled: 1 })
    const shown = await visitor.get(await pathOf())
    expect(shown.html).not.toContain(secret)
    expect(mainOf(shown)).toContain('All have signed, and the document is sealed. document.completed')
    expect(mainOf(shown)).toContain(`whsec_…${secret.slice(-4)}`)
    const list = mainOf(await visitor.get(HOOKS))
    for (const words of [`${sink.url}/hook`, 'HR system', '1 event', 'Enabled', 'none yet']) expect(list).toContain(words)
  })

  test('is refused beside the field: no URL, a private address with what to do, nothing chosen', async () => {
    const nothing = await make({ which: '' })
    expect(nothing.html).toMatch(/id="which-error"[^>]*>Events must be chosen: take all, or tick at least one\./)
    const unticked = await make({ which: 'chosen', url: 'http://192.168.1.20/hook' })
    expect(unticked.status).toBe(422)
    expect(unticked.html).toMatch(
      /id="url-error"[^>]*>[^<]*192\.168\.1\.20 is a private address[^<]*an administrator can list its network/,
    )
    expect(unticked.html).toContain('value="http://192.168.1.20/hook"')
    expect(unticked.html).toContain('id="which-error"')
    expect((await make({ url: '' })).status).toBe(422)
    const long = await make({ url: `https://acme.example/${'x'.repeat(2000)}` })
    expect(long.html).toMatch(/id="url-error"[^>]*>The URL must not be longer than 2000 characters\./)
    expect((await make({ description: 'x'.repeat(201) })).html).toMatch(/id="description-error"[^>]*>Description must have/)
    expect(await webhooks()).toEqual([])
  })
})

describe('a test', () => {
  const test_ = async () => visitor.submit(await visitor.get(await pathOf()), {}, '/test')

  test('is sent at once and shows the answer: status, headers, body, and what was sent', async () => {
    await make()
    answer = answering(201, '<b>stored</b>', { 'x-receiver': 'hr-7' })
    const page = await test_()
    expect(sink.requests).toHaveLength(1)
    const shown = mainOf(page)
    expect(shown).toContain(`127.0.0.1:${sink.port} accepted the test.`)
    expect(shown).toMatch(/answered 201 in \d+ ms/)
    expect(shown).toContain('x-receiver: hr-7')
    expect(shown).toContain('webhook-signature: v1,')
    expect(page.html).toContain('&lt;b>stored&lt;/b>')
    expect(page.html).not.toContain('<b>stored')
  })

  test('says what the receiver did wrong: an error, a redirect, silence', async () => {
    await make()
    answer = answering(500, 'out of order')
    expect(mainOf(await test_())).toMatch(/did not accept the test\..*answered 500 in \d+ ms.*out of order/s)
    answer = answering(302, '', { location: 'https://elsewhere.example/' })
    const redirected = mainOf(await test_())
    expect(redirected).toContain('location: https://elsewhere.example/')
    expect(redirected).toContain('Redirects are not followed: enter the address that it leads to')
    answer = (_request, response) => response.destroy()
    expect(mainOf(await test_())).toMatch(/no answer: 127\.0\.0\.1:\d+ (closed|reset) the connection/)
    expect(sink.requests).toHaveLength(3)
  })

  test('may be sent to a webhook that is disabled, and does not enable it', async () => {
    await make()
    const disabled = await visitor.submit(await visitor.get(await pathOf()), {}, '/disable')
    expect(mainOf(disabled)).toContain('It was disabled by hand.')
    expect(mainOf(await test_())).toContain('accepted the test.')
    expect((await webhooks())[0]?.enabled).toBe(0)
    const enabled = await visitor.submit(await visitor.get(await pathOf()), {}, '/enable')
    expect(mainOf(enabled)).toContain('Earlier failures no longer count.')
    expect((await webhooks())[0]?.enabled).toBe(1)
  })
})

describe('a change', () => {
  test('of URL, events and description is made by the form, and leaves the secret', async () => {
    await make({ description: 'Old' })
    const [before] = await webhooks()
    const form = await visitor.get(`${await pathOf()}/edit`)
    expect(form.html).toMatch(/value="all" checked/)
    const edit = { url: `${sink.url}/other`, description: '', which: 'chosen', 'event:document.sent': 'on' }
    expect(mainOf(await visitor.submit(form, edit, '/edit'))).toContain('The webhook was saved.')
    const [after] = await webhooks()
    expect(after).toMatchObject({ url: `${sink.url}/other`, description: null, events: '["document.sent"]' })
    expect(after?.sealed_secret).toEqual(before?.sealed_secret as Uint8Array)
    expect((await visitor.submit(form, { ...edit, url: 'ftp://x' }, '/edit')).status).toBe(422)
  })

  test('of the secret is asked about; both sign for a day, and the page says until when', async () => {
    await make()
    const question = await visitor.get(`${await pathOf()}/rotate`)
    expect(textOf(question)).toContain('For 24 hours each delivery is signed with both')
    const rotated = await visitor.submit(question, {}, '/rotate')
    expect(rotated.html).toMatch(/whsec_[A-Za-z0-9+/=]{40,}/)
    expect(mainOf(rotated)).toContain('The secret before it stays valid until 21 Nov 2026, 17:25 UTC.')
    await visitor.submit(await visitor.get(await pathOf()), {}, '/test')
    expect(String(sink.requests[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
  })

  test('that deletes it is asked about, with the password if need be', async () => {
    await make()
    t.clock.pass({ minutes: 16 })
    const question = await visitor.get(`${await pathOf()}/delete`)
    expect(textOf(question)).toContain('This cannot be undone.')
    expect((await visitor.submit(question, { password: 'no' }, '/delete')).status).toBe(422)
    expect(await webhooks()).toHaveLength(1)
    const list = await visitor.submit(question, { password: GRACE.password }, '/delete')
    expect(mainOf(list)).toContain('The webhook was deleted.')
    expect(await webhooks()).toEqual([])
  })
})

test('a webhook that the service disabled says why, with the last answers, and is enabled again there', async () => {
  await make({ which: 'chosen', 'event:document.sent': 'on' })
  answer = answering(410, 'we moved')
  await sentDocument(t)
  await t.drain()
  await mailWarnings(t)
  const page = await visitor.get(await pathOf())
  const shown = mainOf(page)
  expect(shown).toContain('its receiver answered 410 Gone')
  expect(shown).toMatch(/The last answers: .*answered 410 in \d+ ms/)
  const links = t.mails.flatMap(({ text }) => text.match(/\/settings\/webhooks\/\S+/g) ?? [])
  expect(links).toEqual([await pathOf()])
  expect(mainOf(await visitor.submit(page, {}, '/enable'))).toContain('The webhook was enabled.')
})

describe('deliveries', () => {
  test('are listed newest first by pages, filtered by outcome and event, each with all of its attempts', async () => {
    await make()
    for (let i = 0; i < 7; i++) await sentDocument(t)
    answer = answering(500, 'broken')
    await sentDocument(t)
    const path = `${await pathOf()}/deliveries`
    const first = await visitor.get(path)
    const ids = (page: Page) => [...page.html.matchAll(/deliveries\/(dlv_\w+)"/g)].map(([, id]) => id ?? '')
    const older = /href="([^"]*after=[^"]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await visitor.get(older)
    const all = [...ids(first), ...ids(second)]
    const rows = await t.app.db.selectFrom('deliveries').select(['id', 'status', 'type']).orderBy('id', 'desc').execute()
    expect([all, ids(first).length]).toEqual([rows.slice(0, all.length).map(({ id }) => id), 25])
    const waiting = await visitor.get(`${path}?outcome=pending`)
    expect(ids(waiting)).toEqual(rows.filter(({ status }) => status === 'pending').map(({ id }) => id))
    const sent = await visitor.get(`${path}?event=document.sent`)
    expect(ids(sent)).toEqual(rows.filter(({ type }) => type === 'document.sent').map(({ id }) => id))
    expect(ids(await visitor.get(`${path}?event=document.sent&outcome=pending`))).toHaveLength(1)
    expect(mainOf(await visitor.get(`${path}?outcome=failed`))).toContain('No deliveries match.')
    t.clock.pass({ seconds: 6 })
    await t.drain()
    const one = mainOf(await visitor.get(`${path}/${ids(waiting)[0]}`))
    expect(one).toMatch(/Attempt 2, .*Attempt 1, /s)
    expect(one).toContain('Next attempt')
    expect(one).toContain('broken')
    expect(one).toContain('user-agent: Signet/')
    expect(one).toContain('"timestamp": "2026-11-20T17:25:00.000Z"')
  })

  test('are sent again one by one, as the same event', async () => {
    await make({ which: 'chosen', 'event:document.sent': 'on' })
    await sentDocument(t)
    const list = await visitor.get(`${await pathOf()}/deliveries`)
    const link = /href="([^"]+\/deliveries\/dlv_\w+)"/.exec(list.html)?.[1] ?? ''
    const again = await visitor.submit(await visitor.get(link), {}, '/redeliver')
    expect(mainOf(again)).toContain('The event is sent again.')
    expect(again.url.split('?')[0]).not.toBe(link)
    await t.drain()
    expect(sink.requests.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(2).fill(sink.requests[0]?.headers['webhook-id']),
    )
    expect(mainOf(await visitor.get(again.url))).toContain('Delivered')
  })

  test('that failed are sent again together, after a question that counts them', async () => {
    await make({ which: 'chosen', 'event:document.sent': 'on' })
    const path = await pathOf()
    expect(mainOf(await visitor.get(`${path}/redeliver`))).toContain('Nothing to send again.')
    await sentDocument(t)
    await sentDocument(t)
    await t.app.write(tx => tx.updateTable('deliveries').set({ status: 'failed' }).execute())
    t.clock.pass({ hours: 2 })
    // An idle session ends.
    const later = await signedIn(t)
    expect((await later.get(path)).html).toContain(`${path}/redeliver`)
    const question = await later.get(`${path}/redeliver`)
    expect(mainOf(question)).toMatch(/Last hour: 0 events.*Last 24 hours: 2 events.*Last 30 days: 2 events/s)
    expect(mainOf(await later.submit(question, { span: '' }, '/redeliver'))).toContain('Choose since when.')
    const sent = await later.submit(question, { span: '1d' }, '/redeliver')
    expect(textOf(sent)).toContain('2 events are sent again.')
    await t.drain()
    expect(sink.requests).toHaveLength(4)
    expect(mainOf(await later.get(`${path}/redeliver`))).toContain('Nothing to send again.')
  })

  test('of an earlier release are shown, and found by event once their types are filled', async () => {
    await make({ which: 'chosen', 'event:document.sent': 'on' })
    await sentDocument(t)
    await t.app.write(async tx => {
      await tx.updateTable('deliveries').set({ type: null }).execute()
      await tx.updateTable('delivery_attempts').set({ request_headers: null, answer_headers: null }).execute()
    })
    const path = `${await pathOf()}/deliveries`
    const link = /href="([^"]+\/deliveries\/dlv_\w+)"/.exec((await visitor.get(path)).html)?.[1] ?? ''
    expect(mainOf(await visitor.get(link))).toContain('The headers of this attempt were not kept.')
    await fillDeliveryTypes(t.app)
    expect((await visitor.get(`${path}?event=document.sent`)).html).toContain(link)
  })
})

test('access members have their own, administrators all, auditors read without secrets', async () => {
  await make()
  const path = await pathOf()
  const member = await newVisitor(t, 'member')
  expect((await member.get(path)).status).toBe(404)
  expect(mainOf(await member.get(HOOKS))).toContain('No webhooks yet.')
  await make({}, member)
  expect(mainOf(await visitor.get(HOOKS))).toContain('The member')
  const auditor = await newVisitor(t, 'auditor')
  const [list, one] = [await auditor.get(HOOKS), await auditor.get(path)]
  for (const page of [list, one]) {
    expect(page.status).toBe(200)
    expect(page.html).not.toContain('s3cret')
    expect(page.html).not.toContain('/hook')
  }
  expect(one.html).not.toMatch(/\/(edit|rotate|delete|test|disable)"/)
  expect((await auditor.get(`${path}/deliveries`)).status).toBe(200)
  for (const page of ['new', `${path.slice(HOOKS.length + 1)}/edit`, `${path.slice(HOOKS.length + 1)}/delete`, 'networks'])
    expect([page, (await auditor.get(`${HOOKS}/${page}`)).status]).toEqual([page, 403])
  expect((await member.get(`${HOOKS}/networks`)).status).toBe(403)
})

describe('allowed networks', () => {
  const save = async (networks: string) => visitor.submit(await visitor.get(`${HOOKS}/networks`), { networks }, '/networks')

  test('are in force for the next webhook and delivery, are recorded, and can be taken back', async () => {
    const saved = await save('192.168.1.20\n10.20.0.0/16')
    expect(mainOf(saved)).toContain('The allowed networks were saved.')
    expect(saved.html).toMatch(/192\.168\.1\.20\n10\.20\.0\.0\/16<\/textarea>/)
    expect(mainOf(await make({ url: 'http://192.168.1.20/hook' }))).toContain('The webhook was created.')
    const entries = await t.app.db.selectFrom('events').select('entry').where('type', '=', 'settings.changed').execute()
    expect(entries.map(({ entry }) => JSON.parse(entry).data)).toMatchObject([{ webhookAllow: '192.168.1.20, 10.20.0.0/16' }])
    await save('')
    expect((await make({ url: 'http://192.168.1.20/hook' })).status).toBe(422)
    // The one that exists is refused at its next delivery.
    const page = await visitor.submit(await visitor.get(await pathOf()), {}, '/test')
    expect(mainOf(page)).toContain('192.168.1.20 is a private address')
  })

  test('never contain the metadata address of a cloud, nor what is no network', async () => {
    for (const networks of [
      '0.0.0.0/0',
      '::/0',
      '169.254.0.0/16',
      '169.254.169.254',
      '169.254.170.0/24',
      '100.64.0.0/10',
      'fc00::/7',
    ]) {
      const page = await save(networks)
      expect([networks, page.status]).toEqual([networks, 422])
      expect(page.html).toMatch(/id="networks-error"[^>]*>[^<]*contains the metadata address/)
    }
    expect((await save('10.0.0.1/8')).html).toMatch(/id="networks-error"[^>]*>[^<]*bits set beyond its prefix/)
    expect((await save('intranet')).html).toMatch(/id="networks-error"[^>]*>[^<]*is not a network/)
  })

  test('that the environment sets are shown and not changed', async () => {
    t.app.config.fixed.webhookAllow = '10.1.0.0/16'
    const page = await visitor.get(`${HOOKS}/networks`)
    expect(page.html).toMatch(/<textarea[^>]* disabled[^>]*>10\.1\.0\.0\/16</)
    expect(mainOf(page)).toContain('This is set by SIGNET_WEBHOOK_ALLOW')
    const forged = await visitor.submit(page, { networks: '10.2.0.0/16' }, '/networks')
    expect(forged.status).toBe(409)
  })
})
