/**
 * Fills a data folder with documents that have a marked word in every personal field, erases them
 * by retention, and looks for the word in every byte of the folder.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createKey } from '../src/accounts/keys.ts'
import { createAdmin } from '../src/accounts/people.ts'
import { verifyChain } from '../src/audit/log.ts'
import { setLegalHold } from '../src/documents/lifecycle/bulk.ts'
import { sendDocument, voidDocument } from '../src/documents/lifecycle/lifecycle.ts'
import { changeRetention, eraseRetained } from '../src/documents/retention/retention.ts'
import { runSchedule } from '../src/jobs/schedule.ts'
import { THIS_FILE_SYSTEM } from '../src/lib/this-file-system.ts'
import { folderMailer } from '../src/mailer/outbox-folder.ts'
import { type Origin, SYSTEM } from '../src/ports.ts'
import { openVisitor } from '../test/support/browser-less.ts'
import { pdfOf } from '../test/support/make-pdf.ts'
import { openTestApp } from '../test/support/test-app.ts'

/** In everything that has to go, and in everything that has to stay. */
const GOES = 'zqcanary'
const STAYS = 'zqheld'
const count = Number(process.argv[2] ?? 10_000)
/** These go through the whole of signing, declining and expiring. */
const WHOLE = Math.min(40, count)
const HELD_EVERY = Math.max(2, Math.floor(count / 20))

let failed = false
function check(what: string, isTrue: boolean, found: unknown): void {
  console.log(`${isTrue ? 'ok     ' : 'BROKEN '} ${what}: ${found}`)
  failed ||= !isTrue
}

/** How often the word is in the bytes of all files, by file; file names count too. */
function occurrences(folder: string, word: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name)
    if (!statSync(path).isFile()) continue
    const text = `${name}\n${readFileSync(path, 'latin1')}`.toLowerCase()
    const times = text.split(word).length - 1
    const place = name.replace(/^(files|outbox)\/.*/, '$1/*')
    if (times > 0) found.set(place, (found.get(place) ?? 0) + times)
  }
  return found
}
const total = (found: Map<string, number>) => [...found.values()].reduce((sum, n) => sum + n, 0)
const listed = (found: Map<string, number>) => (found.size === 0 ? 'none' : JSON.stringify(Object.fromEntries(found)))

/** One page, with the word readable in the file. */
function pdfWith(word: string, i: number): string {
  const objects = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> /Contents 4 0 R >>',
    4: { head: '', data: `% ${word} file ${i}\n` },
  }
  return pdfOf({ objects }).toString('base64')
}

const place = { page: 1, width: 30, height: 4 }
function requestFor(word: string, i: number) {
  const fields = [
    { ...place, type: 'signature', x: 10, y: 70 },
    { ...place, type: 'text', x: 10, y: 10, label: `${word} label`, placeholder: `${word} placeholder`, required: false },
    { ...place, type: 'text', x: 10, y: 20, label: `${word} fixed`, value: `${word} value ${i}`, readOnly: true },
    { ...place, type: 'dropdown', x: 10, y: 30, label: 'Term', options: [`${word} one`, `${word} two`], required: false },
  ]
  return {
    title: `${word} title ${i}`,
    fileName: `${word} file ${i}.pdf`,
    file: pdfWith(word, i),
    message: `${word} message ${i}`,
    metadata: { [`${word} key`]: `${word} value ${i}` },
    labels: [`${word} label ${i % 50}`],
    redirectUrl: `https://example.com/${word}`,
    recipients: [{ name: `${word} Name ${i}`, email: `${word}.${i}@example.com`, fields }],
  }
}

const t = await openTestApp({ mailer: { send: message => outbox.send(message), close() {} } })
const data = join(t.folder, 'data')
const outbox = folderMailer(THIS_FILE_SYSTEM, join(data, 'outbox'))
await createAdmin(t.app, { email: 'grace@example.org', name: 'Grace', password: 'four sound words here' })
const user = await t.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
const { key } = await createKey(t.app, { userId: user.id }, { name: 'Filling', scopes: [], expiresInDays: undefined })
const sender: Origin = {
  actor: { ...SYSTEM.actor, label: `user:${user.id}`, userId: user.id },
  ip: '192.0.2.7',
  userAgent: `${GOES} browser`,
}
const api = async (method: string, path: string, body: unknown, word: string, once: string) => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'user-agent': `${word} agent`,
    'idempotency-key': once,
  }
  const response = await t.fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as { id: string }
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** The path of the link in the newest mail to the recipient. */
async function linkOf(id: string): Promise<string> {
  const mail = await t.app.db.selectFrom('mails').select('reply').where('document_id', '=', id).executeTakeFirstOrThrow()
  const name = /as (\S+\.eml)/.exec(mail.reply ?? '')?.[1] ?? ''
  const text = readFileSync(join(data, 'outbox', name), 'utf8').replace(/=\r?\n/g, '')
  return /(\/s\/[\w.~=-]+)/.exec(text)?.[1]?.replace(/=3D/g, '=') ?? ''
}

