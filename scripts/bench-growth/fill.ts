/**
 * Fills a stopped data folder with the rows of a long-used instance: `fill.ts DATA COUNT`.
 * Writes tables of schema 1 and later ones; the hashes of the audit chain are not real.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRaw, type Raw } from '../../src/db/sqlite.ts'
import { idFactory } from '../../src/lib/id.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

const KINDS = ['Lease', 'Offer', 'Non-disclosure agreement', 'Employment contract', 'Order', 'Amendment', 'Power of attorney']
const FIRST = ['Ada', 'Bob', 'Chloé', 'Dmitri', 'Ewa', 'Fatima', 'Günter', 'Hana', 'Ines', 'Jörg', 'Klára', 'Lars']
const LAST = ['Lovelace', 'Søndergård', 'Müller', 'Kowalska', 'Haddad', 'Nováková', 'Silva', 'Peeters', 'Rossi', 'Martin']
const TWO_YEARS_MS = 730 * 86_400_000
const ROWS_A_TRANSACTION = 20_000

/** Of a thousand documents, so many are in each state. */
const SHARES = { completed: 850, sent: 60, draft: 30, voided: 30, expired: 20, declined: 10 }

function statusOf(i: number): keyof typeof SHARES {
  let left = (i * 617) % 1000
  for (const [status, share] of Object.entries(SHARES)) {
    left -= share
    if (left < 0) return status as keyof typeof SHARES
  }
  return 'completed'
}

const hex = (text: string) => createHash('sha256').update(text).digest('hex')
const pick = <T>(list: readonly T[], i: number) => list[i % list.length] as T

