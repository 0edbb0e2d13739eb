/** Evidence packs that were made false, and what the verb and the printed commands say of each. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { canonicalJson, chainHash, commitment } from '../../src/core/document/audit-chain.ts'
import type { Json } from '../../src/core/document/event.ts'
import { describePack, type WrittenPackReport, writePackReport } from '../../src/evidence/pack/report.ts'
import { verifyPack } from '../../src/evidence/pack/verify-pack.ts'
import { useFolder } from '../support/folders.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

type Fields = Record<string, Json>
interface Event extends Fields {
  type: string
  hash: string
  previousHash: string
  entry: string
  sequence: number
  data: Fields
}
interface Audit extends Fields {
  document: Fields & { recipients: Fields[] }
  events: Event[]
}

const TOWN = { type: 'text', name: 'town', label: 'Town', page: 1, x: 10, y: 40, width: 40, height: 4, required: true }
/** A whole trail that somebody invented, before the document was made. */
const INVENTED = inventedTrail(['document.created', 'document.sent', 'recipient.signed', 'document.sealing'])
/**
 * Its newest hash, which the sender writes into the document, so that the sealed file contains it.
 */
const PLANTED = INVENTED.at(-1)?.hash ?? ''
const NOTE = 'Entry 7 was the latest entry about this document when it was sealed.'
/** What a sender writes to make a row that looks like that of the certificate. */
const LOOK_ALIKE = { ...TOWN, name: 'log', label: 'Audit log', y: 60, height: 8, value: PLANTED, readOnly: true, required: false }
const MULTILINE = {
  ...LOOK_ALIKE,
  name: 'log2',
  type: 'text',
  y: 75,
  label: `${'A long label '.repeat(2)}Audit log ${NOTE.slice(0, 60)}`,
  value: `x ${PLANTED}`,
}

const PAGE_ALIKE = { ...LOOK_ALIKE, name: 'page', label: 'SHA-256 of verify.html', y: 85 }

function inventedTrail(types: readonly string[]): Event[] {
  const events: Event[] = []
  for (const [i, type] of types.entries()) {
    const before = events.at(-1)?.hash
    const members = {
      id: `evt_${i}`,
      type,
      at: '2020-01-01T00:00:00.000Z',
      recipientId: 'rcp_x',
      actor: 'recipient:rcp_x',
      data: {},
    }
    const position = { documentId: 'doc_x', documentSequence: i + 1, documentPreviousHash: before ?? null }
    const entry = canonicalJson({ ...position, ...members, personal: null })
    const previousHash = before ?? '00'.repeat(32)
    const hash = chainHash(previousHash, entry)
    events.push({ ...members, personal: null, salt: null, entry, hash, previousHash, sequence: i + 1 })
  }
  return events
}

let t: TestApp
let pack: Record<string, Uint8Array>
const folder = useFolder()

beforeAll(async () => {
  t = await openTestApp()
  t.clock.now = new Date()
  const id = await sentDocument(t, {
    title: `Audit log ${PLANTED}`,
    recipients: [{ ...ADA, fields: [SIGNATURE, TOWN, LOOK_ALIKE, MULTILINE, PAGE_ALIKE] }],
  })
  const [field] = (await t.api('GET', `/documents/${id}`)).body.recipients[0].fields.filter((f: Fields) => f.name === 'town')
  await signAs(t, ADA.email, 'Ada', { [`fields.${field.id}`]: 'Köln' })
  await t.drain()
  const { status, body } = await t.api('GET', `/documents/${id}/evidence`)
  expect(status).toBe(200)
  pack = unzipSync(body)
})
afterAll(() => t.close())

const auditOf = (files: Record<string, Uint8Array>) => JSON.parse(Buffer.from(files['audit.json'] ?? '').toString()) as Audit

function changed(change: (audit: Audit) => void): Record<string, Uint8Array> {
  const audit = auditOf(pack)
  change(audit)
  return { ...pack, 'audit.json': Buffer.from(`${JSON.stringify(audit, null, 2)}\n`) }
}

