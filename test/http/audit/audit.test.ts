/** Settings → Audit log by forms alone: who may, what it says, filters, one entry, exports. */
import { describe, expect, test } from 'bun:test'
import { removePerson } from '../../../src/accounts/manage.ts'
import { actorOfUser } from '../../../src/accounts/rights.ts'
import { appendInstanceEvent } from '../../../src/audit/log.ts'
import { canonicalJson, chainHash, GENESIS } from '../../../src/core/document/audit-chain.ts'
import { handOver } from '../../../src/documents/lifecycle/hand-over.ts'
import { readCheckpoint } from '../../../src/evidence/checkpoint.ts'
import { type Role, SYSTEM } from '../../../src/ports.ts'
import { addPerson } from '../../support/accounts.ts'
import { cookieOf, csrfOf, openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { onSqlite } from '../../support/engine.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, sentDocument } from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { newVisitor } from '../../support/visitors.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

const AUDIT = '/settings/audit'

const person = (role: Role) => newVisitor(t, role)

const sent = async (title = 'Lease') => {
  const { body } = await t.api('POST', '/documents', await newDocument({ title, send: true }))
  return body.id as string
}

const exported = async (visitor: Visitor, values: Record<string, string>) =>
  visitor.post(`${AUDIT}/export`, { csrf: csrfOf(await visitor.get(AUDIT)), ...values })

describe('the list', () => {
  test('says who did what, newest first, and where from', async () => {
    const id = await sent()
    await t.drain()
    const page = await visitor.get(AUDIT)
    const text = textOf(page)
    expect(text).toContain('The API token “test” created “Lease”.')
    expect(text).toContain('The mail server accepted the e-mail to Ada Lovelace about “Lease”.')
    expect(text).toContain('The command line added the user Grace Hopper.')
    expect(text.indexOf('accepted the e-mail')).toBeLessThan(text.indexOf('created “Lease”'))
    await t.api('POST', `/documents/${id}/void`, { reason: 'x' })
    expect((await t.api('DELETE', `/documents/${id}`)).status).toBeLessThan(300)
    expect(textOf(await visitor.get(AUDIT))).toContain('created a deleted document')
  })

  test('a hand-over names giver and receiver, until they are removed', async () => {
    const [mia, theo] = [await addPerson(t, 'Mia', 'member'), await addPerson(t, 'Theo', 'member')]
    const [{ id: adminId } = { id: '' }] = (await t.sql("SELECT id FROM users WHERE role = 'admin'")) as { id: string }[]
    const origin = { ...SYSTEM, actor: actorOfUser({ id: adminId, role: 'admin' }) }
    const { body } = await t.api('POST', '/documents', await newDocument({ title: 'Lease' }))
    await t.sql('UPDATE documents SET owner_id = ?, version = version + 1 WHERE id = ?', mia.id, body.id)
    await handOver(t.app, mia.id, theo.id, origin)
    const text = textOf(await visitor.get(AUDIT))
    expect(text).toContain('Grace Hopper handed the documents of Mia over to Theo.')
    expect(text).toContain('Grace Hopper handed “Lease” over from Mia to Theo.')
    await removePerson(t.app, mia.id, origin)
    expect(textOf(await visitor.get(AUDIT))).toContain('handed “Lease” over from a former user to Theo.')
    const log = await t.sql('SELECT entry, personal FROM events LEFT JOIN event_details USING (sequence)')
    expect(JSON.stringify(log)).not.toContain('Mia')
  })

  test('a one-time code in the outbox folder was written there, and was requested, not sent', async () => {
    const written = { outcome: 'accepted', reply: 'Written to the outbox folder.', isWrittenToFolder: true } as const
    t.mailVerdicts.push(written, written)
    await sentDocument(t, { title: 'Lease', recipients: [{ ...ADA, verify: 'email_code', fields: [SIGNATURE] }] })
    const signer = openVisitor(t.fetch)
    await signer.submit(await signer.get(linkTo(t, ADA.email)), {}, '/code')
    await t.drain()
    const text = textOf(await visitor.get(AUDIT))
    expect(text).toContain('Ada Lovelace asked for a one-time code for “Lease”.')
    expect(text).toContain('The one-time code of Ada Lovelace for “Lease” was written to the outbox folder.')
    expect(text).not.toContain('code sent')
  })

  test('50 entries on a page, and a link to older ones with the same filter', async () => {
    const event = { type: 'organisation.changed' } as const
    for (let i = 0; i < 52; i++) await t.app.write(tx => appendInstanceEvent(tx, t.app, event, SYSTEM))
    const first = await visitor.get(`${AUDIT}?kind=organisation.changed`)
    expect(first.html.match(/<a href="\/settings\/audit\/\d+"/g)?.length).toBe(50)
    const older = /<a href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(older).toContain('kind=organisation.changed')
    const second = await visitor.get(older)
    expect(second.html.match(/<a href="\/settings\/audit\/\d+"/g)?.length).toBe(2)
    expect(second.html).not.toContain('rel="next"')
  })

  test('a filter that cannot be understood is an error at its field', async () => {
    for (const [query, words] of [
      ['from=soon', 'From must be a day such as 2026-11-21'],
      ['document=lease', 'Document must be the address or the ID of a document'],
    ]) {
      const page = await visitor.get(`${AUDIT}?${query}`)
      expect(page.status).toBe(422)
      expect(textOf(page)).toContain(words ?? '')
    }
  })

  test('by a recipient’s address: what they did and what was sent to them', async () => {
    await sent()
    const text = textOf(await visitor.get(`${AUDIT}?person=ADA@example.com`))
    expect(text).toContain('invited Ada Lovelace')
    expect(text).not.toContain('created “Lease”')
  })
})

describe('one entry', () => {
  test('shows the text in the chain, its hash, the one before, and that they match', async () => {
    await sent()
    const [row] = (await t.sql('SELECT entry, hash FROM events WHERE sequence = 2')) as { entry: string; hash: string }[]
    const page = await visitor.get(`${AUDIT}/2`)
    for (const text of [row?.entry, row?.hash]) expect(textOf(page)).toContain(text ?? 'nothing')
    expect(textOf(page)).toContain('The hash matches')
    expect((await visitor.get(`${AUDIT}/999`)).status).toBe(404)
    expect((await visitor.get(`${AUDIT}/none`)).status).toBe(404)
  })

  onSqlite(test)('that somebody has tampered with is shown, and does not match', async () => {
    await sent()
    await t.sql('DROP TRIGGER events_never_change')
    await t.sql("UPDATE events SET entry = 'no JSON' WHERE sequence = 2")
    expect((await visitor.get(AUDIT)).status).toBe(200)
    expect(textOf(await visitor.get(`${AUDIT}/2`))).toContain('The hash does not match')
    expect((await exported(visitor, { format: 'csv' })).html).toContain('"2"')
  })

  test('erased personal data is shown as erased', async () => {
    await t.app.write(tx =>
      appendInstanceEvent(tx, t.app, { type: 'organisation.changed', personal: { contact: 'canary@example.com' } }, SYSTEM),
    )
    const [{ sequence } = { sequence: 0 }] = (await t.sql('SELECT max(sequence) AS sequence FROM events')) as {
      sequence: number
    }[]
    expect(textOf(await visitor.get(`${AUDIT}/${sequence}`))).toContain('canary@example.com')
    await t.sql(`DELETE FROM event_details WHERE sequence = ${sequence}`)
    const page = await visitor.get(`${AUDIT}/${sequence}`)
    expect(textOf(page)).toContain('was erased')
    expect(textOf(page)).not.toContain('canary')
    expect(textOf(page)).toContain('The hash matches')
  })
})

describe('an export', () => {
  const linesIn = (html: string) =>
    html
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))

  test('as JSON Lines has all that verifies the chain, and is an entry of its own afterwards', async () => {
    await sent()
    const { html, headers } = await exported(visitor, { format: 'jsonl' })
    expect(headers.get('content-disposition')).toContain('audit-log-2026-11-20.jsonl')
    const lines = linesIn(html)
    let hash = GENESIS
    for (const line of lines) {
      expect([line.previousHash, chainHash(hash, line.entry)]).toEqual([hash, line.hash])
      expect(canonicalJson(JSON.parse(line.entry))).toBe(line.entry)
      hash = line.hash
    }
    expect(html).not.toContain('audit.exported')
    expect(textOf(await visitor.get(AUDIT))).toContain('Grace Hopper exported entries of the audit log (jsonl).')
  })

  test('of a filter has its entries alone; who is searched for is personal data of the record', async () => {
    await sent()
    const { id = '' } = ((await t.sql('SELECT id FROM documents')) as { id: string }[])[0] ?? {}
    const document = `https://sign.example.com/documents/${id} of Ada`
    const { html } = await exported(visitor, { format: 'jsonl', kind: 'document.sent', person: 'test', document })
    expect(linesIn(html).map(({ entry }) => JSON.parse(entry).type)).toEqual(['document.sent'])
    const [row] = (await t.sql("SELECT entry FROM events WHERE type = 'audit.exported'")) as { entry: string }[]
    expect(JSON.parse(row?.entry ?? '').data).toMatchObject({ format: 'jsonl', filters: { kind: 'document.sent', document: id } })
  })

  test('as CSV is UTF-8 with a mark for Excel, and no title is run as a formula', async () => {
    await sent('=HYPERLINK("http://evil")')
    const page = await visitor.get(AUDIT)
    const headers = { origin: ORIGIN, cookie: cookieOf(visitor) }
    const body = new URLSearchParams({ csrf: csrfOf(page), format: 'csv' })
    const bytes = await (await t.fetch(`${AUDIT}/export`, { method: 'POST', headers, body })).bytes()
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = new TextDecoder().decode(bytes)
    expect(text).toContain('"\'=HYPERLINK(""http://evil"")"')
    expect(text).toContain('"sequence","time","type"')
  })

  test('of no known format, or without the token of the form, is refused and recorded nowhere', async () => {
    expect((await exported(visitor, { format: 'xlsx' })).status).toBe(422)
    expect((await visitor.post(`${AUDIT}/export`, { format: 'csv' })).status).toBe(403)
    expect(await t.sql("SELECT 1 FROM events WHERE type = 'audit.exported'")).toEqual([])
  })
})