async function wholeStory(id: string, word: string, i: number): Promise<void> {
  await t.drain()
  const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
  const page = await visitor.submit(await visitor.get(await linkOf(id)))
  if (i % 3 === 1) await visitor.submit(page, { reason: `${word} declines ${i}` }, '/decline')
  else if (i % 3 === 2) return
  else await visitor.submit(page, { signature: `${word} Name ${i}`, consent: 'on' }, '/finish')
  await t.drain()
}

const began = performance.now()
const held: string[] = []
for (let i = 0; i < count; i++) {
  const isHeld = i % HELD_EVERY === 0
  const word = isHeld ? STAYS : GOES
  const { id } = await api('POST', '/documents', requestFor(word, i), word, `${word} create ${i}`)
  await sendDocument(t.app, id, { ...sender, userAgent: `${word} browser` })
  if (i < WHOLE) await wholeStory(id, word, i)
  else await voidDocument(t.app, id, `${word} reason ${i}`, { ...sender, userAgent: `${word} browser` })
  if (isHeld) held.push(id)
  if (i % 1000 === 999) console.log(`         ${i + 1} documents after ${Math.round((performance.now() - began) / 1000)} s`)
}
await t.drain()
t.clock.pass({ days: 31 })
await runSchedule(t.app)
await t.drain()
for (const id of held) await setLegalHold(t.app, id, `${STAYS} case`, { ...sender, userAgent: `${STAYS} browser` })
const byStatus = await t.app.db.selectFrom('document_counts').select(['status', 'count']).where('count', '>', 0).execute()
console.log(`         ${JSON.stringify(byStatus)}; ${held.length} under legal hold`)
const before = occurrences(data, GOES)
check('before, the word is in database and files', total(before) > count * 10, listed(before))
const sizeBefore = statSync(join(data, 'signet.db')).size

await changeRetention(t.app, SYSTEM, { completed: 1, declined: 1, voided: 1, expired: 1 })
await eraseRetained(t.app)
await t.drain()
t.clock.pass({ days: 40 })
/** Requests of others meanwhile. */
const waits: number[] = []
let isOver = false
const others = (async () => {
  for (let i = 0; !isOver; i++) {
    const at = performance.now()
    await api('POST', '/documents', { ...requestFor('other', i), title: 'Other' }, 'other', `other ${i}`)
    waits.push(performance.now() - at)
    await Bun.sleep(50)
  }
})()
const start = performance.now()
const erased = await eraseRetained(t.app)
const seconds = (performance.now() - start) / 1000
isOver = true
await others
waits.sort((a, b) => a - b)
const share = (part: number) => Math.round(waits[Math.floor(part * (waits.length - 1))] ?? 0)
console.log(
  `         erased ${erased} documents in ${seconds.toFixed(1)} s (${Math.round(erased / seconds)} a second); meanwhile ${waits.length} creations took ${share(0.5)} ms (median), ${share(0.95)} ms (95 %), at most ${share(1)} ms`,
)
check('erased all but the held ones', erased === count - held.length, erased)
const running = occurrences(data, GOES)
check('while it serves, with its log: no byte of the word', total(running) === 0, listed(running))
const chain = await verifyChain(t.app.db)
check('the chain of the audit log is whole', 'head' in chain, JSON.stringify(chain))
const records = await t.app.db
  .selectFrom('events')
  .select(({ fn }) => fn.countAll<number>().as('count'))
  .where('type', '=', 'document.erased')
  .executeTakeFirstOrThrow()
check('one record for each in the chain', records.count === erased, records.count)
for (const id of held) {
  const { status, body } = await t.api('GET', `/documents/${id}`)
  const file = await t.api('GET', `/documents/${id}/file`)
  if (status !== 200 || file.status !== 200 || !body.title.startsWith(STAYS)) check('a held document is whole', false, id)
}
check('held documents', total(occurrences(data, STAYS)) > held.length * 5, `${held.length} whole, with their files`)
const contacts = await t.app.db.selectFrom('contacts').select('name').execute()
check(
  'contacts',
  contacts.every(({ name }) => name.startsWith(STAYS)),
  `${contacts.length}, of held documents alone`,
)
console.log(
  `         database ${(sizeBefore / 1e6).toFixed(1)} MB before, ${(statSync(join(data, 'signet.db')).size / 1e6).toFixed(1)} MB after`,
)
await t.close()
process.exit(failed ? 1 : 0)