const verified = (bytes: Uint8Array) => writePackReport(verifyPack(bytes))
const reportOf = (files: Record<string, Uint8Array>) => verified(zipSync(files, { level: 0 }))

function failures(files: Record<string, Uint8Array>): string {
  const report = reportOf(files)
  if (report.verdict === 'unreadable') return `unreadable: ${report.reason}`
  return report.checks.flatMap(({ outcome, text }) => (outcome === 'failed' ? [text] : [])).join('\n')
}

/** What the commands of the README print, without those of the PDF programs. */
function printedFor(files: Record<string, Uint8Array>): string {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  const readme = Buffer.from(files['README.txt'] ?? '').toString()
  const blocks = [...readme.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replace(/^ {4}/gm, ''))
  const { stdout, stderr } = Bun.spawnSync(['sh', '-c', blocks.slice(6).join('\n')], { cwd: folder, timeout: 30_000 })
  return `${stdout}${stderr}`
}

/**
 * Chains the events anew, as somebody does who rewrites the log; `from` is the first that changed.
 */
function chainAnew(audit: Audit): void {
  let before: Event | undefined
  for (const event of audit.events) {
    const entry = JSON.parse(event.entry) as Fields
    entry.documentPreviousHash = before?.hash ?? null
    event.entry = canonicalJson(entry)
    if (before && event.sequence === before.sequence + 1) event.previousHash = before.hash
    event.hash = chainHash(event.previousHash, event.entry)
    before = event
  }
  audit.lastEventHash = audit.events.at(-1)?.hash ?? ''
  audit.eventCount = audit.events.length
  audit.chainHead = { sequence: (audit.events.at(-1)?.sequence ?? 0) + 1, hash: 'cd'.repeat(32) }
}

const signedIn = ({ events }: Audit) => events.find(({ type }) => type === 'recipient.signed') as Event

test('a pack of the service is valid, although its sender planted rows that look like that of the certificate', () => {
  const report = reportOf(pack) as Exclude<WrittenPackReport, { verdict: 'unreadable' }>
  expect(failures(pack)).toBe('')
  expect(report.verdict).toBe('valid')
  expect(report.people).toMatchObject([{ name: ADA.name, email: ADA.email, hasSigned: true }])
  const text = describePack(report)
  expect(text).toStartWith('VALID: the evidence of “Audit log')
  expect(text).toContain(`${ADA.name} <${ADA.email}> signed it at `)
  expect(text).toContain('which the seal covers')
  expect(text).toContain('Compare its fingerprint')
  expect(report.sealedEntry?.hash).not.toBe(PLANTED)
  expect(text).toContain('+ verify.html is the page that the audit certificate names.')
})

test('each check is a code with parameters, beside its English sentence', () => {
  const report = verifyPack(zipSync(changed(inDocument({ title: 'Another' }))))
  const json = JSON.parse(JSON.stringify(writePackReport(report)))
  const logged = JSON.stringify(`Audit log ${PLANTED}`)
  expect(json.checks).toContainEqual({
    outcome: 'failed',
    text: `The document in audit.json: title is "Another", and the log says ${logged}.`,
    code: 'trail_document_differs',
    params: { member: 'title', found: '"Another"', logged },
  })
  expect(JSON.parse(JSON.stringify(reportOf({})))).toEqual({
    verdict: 'unreadable',
    reason: 'it lacks sealed.pdf, original.pdf, audit.json, seal.pem, SHA256SUMS: every evidence pack has them',
    code: 'pack_files_missing',
    params: { names: ['sealed.pdf', 'original.pdf', 'audit.json', 'seal.pem', 'SHA256SUMS'] },
  })
})

const LONG_AGO = '2020-01-01T00:00:00.000Z'
const inEvent = (members: Fields) => (a: Audit) => void Object.assign(signedIn(a), members)
const inDocument = (members: Fields) => (a: Audit) => void Object.assign(a.document, members)
const inRecipient = (members: Fields) => (a: Audit) => void Object.assign(a.document.recipients[0] as Fields, members)