describe('the chain', () => {
  test('is checked in the background; the result stays, and is an entry', async () => {
    const auditor = await person('auditor')
    await sent()
    const page = await auditor.submit(await auditor.get(AUDIT), {}, '/check')
    expect(textOf(page)).toContain('The check has begun')
    await t.app.checks.settled()
    expect(textOf(await auditor.get(AUDIT))).toMatch(/Intact: \d+ entries were checked on 20 Nov 2026/)
    expect(textOf(await auditor.get(AUDIT))).toContain('The auditor checked the audit log')
  })

  onSqlite(test)('a changed entry is named', async () => {
    await sent()
    await t.sql('DROP TRIGGER events_never_change')
    await t.sql(
      "UPDATE events SET hash = CASE substr(hash, 1, 1) WHEN 'f' THEN '0' ELSE 'f' END || substr(hash, 2) WHERE sequence = 2",
    )
    await visitor.submit(await visitor.get(AUDIT), {}, '/check')
    await t.app.checks.settled()
    expect(textOf(await visitor.get(AUDIT))).toMatch(/Entry [12] was changed/)
  })

  test('one check runs at a time; one whose node has ended was interrupted', async () => {
    const row = { boot: t.app.node.boot, actor: 'system', started_at: t.clock.now.toISOString(), done: 10, total: 40 }
    await t.app.write(tx =>
      tx
        .insertInto('checks')
        .values({ name: 'audit log', ...row })
        .execute(),
    )
    const page = await visitor.get(AUDIT)
    expect(textOf(page)).toContain('Checking: 10 of 40 entries.')
    expect(textOf(await visitor.post(`${AUDIT}/check`, { csrf: csrfOf(page) }))).toContain('runs already')
    await t.app.write(tx => tx.updateTable('checks').set({ boot: 'gone' }).execute())
    expect(textOf(await visitor.get(AUDIT))).toContain('was interrupted by a restart')
  })

  test('a checkpoint is downloaded by an auditor', async () => {
    const auditor = await person('auditor')
    const { html, headers } = await auditor.submit(await auditor.get(AUDIT), {}, '/checkpoint')
    expect(headers.get('content-disposition')).toContain('audit-checkpoint-')
    expect(readCheckpoint(Buffer.from(html), { timestampTrust: [], now: t.clock.now }).checkpoint.instance).toBe(
      t.app.instance.id,
    )
  })
})
