/** Fills a data folder by the product's actions: drafts, sent, declined and sealed documents. */
import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { createAdmin } from '../../src/accounts/people.ts'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Recipient } from '../../src/core/document/document.ts'
import { createDocument } from '../../src/documents/draft/create.ts'
import { sendDocument, voidDocument } from '../../src/documents/lifecycle/lifecycle.ts'
import { find } from '../../src/documents/queries.ts'
import { consentId, consentText } from '../../src/documents/signing/consent.ts'
import { linkToken, resolveLink } from '../../src/documents/signing/link.ts'
import { decline, finish, openDocument } from '../../src/documents/signing/signing.ts'
import { HANDLERS } from '../../src/jobs/handlers.ts'
import { Worker } from '../../src/jobs/worker.ts'
import { sha256OfFile } from '../../src/lib/disk.ts'
import type { Log } from '../../src/lib/log.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { type App, SYSTEM } from '../../src/ports.ts'
import { openPdfTools, type PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { DEFAULT_LIMITS } from '../../src/sandbox/pool.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'

export interface Fill {
  folder: string
  documents: number
  /** So many of them are signed by both recipients and sealed. */
  sealed: number
}

const CLIENT = { ip: '127.0.0.1', userAgent: 'fill' }
const AT_ONCE = 4
const PLACEHOLDER = '000000000000'

/** One small PDF; the copies differ in a text of the same length, so all offsets stay right. */
async function template(): Promise<string> {
  const document = await PDFDocument.create()
  const page = document.addPage([595.28, 841.89])
  const font = await document.embedFont(StandardFonts.Helvetica)
  page.drawText('The parties agree on what is written here.', { x: 72, y: 720, size: 12, font })
  document.setProducer(PLACEHOLDER)
  return Buffer.from(await document.save({ useObjectStreams: false })).toString('latin1')
}

const hexOf = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()

export class Filler {
  readonly #app: App
  readonly #pdf: string

  constructor(app: App, pdf: string) {
    this.#app = app
    this.#pdf = pdf
    if (!pdf.includes(hexOf(PLACEHOLDER))) throw new Error('the PDF does not contain the text that makes copies differ')
  }

  async add(number: number, isSealed: boolean): Promise<void> {
    const id = await this.#create(number)
    if (!isSealed && number % 10 === 0) return
    await sendDocument(this.#app, id, SYSTEM)
    if (isSealed) await this.#signAll(id)
    else if (number % 10 === 1) await voidDocument(this.#app, id, 'Wrong file', SYSTEM)
    else if (number % 10 === 2) await this.#decline(id)
  }

  async #create(number: number): Promise<string> {
    const title = `Contract ${number} – Søndergård`
    const content = this.#pdf.replace(hexOf(PLACEHOLDER), hexOf(String(number).padStart(PLACEHOLDER.length, '0')))
    const upload = await this.#app.storage.writeTemporary(Buffer.from(content, 'latin1'))
    const recipients = ['Ada Lovelace', 'Bob Søndergård'].map((name, i) => ({
      email: `person-${number}-${i}@example.com`,
      name,
      fields: [{ type: 'signature' as const, page: 1, x: 10 + 45 * i + (number % 1000) / 1000, y: 75.1, width: 30, height: 6 }],
    }))
    const body = { title, recipients, metadata: { number: String(number) }, labels: [`label-${number % 7}`] }
    const { document } = await createDocument(this.#app, body, [{ upload, fileName: `${number}.pdf` }], SYSTEM)
    return document.id
  }

  async #recipients(id: string): Promise<Recipient[]> {
    return (await find(this.#app.db, id))?.recipients ?? []
  }

  async #decline(id: string): Promise<void> {
    const [first] = await this.#recipients(id)
    if (first)
      await decline(this.#app, await resolveLink(this.#app, linkToken(this.#app, first)), 'The price is too high.', CLIENT)
  }

  async #signAll(id: string): Promise<void> {
    for (const recipient of await this.#recipients(id)) {
      const context = await openDocument(this.#app, linkToken(this.#app, recipient), {}, CLIENT)
      const organisation = await readOrganisation(this.#app.db)
      const marks = {
        signature: { kind: 'typed' as const, text: recipient.name, ink: '' },
        initials: { kind: 'typed' as const, text: '', ink: '' },
      }
      const entered = {
        values: {},
        marks,
        consent: true,
        consentId: consentId(consentText(this.#app, organisation, 'en', recipient)),
        shownSha256: context.document.sha256Original,
        language: 'en' as const,
        shownFiles: {},
        changedFiles: [],
      }
      await finish(this.#app, context, entered, CLIENT)
    }
  }
}

const report: Log = (level, what, facts = {}) => {
  if (level === 'error') console.log(`${what} ${JSON.stringify(facts)}`)
}

export async function fillFolder({ folder, documents, sealed }: Fill): Promise<void> {
  const command = [process.execPath, join(import.meta.dir, '../../src/main.ts'), '__pdf-child']
  const config = readConfig({}, { SIGNET_DATA: folder, SIGNET_SEAL_KEY: 'ec-p256' })
  const tools = openPdfTools({ command, size: 2, limits: DEFAULT_LIMITS })
  let inspected: ReturnType<PdfTools['inspect']> | undefined
  // All uploads have the same pages and size: one is inspected for all.
  const inspect: PdfTools['inspect'] = async request => {
    inspected ??= tools.inspect(request)
    const found = await inspected
    return found.verdict === 'refused' || found.rewritten
      ? found
      : { ...found, sha256: await sha256OfFile(THIS_FILE_SYSTEM, request.path) }
  }
  const pdf: PdfTools = { ...tools, inspect }
  const { app, close } = await openApp(config, { command, pdf, exclusive: true, lockHolder: 'a trial', log: report })
  const worker = new Worker(app, HANDLERS)
  await createAdmin(app, { email: 'admin@example.com', name: 'Grace Hopper', password: 'four sound words here' })
  const filler = new Filler(app, await template())
  let next = 0
  const fillTo = async (end: number) => {
    const work = async () => {
      while (next < end) await filler.add(next++, next <= sealed)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  await fillTo(sealed)
  await worker.drain()
  // The mails of the others remain jobs to do.
  await fillTo(documents)
  await worker.stop()
  await close()
}

const STAY = ['migrations', 'nodes', 'leases', 'file_claims', 'file_holds']

/** A hash for each table and file, by another driver and other statements than the product's. */
export function contentsOf(folder: string): Record<string, string> {
  const contents: Record<string, string> = {}
  const database = new Database(join(folder, 'signet.db'))
  const names = database
    .query("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string }[]
  for (const { name } of names.filter(table => !STAY.includes(table.name))) {
    const columns = database.query(`SELECT name FROM pragma_table_info('${name}')`).all() as { name: string }[]
    const list = columns.map(column => `"${column.name}"`)
    const where = name === 'instance' ? " WHERE name NOT IN ('move', 'move.position')" : ''
    const hash = createHash('sha256')
    let rows = 0
    const quoted = list.map(column => `quote(${column})`).join(", '|', ")
    for (const row of database
      .query(`SELECT concat(${quoted}) AS row FROM ${name}${where} ORDER BY ${list.join(', ')}`)
      .iterate()) {
      hash.update(`${(row as { row: string }).row}\n`)
      rows++
    }
    contents[`table ${name}`] = `${rows} ${hash.digest('hex')}`
  }
  database.close()
  const files = join(folder, 'files')
  for (const name of readdirSync(files).filter(file => file.endsWith('.pdf'))) {
    contents[name] = createHash('sha256')
      .update(readFileSync(join(files, name)))
      .digest('hex')
  }
  return contents
}