/** Each is consistent in itself; `says`: what the verb says, and the commands print. */
const FALSE: [kind: string, change: (audit: Audit) => void, says: RegExp, printed: RegExp][] = [
  ['the time beside an entry', inEvent({ at: LONG_AGO }), /: at is not that of its entry/, /false: at of/],
  ['the person who acted', inEvent({ actor: 'user:usr_x' }), /: actor is not that/, /false: actor of/],
  ['the recipient of an event', inEvent({ recipientId: 'rcp_x' }), /: recipientId is not/, /false: recipientId of/],
  [
    'the facts of an event',
    a => void Object.assign(signedIn(a).data, { intent: 'I buy.' }),
    /: data is not that of/,
    /false: data of/,
  ],
  [
    'a consent text',
    a => void Object.assign(signedIn(a).personal as Fields, { consentText: 'I agree to all.' }),
    /personal data is not/,
    /false: personal of/,
  ],
  ['a title', inDocument({ title: 'Another' }), /title is "Another"/, /false: title in the document/],
  ['a name', inRecipient({ name: 'Mallory' }), /\.name is "Mallory"/, /false: recipients in the document/],
  ['an address', inRecipient({ email: 'm@example.com' }), /\.email is/, /false: recipients in/],
  ['a time of signing', inRecipient({ signedAt: LONG_AGO }), /\.signedAt is/, /false: signature of/],
  ['a time of completion', inDocument({ completedAt: LONG_AGO }), /completedAt is/, /false: completion in/],
  [
    'a value',
    a => {
      const fields = (a.document.recipients[0] as Fields).fields as Fields[]
      const town = fields.find(({ name }) => name === 'town')
      if (town) town.value = 'Bonn'
    },
    /\.value is "Bonn"/,
    /false: signature of/,
  ],
  [
    'the hash of a file',
    inDocument({ sha256: { original: PLANTED, sealed: PLANTED } }),
    /sha256\.original is/,
    /false: files in/,
  ],
  ['a missing event', a => void a.events.splice(2, 1), /The entry before event 3/, /missing: the entry before/],
  ['a missing last event', a => void a.events.pop(), /missing at the end/, /missing: the last entry/],
]

describe('false members of audit.json are found by the verb and by the printed commands', () => {
  test.each(FALSE)('%s', (_, change, says, printed) => {
    const files = changed(change)
    expect(failures(files)).toMatch(says)
    expect(reportOf(files).verdict).toBe('not-valid')
    expect(printedFor(files)).toMatch(printed)
  })
})

describe('a document in audit.json that no entry proves', () => {
  const fieldOf = (audit: Audit) => ((audit.document.recipients[0] as Fields).fields as Fields[])[0] as Fields
  test.each<[string, (audit: Audit) => void, string]>([
    ['a list in place of a number', a => void Object.assign(fieldOf(a), { x: [10] }), 'recipients[0].fields[0].x'],
    ['a list of one id', a => void Object.assign(fieldOf(a), { id: [fieldOf(a).id] }), 'recipients[0].fields[0].id'],
    ['reminders of another form', a => void Object.assign(a.document, { reminders: { everyDays: [] } }), 'reminders.everyDays'],
  ])('is false with %s', (_, change, path) => {
    expect(failures(changed(change))).toContain(`The document in audit.json: ${path} is not of the type that Signet writes.`)
  })
  test('is false with another number of pages, or another name, of a file', () => {
    const file = (audit: Audit) => (audit.document.files as Fields[])[0] as Fields
    expect(failures(changed(a => void Object.assign(file(a), { pageCount: 7 })))).toContain('files.pageCount is [7]')
    expect(failures(changed(a => void Object.assign(file(a), { fileName: 'other.pdf' })))).toContain('files.fileName is')
  })
  test('is not all checked with a member that no release had', () => {
    const report = reportOf(changed(a => void Object.assign(fieldOf(a), { hidden: true })))
    expect([report.verdict, JSON.stringify(report)]).toEqual(['not-checked', expect.stringContaining('.fields[0].hidden')])
  })
})

