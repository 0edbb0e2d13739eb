/** Documents made of several files: what is stored, recorded and refused. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorAt, Refusal } from '../../src/core/refusal.ts'
import { violation } from '../../src/core/violation.ts'
import { createDocument } from '../../src/documents/draft/create.ts'
import { foundIn } from '../../src/http/pages/drafting/new-document.tsx'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { englishOfRefusal } from '../../src/locales/violations.ts'
import { SYSTEM } from '../../src/ports.ts'
import { textOf } from '../support/browser-less.ts'
import { makePdf } from '../support/make-pdf.ts'
import { ADA, SIGNATURE, samplePdf } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'
import { newAdministrator } from '../support/visitors.ts'

const t = useTestApp()

const filesFolder = () => join(t.folder, 'data', 'files')
const temporaryFiles = () => readdirSync(join(filesFolder(), '.making'))
const storedFiles = () => readdirSync(filesFolder()).filter(name => name.endsWith('.pdf'))

async function create(files: [fileName: string, bytes: Uint8Array][], fields: object[] = []) {
  const uploads = []
  for (const [fileName, bytes] of files) uploads.push({ fileName, upload: await t.app.storage.writeTemporary(bytes) })
  try {
    return await createDocument(t.app, { recipients: [{ ...ADA, fields: fields as [] }] }, uploads, SYSTEM)
  } finally {
    for (const { upload } of uploads) await t.app.storage.discard(upload.path)
  }
}

const pdf = async (pages: number) => Buffer.from(await samplePdf(pages), 'base64')

test('the document has the pages of all files, and keeps the hash of each and of the joined file', async () => {
  const [one, two] = [await pdf(1), await pdf(2)]
  const { document, warnings } = await create(
    [
      ['Lease.pdf', one],
      ['Annex.pdf', two],
    ],
    [{ ...SIGNATURE, page: 3 }],
  )
  const files = [
    { fileName: 'Lease.pdf', sha256: sha256Hex(one), pageCount: 1 },
    { fileName: 'Annex.pdf', sha256: sha256Hex(two), pageCount: 2 },
  ]
  expect(document).toMatchObject({ title: 'Lease', fileName: 'Lease.pdf', pageCount: 3, files, sha256Uploaded: undefined })
  expect(warnings).toEqual([])
  expect(storedFiles()).toEqual([`${document.sha256Original}.pdf`])
  expect(temporaryFiles()).toEqual([])
  const { body } = await t.api('GET', `/documents/${document.id}`)
  expect(body.files).toEqual(files)
  const audit = await t.api('GET', `/documents/${document.id}/audit`)
  expect(audit.body.events[0]).toMatchObject({
    type: 'document.created',
    data: { originalSha256: document.sha256Original, files: files.map(({ sha256, pageCount }) => ({ sha256, pageCount })) },
    personal: { fileNames: ['Lease.pdf', 'Annex.pdf'] },
  })
  expect(audit.body.events[0].data.uploadedSha256).toBeUndefined()
})

test('one file is stored as it is, and is the one file of the document', async () => {
  const bytes = await pdf(2)
  const { document } = await create([['Lease.pdf', bytes]])
  expect(document.sha256Original).toBe(sha256Hex(bytes))
  const { body } = await t.api('GET', `/documents/${document.id}`)
  expect(body.files).toEqual([{ fileName: 'Lease.pdf', sha256: sha256Hex(bytes), pageCount: 2 }])
})

test('a refusal names the file, and nothing is left of any', async () => {
  const refusal = await create([
    ['Lease.pdf', await pdf(1)],
    ['Letter.docx', Buffer.from('PK not a PDF')],
  ]).catch(error => error)
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal.reason).toBe('invalid_pdf')
  expect(refusal.details).toEqual([errorAt('files[1].file', violation('pdf_expected'))])
  expect(englishOfRefusal(refusal)).toBe('Letter.docx: This file is not a PDF; choose a PDF file.')
  expect([storedFiles(), temporaryFiles()]).toEqual([[], []])
})

test('a name that cannot be used is refused with its place', async () => {
  const refusal = await create([
    ['Lease.pdf', await pdf(1)],
    ['a\nb.pdf', await pdf(1)],
  ]).catch(error => error)
  expect(refusal.details.map((d: { path: string }) => d.path)).toEqual(['files[1].fileName'])
})

test('a field on a page that not even all files have is refused', async () => {
  const files: [string, Uint8Array][] = [
    ['a.pdf', await pdf(1)],
    ['b.pdf', await pdf(2)],
  ]
  const refusal = await create(files, [{ ...SIGNATURE, page: 4 }]).catch(error => error)
  expect(refusal.details).toEqual([errorAt('recipients[0].fields[0].page', violation('beyond_last_page', { pages: 3 }))])
  expect([storedFiles(), temporaryFiles()]).toEqual([[], []])
})

test('warnings name their files, and those about the bytes of an upload are not repeated', async () => {
  const linked = (url: string) =>
    makePdf({ pages: [{ more: `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (${url}) >> >>]` }] })
  const trailing = Buffer.concat([makePdf(), Buffer.from('more bytes')])
  const { warnings } = await create([
    ['a.pdf', linked('https://a.example')],
    ['b.pdf', trailing],
    ['c.pdf', linked('https://c.example')],
  ])
  expect(warnings).toEqual([
    {
      code: 'external_link',
      message: 'a.pdf, c.pdf: The PDF contains links to web pages; the seal does not cover their content.',
      files: [0, 2],
    },
  ])
})

test('the page of people says of which files something was found', async () => {
  const admin = await newAdministrator(t)
  const damaged = makePdf().subarray(0, -40)
  const { document, warnings } = await create([
    ['Lease.pdf', makePdf()],
    ['Annex A.pdf', damaged],
    ['Annex B.pdf', damaged],
  ])
  expect(foundIn(warnings)).toBe('?found=repaired.1.2')
  const page = await admin.get(`/documents/${document.id}/people${foundIn(warnings)}`)
  expect(textOf(page)).toContain('Annex A.pdf, Annex B.pdf: It was damaged and has been repaired.')
  const one = await create([['Lease.pdf', damaged]])
  expect(foundIn(one.warnings)).toBe('?found=repaired')
  const alone = await admin.get(`/documents/${one.document.id}/people?found=repaired.7,made-up.0`)
  expect(textOf(alone)).toContain('About this PDF It was damaged')
})
