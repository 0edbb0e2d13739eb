/** Settings → Retention and the legal hold of a document, by forms alone. */
import { describe, expect, test } from 'bun:test'
import { changeRetention } from '../../../src/documents/retention/retention.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { readRetention } from '../../../src/settings/retention.ts'
import { csrfOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE, newAdministrator } from '../../support/visitors.ts'

const t = useTestApp()

const PATH = '/settings/retention'

async function voidedDocument(title: string): Promise<string> {
  const id = await sentDocument(t, { title })
  await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  await t.drain()
  return id
}

const periods = async () => readRetention(t.app.db, t.clock.now)
const preview = (visitor: Visitor, query: string) => visitor.get(`${PATH}/preview?${query}`)
const confirmed = (visitor: Visitor, page: Page) => visitor.submit(page, { password: GRACE.password }, PATH)

describe('the periods', () => {
  test('are set after a preview, with the password again, and wait', async () => {
    const visitor = await newAdministrator(t)
    const id = await voidedDocument('=SUM(A1) "Lease", Elm Street')
    t.clock.pass({ days: 40 })
    await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
    t.clock.pass({ minutes: 20 })
    expect(textOf(await visitor.get(PATH))).toContain('Nothing is erased automatically')
    const page = await preview(visitor, 'completed=&voided=1')
    expect(textOf(page)).toContain('1 document would be erased on 13 January 2027 or soon after')
    expect(textOf(page)).toContain('The change takes effect on 6 January 2027; until then you can call it off')
    expect(page.html).toContain(`href="/documents/${id}"`)
    expect(textOf(page)).toContain('November 2026 1 1')
    const refused = await visitor.submit(page, {}, PATH)
    expect([refused.status, (await periods()).next]).toEqual([422, undefined])
    const saved = await confirmed(visitor, refused)
    expect(textOf(saved)).toContain('Your change takes effect on 6 January 2027')
    expect(textOf(saved)).toContain('Nothing is erased before 13 January 2027')
    await t.drain()
    expect(t.mails.at(-1)?.subject).toBe('[TEST] 1 document will be erased from 2027-01-13 on')
    const { body } = await visitor.get(`${PATH}/preview.csv?voided=1`).then(csv => ({ body: csv.html }))
    expect(body.split('\r\n')[1]).toStartWith(`"${id}","'=SUM(A1) ""Lease"", Elm Street","Voided","2026-11-20T`)
  })

  test('wait for an announcement that has reached nobody, and the page says so', async () => {
    const visitor = await newAdministrator(t)
    await voidedDocument('Lease')
    t.clock.pass({ days: 40 })
    await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
    await confirmed(visitor, await preview(visitor, 'completed=&voided=1'))
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
    const visitor = await newAdministrator(t)
    await changeRetention(t.app, SYSTEM, { completed: 12 })
    const called = await visitor.submit(await visitor.get(PATH), {}, `${PATH}/call-off`)
    expect(textOf(called)).toContain('The change was called off.')
    expect(await periods()).toEqual({ periods: {}, next: undefined, announcedAt: undefined, unreached: undefined })
  })

  test('that erase less take effect at once', async () => {
    const visitor = await newAdministrator(t)
    await changeRetention(t.app, SYSTEM, { completed: 12 })
    t.clock.pass({ days: 8 })
    await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
    const page = await preview(visitor, 'completed=24')
    expect(textOf(page)).toContain('erase nothing that would not have been erased anyway')
    await confirmed(visitor, page)
    expect((await periods()).periods).toEqual({ completed: 24 })
    const off = await preview(visitor, 'completed=')
    expect(textOf(off)).toContain('Documents are then kept until somebody deletes them.')
    await confirmed(visitor, off)
    expect((await periods()).periods).toEqual({})
  })

  test('that are no numbers of months are refused at their fields, with what was typed', async () => {
    const visitor = await newAdministrator(t)
    for (const wrong of ['0', '601', '1.5', '-3', 'two']) {
      const page = await preview(visitor, `completed=${wrong}&voided=6`)
      expect(page.status).toBe(422)
      expect(textOf(page)).toContain('Completed must be a number of months from 1 to 600')
      expect(page.html).toContain(`value="${wrong}"`)
    }
  })
})

describe('a legal hold', () => {
  test('is set and lifted on the page of the document, shown there and in the list', async () => {
    const visitor = await newAdministrator(t)
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
    const refused = await visitor.post(`/documents/${id}/delete`, {
      csrf: csrfOf(held),
    })
    expect([refused.status, textOf(refused).includes('under legal hold')]).toEqual([409, true])
    const lifted = await visitor.submit(held, { reason: 'Case closed' }, `/documents/${id}/lift-hold`)
    expect(textOf(lifted)).toContain('The legal hold was lifted.')
    expect(lifted.html).toContain(`action="/documents/${id}/delete"`)
  })
})