test('an audit.json that has a member twice, or is written in another form, is false', () => {
  const text = Buffer.from(pack['audit.json'] ?? '').toString()
  const twice = text.replace('"title": ', '"title": "Another",\n    "title": ')
  for (const other of [twice, JSON.stringify(JSON.parse(text)), `\ufeff${text}`, text.trimEnd()])
    expect(failures({ ...pack, 'audit.json': Buffer.from(other) })).toMatch(/is not written as Signet writes it|is not JSON/)
})

test('an invented trail is false, although the sealed file contains its newest hash', () => {
  const files = changed(audit => {
    audit.events = INVENTED
    audit.document.id = 'doc_x'
    audit.eventCount = INVENTED.length
    audit.lastEventHash = PLANTED
  })
  expect(failures(files)).toMatch(/prints entry \d+ of the log, with a hash that no event/)
  expect(printedFor(files)).toContain('missing: the entry that sealed.pdf names')
})

/** Somebody else signed: the whole trail is written anew, and ends in the planted hash. */
function inventTrail(audit: Audit): void {
  const signed = signedIn(audit)
  const entry = JSON.parse(signed.entry) as Fields
  const personal = { ...(signed.personal as Fields), signature: { kind: 'typed', text: 'Mallory' } }
  signed.personal = personal
  entry.personal = commitment(String(signed.salt), personal)
  signed.entry = canonicalJson(entry)
  chainAnew(audit)
}

test('a trail that was written anew is false, whatever hashes the sender planted in the document', () => {
  const files = changed(inventTrail)
  expect(failures(files)).toMatch(/prints entry \d+ of the log, with a hash that no event/)
  expect(printedFor(files)).toContain('missing: the entry that sealed.pdf names')
})

test.each(['consentVersion', 'consentSha256', 'language'])('a consent that is not that of the signature is false: %s', member => {
  const files = changed(audit => {
    const consented = audit.events.find(({ type }) => type === 'recipient.consented') as Event
    const entry = JSON.parse(consented.entry) as Fields
    const data = { ...(entry.data as Fields), [member]: 'another' }
    Object.assign(consented, { data, entry: canonicalJson({ ...entry, data }) })
    chainAnew(audit)
  })
  expect(failures(files)).toMatch(/Event \d+ \(recipient.consented\): no signature with the same consent follows it\./)
})

test('a signature after the seal is false', () => {
  const files = changed(audit => {
    const last = audit.events.at(-1) as Event
    const entry: Fields = {
      ...(JSON.parse(signedIn(audit).entry) as Fields),
      documentSequence: audit.events.length + 1,
      id: 'evt_x',
    }
    const added = {
      ...signedIn(audit),
      id: 'evt_x',
      sequence: last.sequence + 1,
      previousHash: last.hash,
      entry: canonicalJson(entry),
    }
    audit.events.push(added)
    chainAnew(audit)
  })
  expect(failures(files)).toMatch(/Entry \d+ \(recipient.signed\) comes after the seal/)
  expect(printedFor(files)).toContain(', after the seal')
})

test('personal data that was taken out proves no name: not all was checked', () => {
  const files = changed(audit => {
    for (const event of audit.events) Object.assign(event, { personal: null, salt: null })
    ;(audit.document.recipients[0] as Fields).name = 'Mallory'
  })
  expect(reportOf(files).verdict).toBe('not-checked')
  expect(printedFor(files)).not.toBe('')
})

