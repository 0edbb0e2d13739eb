/** Fills a data folder with an administrator and documents in every state: `seed [--data DIR]`. */
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { createAdmin } from '../src/accounts/people.ts'
import { openApp } from '../src/app.ts'
import { configFrom, DATA_FLAG, parseFlags } from '../src/cli/verb.ts'
import type { Recipient } from '../src/core/document/document.ts'
import { createDocument } from '../src/documents/draft/create.ts'
import { sendDocument, voidDocument } from '../src/documents/lifecycle/lifecycle.ts'
import { find } from '../src/documents/queries.ts'
import { consentId, consentText } from '../src/documents/signing/consent.ts'
import { linkToken, resolveLink } from '../src/documents/signing/link.ts'
import { decline, finish, openDocument } from '../src/documents/signing/signing.ts'
import { HANDLERS } from '../src/jobs/handlers.ts'
import { Worker } from '../src/jobs/worker.ts'
import { openLog } from '../src/lib/log.ts'
import { THIS_MACHINE } from '../src/lib/this-machine.ts'
import { type App, SYSTEM } from '../src/ports.ts'
import { readOrganisation } from '../src/settings/organisation.ts'

const ADMIN = { email: 'admin@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const CLIENT = { ip: '127.0.0.1', userAgent: 'seed' }

async function pdf(title: string): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  for (let number = 1; number <= 2; number++) {
    const page = document.addPage([595.28, 841.89])
    page.drawText(title, { x: 72, y: 760, size: 22, font })
    page.drawText(`Page ${number} of 2. The parties agree on what is written here.`, { x: 72, y: 720, size: 12, font })
  }
  return document.save()
}

const people = [
  { email: 'ada@example.com', name: 'Ada Lovelace' },
  { email: 'bob@example.com', name: 'Bob Søndergård' },
]

async function create(app: App, title: string): Promise<string> {
  const signature = { type: 'signature' as const, page: 2, x: 10, y: 75, width: 30, height: 6 }
  const recipients = people.map((person, i) => ({ ...person, fields: [{ ...signature, x: 10 + 45 * i }] }))
  const upload = await app.storage.writeTemporary(await pdf(title))
  const { document } = await createDocument(app, { title, recipients }, [{ upload, fileName: `${title}.pdf` }], SYSTEM)
  return document.id
}

async function recipientsOf(app: App, id: string): Promise<Recipient[]> {
  return (await find(app.db, id))?.recipients ?? []
}

async function sign(app: App, recipient: Recipient): Promise<void> {
  const context = await openDocument(app, linkToken(app, recipient), {}, CLIENT)
  const shownConsent = consentId(consentText(app, await readOrganisation(app.db), 'en', recipient))
  const entered = {
    values: {},
    marks: {
      signature: { kind: 'typed' as const, text: recipient.name, ink: '' },
      initials: { kind: 'typed' as const, text: '', ink: '' },
    },
    consent: true,
    consentId: shownConsent,
    shownSha256: context.document.sha256Original,
    language: 'en' as const,
    shownFiles: {},
    changedFiles: [],
  }
  await finish(app, context, entered, CLIENT)
}

const parsed = parseFlags(process.argv.slice(2), DATA_FLAG)
const command = [process.execPath, join(import.meta.dir, '../src/main.ts'), '__pdf-child']
const { app, close } = await openApp(configFrom(parsed, process.env), {
  command,
  exclusive: true,
  lockHolder: 'scripts/seed',
  log: openLog('warn', THIS_MACHINE),
})
const worker = new Worker(app, HANDLERS)
await createAdmin(app, ADMIN)
await create(app, 'Draft lease')
const stages: Record<string, (id: string) => Promise<unknown>> = {
  'Sent offer': async () => {},
  'Half-signed agreement': async id => sign(app, (await recipientsOf(app, id))[0] as Recipient),
  'Completed contract': async id => {
    for (const recipient of await recipientsOf(app, id)) await sign(app, recipient)
  },
  'Declined order': async id => {
    const [first] = await recipientsOf(app, id)
    if (first) await decline(app, await resolveLink(app, linkToken(app, first)), 'The price is too high.', CLIENT)
  },
  'Voided letter': id => voidDocument(app, id, 'Wrong file', SYSTEM),
}
for (const [title, stage] of Object.entries(stages)) {
  const id = await create(app, title)
  await sendDocument(app, id, SYSTEM)
  await worker.drain()
  await stage(id)
  await worker.drain()
}
await close()
console.log(`Sign in as ${ADMIN.email} with the password "${ADMIN.password}".`)
process.exit(0)
