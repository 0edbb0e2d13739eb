/** What is left of a document after its erasure: nothing that a person wrote, or that names one. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { verifyChain } from '../../src/audit/log.ts'
import { liftLegalHold, setLegalHold } from '../../src/documents/lifecycle/bulk.ts'
import { markMailFailed } from '../../src/documents/lifecycle/mail-facts.ts'
import { changeRetention, eraseRetained } from '../../src/documents/retention/retention.ts'
import { exportAuditLog } from '../../src/http/pages/audit/audit.tsx'
import { appTextsOf } from '../../src/locales/app.ts'
import { latestMails } from '../../src/outbox/queries.ts'
import { SYSTEM } from '../../src/ports.ts'
import { addPerson } from '../support/accounts.ts'
import { withContact } from '../support/announced.ts'
import { openVisitor } from '../support/browser-less.ts'
import { dumpOf } from '../support/dump.ts'
import { openHttpSink } from '../support/http-sink.ts'
import { SIGNATURE } from '../support/sample.ts'
import { linkTo, sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const SIGNER = { email: 'canary1@example.com', name: 'Canarysigner One' }
const field = { type: 'text', page: 1, x: 10, y: 20, width: 40, height: 4, label: 'CanaryLabel' }

const everything = (name: string) => ({
  title: `Canarytitle ${name}`,
  message: 'Canarymessage of the sender',
  metadata: { case: 'Canarymetadata' },
  labels: ['Canarylabelled'],
  redirectUrl: 'https://canaryredirect.example/',
  recipients: [{ ...SIGNER, accessCode: 'canarycode', fields: [SIGNATURE, field] }],
})

function bytesOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true }).map(String)
  return names
    .filter(name => statSync(join(folder, name)).isFile())
    .map(name => `${name}\n${readFileSync(join(folder, name), 'latin1')}`)
    .join('\n')
}

const CODE = 'canarycode'
const OTHER = { name: 'Canarycolleague', email: 'canary2@example.com' }

async function enter(code = CODE) {
  const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
  const landing = await visitor.get(linkTo(t, SIGNER.email))
  return { visitor, page: await visitor.submit(landing, { accessCode: code }) }
}

async function signed(): Promise<string> {
  const id = await sentDocument(t, everything('signed'))
  for (let i = 0; i < 5; i++) {
    await enter('canarywrong')
    t.clock.pass({ minutes: 10 })
  }
  await t.drain()
  await t.api('POST', `/documents/${id}/remind`)
  await t.drain()
  const { visitor, page } = await enter()
  const label = /name="(field[^"]*)"/.exec(page.html)?.[1] ?? ''
  await visitor.submit(page, { signature: 'Canarysigner One', consent: 'on', [label]: 'Canaryvalue' }, '/finish')
  await t.drain()
  return id
}

async function declined(): Promise<string> {
  const id = await sentDocument(t, everything('declined'))
  const { visitor, page } = await enter()
  await visitor.submit(page, { reason: 'Canaryreason to decline' }, '/decline')
  return id
}

async function delegated(): Promise<string> {
  const id = await sentDocument(t, everything('delegated'))
  const { visitor, page } = await enter()
  await visitor.submit(page, { ...OTHER, reason: 'Canaryreason to hand over' }, '/delegate')
  await t.drain()
  await t.api('POST', `/documents/${id}/void`, { reason: 'Canaryreason to void' })
  await setLegalHold(t.app, id, 'Canaryreason to hold', SYSTEM)
  await liftLegalHold(t.app, id, 'Canaryreason to lift', SYSTEM)
  return id
}

async function bounced(): Promise<string> {
  t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 no such user canary1@example.com' })
  const refused = await sentDocument(t, everything('refused'))
  const id = await sentDocument(t, everything('bounced'))
  const [mail] = (await latestMails(t.app.db, 10)).filter(({ documentId }) => documentId === id)
  await markMailFailed(t.app, SYSTEM, mail?.id ?? '', 'Canaryreason of the bounce')
  const { body } = await t.api('GET', `/documents/${id}`)
  const { id: recipient } = body.recipients[0]
  await t.api('PATCH', `/documents/${id}/recipients/${recipient}`, { email: 'canary3@example.com', name: 'Canarycorrected' })
  await t.drain()
  for (const each of [id, refused]) await t.api('POST', `/documents/${each}/void`, { reason: 'Canaryreason' })
  return id
}

/** The records of exports name the documents and the signer who was searched for. */
async function exported(ids: readonly string[]): Promise<void> {
  const { origin } = await addPerson(t, 'Grace', 'admin')
  for (const documentId of ids) {
    const asked = { document: documentId, person: SIGNER.email.toUpperCase() }
    const words = { texts: appTextsOf('en'), language: 'en' } as const
    await (await exportAuditLog(t.app, origin, { format: 'csv', filter: { documentId }, asked, ...words })).text()
  }
}

test('after its retention no row and no file has a word that somebody wrote in a document', async () => {
  const sink = await openHttpSink((_request, response) => void response.writeHead(500).end('canaryanswer'))
  await t.api('POST', '/webhooks', { url: sink.url, events: ['*'] })
  const ids = [await signed(), await declined(), await delegated(), await bounced()]
  await exported(ids)
  await t.api('POST', `/documents/${ids[0]}/duplicate`)
  await t.drain()
  await sink.close()
  const words = (text: string) => [...new Set(text.match(/canary\w*/gi))]
  expect(words(await dumpOf(t)).length).toBeGreaterThan(15)
  await withContact(t)
  await changeRetention(t.app, SYSTEM, { completed: 1, declined: 1, voided: 1, expired: 1, draft: 1 })
  t.clock.pass({ days: 40 })
  await eraseRetained(t.app)
  await t.drain()
  t.clock.pass({ days: 15 })
  expect(await eraseRetained(t.app)).toBe(6)
  expect(words(await dumpOf(t))).toEqual([])
  expect(words(bytesOf(t.folder))).toEqual([])
  expect(await verifyChain(t.app.db)).toHaveProperty('head')
}, 60_000)