test('another file in the place of the original or of the sealed one is false', () => {
  const sums = (files: Record<string, Uint8Array>) => {
    const line = (name: string) =>
      `${createHash('sha256')
        .update(files[name] ?? '')
        .digest('hex')}  ${name}\n`
    return { ...files, SHA256SUMS: Buffer.from(line('sealed.pdf') + line('original.pdf')) }
  }
  const sealed = pack['sealed.pdf'] ?? new Uint8Array()
  const cut = sums({ ...pack, 'original.pdf': sealed.subarray(0, 100) })
  expect(failures(cut)).toContain('original.pdf is not the file')
  expect(printedFor(cut)).toContain('false: original.pdf: FAILED')
  expect(failures({ ...pack, 'original.pdf': sealed })).toContain('Not as SHA256SUMS says: original.pdf')
  const longer = Buffer.concat([sealed, Buffer.from('\n% more\n')])
  expect(failures(sums({ ...pack, 'sealed.pdf': longer }))).toContain('sealed.pdf is not the file that the log says was sealed')
})

describe('a ZIP that is no evidence pack is refused with its reason', () => {
  const refused = (files: Record<string, Uint8Array>) => {
    const report = reportOf(files)
    return report.verdict === 'unreadable' ? report.reason : report.verdict
  }
  test('a file too many, or none', () => {
    expect(refused({ ...pack, 'notes.txt': Buffer.from('x') })).toBe('it has the file notes.txt, which no evidence pack has')
    const { 'seal.pem': _, ...rest } = pack
    expect(refused(rest)).toBe('it lacks seal.pem: every evidence pack has them')
    expect(verified(Buffer.from('%PDF-1.7'))).toEqual({
      ...{ verdict: 'unreadable', reason: 'it is not a ZIP, or it is damaged' },
      ...{ code: 'pack_not_a_zip', params: undefined },
    })
    expect(verifyPack(new Uint8Array())).toMatchObject({ verdict: 'unreadable' })
  })
  test.each(['../sealed.pdf', '/etc/passwd', 'marks/../../x', 'a\\b', 'marks/a\u0000b'])(
    'a name that leads elsewhere: %p',
    name => {
      expect(refused({ ...pack, [name]: Buffer.from('x') })).toContain('a file whose name leads out of its folder')
    },
  )
  test('two files of one name, in any case', () => {
    expect(refused({ ...pack, 'SEALED.pdf': Buffer.from('x') })).toBe('it has two files of the name SEALED.pdf')
  })
  test('a file that would be too large', () => {
    const bomb = zipSync({ ...pack, 'audit.json': new Uint8Array(65 * 1024 * 1024) }, { level: 9 })
    expect(bomb.length).toBeLessThan(3_000_000)
    expect(verified(bomb)).toMatchObject({ verdict: 'unreadable', reason: 'audit.json in it is larger than 64 MB' })
  })
  test('a file that is larger than its directory says is refused, and takes no more memory than that', () => {
    const zip = Buffer.from(zipSync({ ...pack, 'README.txt': new Uint8Array(32 * 1024 * 1024) }, { level: 9 }))
    // APPNOTE.TXT 4.3.7 and 4.3.12: the name ends the local header and the one in the directory.
    for (const size of [zip.indexOf('README.txt') - 30 + 22, zip.lastIndexOf('README.txt') - 46 + 24]) {
      expect(zip.readUInt32LE(size)).toBe(32 * 1024 * 1024)
      zip.writeUInt32LE(10, size)
    }
    expect(verified(zip)).toMatchObject({ verdict: 'unreadable', code: 'pack_not_a_zip' })
  })
  test('texts that are no JSON, and entries in another form', () => {
    expect(refused({ ...pack, 'audit.json': Buffer.from('{') })).toBe('audit.json in it is not JSON')
    expect(refused({ ...pack, 'audit.json': Buffer.from('[]') })).toBe('audit.json in it is no object')
    const spaced = changed(audit => void Object.assign(audit.events[0] as Event, { entry: ` ${audit.events[0]?.entry}` }))
    expect(refused(spaced)).toBe('the entry of event 1 of audit.json in it is not canonical JSON')
  })
})