function insertInto(raw: Raw, table: string, columns: string[]): (row: Record<string, unknown>) => void {
  const names = columns.map(name => `@${name}`).join(', ')
  const statement = raw.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${names})`)
  return row => void statement.run(row)
}

const columnsOf = (raw: Raw, table: string, wanted: string) => {
  const known = new Set((raw.pragma(`table_info(${table})`) as { name: string }[]).map(column => column.name))
  return wanted.split(' ').filter(name => known.has(name))
}

function writers(raw: Raw) {
  const table = (name: string, wanted: string) => insertInto(raw, name, columnsOf(raw, name, wanted))
  return {
    file: table('files', 'sha256 bytes created_at'),
    document: table(
      'documents',
      'id owner_id title file_name status page_count message signing_order locale redirect_url allow_delegation metadata reminders expires_in_days created_at updated_at sent_at completed_at expires_at sealing_error sha256_original sha256_uploaded sha256_sealed seal_level',
    ),
    recipient: table(
      'recipients',
      'id document_id position email name role status signing_order access_code_tries email_status link_version sent_at viewed_at signed_at signature consent_version consent_sha256 reminders_sent last_mailed_at next_reminder_at',
    ),
    field: table(
      'fields',
      'id recipient_id document_id position type page x y width height required read_only label value options',
    ),
    event: table('events', 'sequence id document_id type at entry hash'),
    detail: table('event_details', 'sequence document_id salt personal'),
    job: table('jobs', 'id kind subject lane document_id due_at attempts state created_at'),
    mail: table('mails', 'id kind document_id recipient_id recipient_name recipient_email status reply created_at sent_at'),
    sealed: table('sealed_versions', 'sha256 document_id level made_at'),
    mark: table('mark_contents', 'recipient_id sha256 kind content'),
    draft: table('drafts', 'recipient_id name value'),
    idempotency: table('idempotency_keys', 'owner value fingerprint boot status sealed_body created_at expires_at'),
  }
}

type Writers = ReturnType<typeof writers>

interface Given {
  i: number
  at: Date
  newId: ReturnType<typeof idFactory>
  sequence: { last: number }
  owners: (string | null)[]
  filesFolder: string | undefined
}

function fillOne(write: Writers, given: Given): void {
  const { i, at, newId, owners } = given
  const id = newId('doc')
  const status = statusOf(i)
  const time = at.toISOString()
  const later = (hours: number) => new Date(at.getTime() + hours * 3_600_000).toISOString()
  const soon = new Date(Date.now() + (1 + (i % 300)) * 3_600_000).toISOString()
  const original = hex(`original ${i}`)
  const sealed = status === 'completed' ? hex(`sealed ${i}`) : null
  const isOut = status !== 'draft'
  for (const sha256 of [original, sealed]) {
    if (sha256 === null) continue
    write.file({ sha256, bytes: 48_000 + i, created_at: time })
    if (given.filesFolder) writeFileSync(join(given.filesFolder, `${sha256}.pdf`), '')
  }
  const person = `${pick(FIRST, i)} ${pick(LAST, Math.floor(i / 12))}`
  const title = `${pick(KINDS, i)} ${at.getUTCFullYear()}-${String(i).padStart(7, '0')} ${person}`
  write.document({
    id,
    owner_id: i % 5 === 0 ? (owners[1] ?? null) : i % 50_000 === 1 ? (owners[2] ?? null) : (owners[0] ?? null),
    title,
    file_name: `${title}.pdf`,
    status,
    page_count: 1 + (i % 12),
    message: null,
    signing_order: 'parallel',
    locale: null,
    redirect_url: null,
    allow_delegation: 1,
    metadata: JSON.stringify({ team: 'sales', ...(i % 3 === 0 ? { order: `A-${i}` } : {}) }),
    reminders: JSON.stringify({ firstAfterDays: 3, everyDays: 3, max: 5 }),
    expires_in_days: 30,
    created_at: time,
    updated_at: sealed ? later(20) : isOut ? later(1) : time,
    sent_at: isOut ? later(1) : null,
    completed_at: sealed ? later(20) : null,
    expires_at: isOut ? (status === 'sent' ? soon : later(720)) : null,
    sealing_error: null,
    sha256_original: original,
    sha256_uploaded: null,
    sha256_sealed: sealed,
    seal_level: sealed ? 'B-B' : null,
  })
  if (sealed) write.sealed({ sha256: sealed, document_id: id, level: 'B-B', made_at: later(20) })
  const recipients = i % 2 === 0 ? [person, 'Front Office'] : [person]
  for (const [position, name] of recipients.entries()) {
    fillRecipient(write, given, { id, position, name, status, isOut, later, soon })
  }
  const types = ['document.created', ...(sealed ? ['document.completed'] : isOut ? ['document.sent'] : [])]
  for (const type of types) fillEvent(write, given, { id, type, time })
  if (sealed)
    write.job({
      id: newId('job'),
      kind: 'seal',
      subject: id,
      lane: 'seal',
      document_id: id,
      due_at: later(19),
      attempts: 1,
      state: 'done',
      created_at: later(19),
    })
  if (i % 20 === 0) {
    const expires = new Date(Date.now() + 40_000 * (i % 2000)).toISOString()
    write.idempotency({
      owner: 'key',
      value: `create-${i}`,
      fingerprint: original,
      boot: 'b',
      status: 201,
      sealed_body: Buffer.alloc(200),
      created_at: time,
      expires_at: expires,
    })
  }
}

interface OfDocument {
  id: string
  position: number
  name: string
  status: string
  isOut: boolean
  later(hours: number): string
  soon: string
}

function fillRecipient(
  write: Writers,
  { i, newId }: Given,
  { id, position, name, status, isOut, later, soon }: OfDocument,
): void {
  const recipient = newId('rcp')
  const isSigned = status === 'completed'
  const email = position === 1 ? 'office@example.com' : `person${i % 400_000}@customer${i % 997}.example`
  write.recipient({
    id: recipient,
    document_id: id,
    position,
    email,
    name,
    role: 'signer',
    status: isSigned ? 'signed' : isOut ? status : 'created',
    signing_order: 1,
    access_code_tries: 0,
    email_status: isOut ? 'delivered' : 'none',
    link_version: 1,
    sent_at: isOut ? later(1) : null,
    viewed_at: isSigned ? later(18) : null,
    signed_at: isSigned ? later(19) : null,
    signature: isSigned ? JSON.stringify({ kind: i % 10 === 0 ? 'drawn' : 'typed', text: name }) : null,
    consent_version: isSigned ? '1-en' : null,
    consent_sha256: isSigned ? hex('consent') : null,
    reminders_sent: 0,
    last_mailed_at: isOut ? later(1) : null,
    next_reminder_at: status === 'sent' ? soon : null,
  })
  for (const [order, type] of ['signature', 'date'].entries()) {
    write.field({
      id: newId('fld'),
      recipient_id: recipient,
      document_id: id,
      position: position * 2 + order,
      type,
      page: 1,
      x: 10 + 45 * position,
      y: 70 + 10 * order,
      width: 30,
      height: 6,
      required: 1,
      read_only: 0,
      label: null,
      value: isSigned && type === 'date' ? later(19).slice(0, 10) : null,
      options: '[]',
    })
  }
  if (isSigned && i % 10 === 0)
    write.mark({ recipient_id: recipient, sha256: hex(`mark ${recipient}`), kind: 'drawn', content: Buffer.alloc(300) })
  if (status === 'sent' && i % 3 === 0) write.draft({ recipient_id: recipient, name: 'signature', value: name })
  if (!isOut || position > 0) return
  const mail = newId('mail')
  write.mail({
    id: mail,
    kind: 'invitation',
    document_id: id,
    recipient_id: recipient,
    recipient_name: name,
    recipient_email: email,
    status: 'accepted',
    reply: '250 2.0.0 Ok: queued as 4F1A2B3C4D',
    created_at: later(1),
    sent_at: later(1),
  })
  write.job({
    id: newId('job'),
    kind: 'mail',
    subject: mail,
    lane: 'mail',
    document_id: id,
    due_at: later(1),
    attempts: 1,
    state: 'done',
    created_at: later(1),
  })
}

function fillEvent(
  write: Writers,
  { newId, sequence }: Given,
  { id, type, time }: { id: string; type: string; time: string },
): void {
  const number = ++sequence.last
  const event = newId('evt')
  const entry = JSON.stringify({
    actor: 'system',
    at: time,
    data: {},
    documentId: id,
    documentSequence: 1,
    id: event,
    personal: null,
    recipientId: null,
    type,
  })
  write.event({ sequence: number, id: event, document_id: id, type, at: time, entry, hash: hex(event) })
  if (type === 'document.sent')
    write.detail({ sequence: number, document_id: id, salt: hex(event).slice(0, 32), personal: '{"ip":"192.0.2.1"}' })
}

/** `withFiles`: an empty file for each that a row names. */
export function fill(dataFolder: string, count: number, { withFiles = true } = {}): void {
  const raw = openRaw(join(dataFolder, 'signet.db'))
  raw.pragma('synchronous = OFF')
  raw.pragma('cache_size = -400000')
  const filesFolder = withFiles ? join(dataFolder, 'files') : undefined
  if (filesFolder) mkdirSync(filesFolder, { recursive: true })
  const owners = (raw.prepare('SELECT id FROM users ORDER BY id').all() as { id: string }[]).map(row => row.id)
  const members = ['usr_bench_many', 'usr_bench_few']
  for (const id of members) {
    raw
      .prepare(
        "INSERT OR IGNORE INTO users (id, email, name, role, password_hash, created_at) VALUES (?, ?, ?, 'member', 'none', ?)",
      )
      .run(id, `${id}@example.com`, id, new Date().toISOString())
  }
  const write = writers(raw)
  const sequence = { last: Number(raw.prepare('SELECT coalesce(max(sequence), 0) FROM events').pluck().get()) }
  const startMs = Date.now() - TWO_YEARS_MS
  let nowMs = startMs
  const newId = idFactory(() => nowMs, THIS_MACHINE.random)
  raw.exec('BEGIN')
  for (let i = 0; i < count; i++) {
    nowMs = startMs + Math.floor((TWO_YEARS_MS * i) / count)
    fillOne(write, { i, at: new Date(nowMs), newId, sequence, owners: [owners[0] ?? null, ...members], filesFolder })
    if (i % ROWS_A_TRANSACTION === ROWS_A_TRANSACTION - 1) raw.exec('COMMIT; BEGIN')
  }
  raw.exec('COMMIT')
  raw.pragma('wal_checkpoint(TRUNCATE)')
  raw.close()
}

if (import.meta.main) {
  const [folder = '', count = '0', ...flags] = process.argv.slice(2)
  fill(folder, Number(count), { withFiles: !flags.includes('--no-files') })
}
