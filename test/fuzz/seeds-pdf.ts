/** Seeds of PDFs: files of each style, signed ones, and streams that a PDF contains. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { PDFDocument } from 'pdf-lib'
import { prepare } from '../../src/evidence/prepare.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { localKey } from '../../src/pki/key.ts'
import { temporaryFolder } from '../support/folders.ts'
import type { Kit } from '../support/forged/document.ts'
import { document } from '../support/forged/document.ts'
import { TOLERATED, UNFORGED } from '../support/forged-files.ts'
import { makePdf, pdfOf } from '../support/make-pdf.ts'
import { EVIDENCE, fieldOn, RED_BOXES, SIGNATURE } from '../support/prepare-request.ts'
import { seal } from '../support/seal.ts'
import { formPdf, taggedPdf } from '../support/tagged-pdf.ts'
import { testAuthority } from '../support/test-pki.ts'
import { plainPdf } from '../verify/tiny-pdf.ts'
import type { Put } from './make-seeds.ts'

const CONTENT =
  'q 1 0 0 1 10 20 cm BT /F1 12 Tf 5 5 Td (Name: ______) Tj [(a) -120 (b)] TJ ET Q 0 0 m 9 9 l S BI /W 1 /H 1 ID x EI /X Do'
const FONT = { 50: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>' }
const FIELDS = {
  ...FONT,
  51: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (x) /DA (/F1 12 Tf 0 g) /F 4 /Rect [50 600 250 620] /P 3 0 R >>',
  52: '<< /Type /Annot /Subtype /Widget /FT /Btn /T (Tick) /AS /Off /F 4 /Rect [50 500 60 510] /AP << /N << /On 54 0 R >> >> >>',
  53: '<< /FT /Ch /Ff 131072 /T (Choice) /Opt [(a) [(b) (B)]] /V (a) /Kids [51 0 R] >>',
  54: { head: '/Type /XObject /Subtype /Form /BBox [0 0 10 10]', data: '0 0 10 10 re f' },
  55: '<< /S /URI /URI (https://example.com) >>',
  56: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A 55 0 R /Border [0 0 0] >>',
}
const FORM = '/AcroForm << /Fields [51 0 R 52 0 R 53 0 R] /DA (/F1 12 Tf) /DR << /Font << /F1 50 0 R >> >> >>'
const OUTLINE = '/Outlines << /First 57 0 R /Last 57 0 R /Count 1 >> /PageLabels << /Nums [0 << /S /r >>] >> /Lang (en)'
const CMAP =
  '/CIDInit /ProcSet findresource begin\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n2 beginbfchar\n<01> <0041>\n<02> <D83DDE00>\nendbfchar\n' +
  '2 beginbfrange\n<10> <20> <0061>\n<30> <32> [<0041> <0042> <0043>]\nendbfrange\n1 beginbfrange\n<0000> <ffff> <0000>\nendbfrange\nend'
const METADATA =
  '<?xpacket begin="" id="W5M0"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" pdf:Keywords="a &amp; b &#x41;"><dc:title><rdf:Alt>' +
  '<rdf:li xml:lang="x-default">Invoice</rdf:li></rdf:Alt></dc:title><!-- c --><dc:creator><![CDATA[Ada]]></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>'

function hybrid(): Buffer {
  const base = makePdf({ pages: [{ content: CONTENT }], style: 'stream', objects: FONT })
  return pdfOf({ objects: { 60: '<< /Title (x) >>' }, trailer: '/Info 60 0 R', style: 'table' }, base)
}

async function encrypted(): Promise<Buffer | undefined> {
  const folder = temporaryFolder()
  try {
    writeFileSync(join(folder, 'plain.pdf'), makePdf({ pages: [{ content: CONTENT }], objects: FONT }))
    const args = ['qpdf', '--encrypt', '', 'owner', '256', '--', 'plain.pdf', 'locked.pdf']
    const { exitCode } = Bun.spawnSync(args, { cwd: folder })
    return exitCode === 0 ? readFileSync(join(folder, 'locked.pdf')) : undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function plainSeeds(put: Put): Promise<void> {
  put('pdf', 'table.pdf', makePdf({ pages: [{ content: CONTENT, rotate: 90 }], objects: FONT }))
  put(
    'pdf',
    'stream.pdf',
    makePdf({ pages: [{ content: CONTENT }, { crop: [10, 10, 500, 700], userUnit: 2 }], style: 'stream', objects: FONT }),
  )
  put(
    'pdf',
    'form.pdf',
    makePdf({ pages: [{ more: '/Annots [51 0 R 52 0 R 56 0 R]', content: CONTENT }], objects: FIELDS, catalog: FORM }),
  )
  put('pdf', 'outline.pdf', makePdf({ catalog: OUTLINE, objects: { 57: '<< /Title (A) /Dest [3 0 R /Fit] /Parent 1 0 R >>' } }))
  put('pdf', 'hybrid.pdf', hybrid())
  put('pdf', 'object-streams.pdf', await plainPdf({ pages: 2, objectStreams: true }))
  put(
    'pdf',
    'script.pdf',
    makePdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AA << /WC 50 0 R >>', objects: FONT }),
  )
  const packed = deflateSync(CONTENT)
  put('pdf', 'packed.pdf', makePdf({ objects: { 4: { head: '/Filter /FlateDecode', data: packed }, ...FONT } }))
  put('pdf', 'tags.pdf', await taggedPdf([{ text: '{{signature:ada}} {{date:ada}}', x: 72, y: 700 }]))
  put('pdf', 'fields.pdf', await formPdf())
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([300, 300])
  page.drawText('Signature: ____________   Date: ______', { x: 20, y: 100, size: 12 })
  document.getForm().createTextField('name').addToPage(page)
  put('pdf', 'library.pdf', await document.save())
  const locked = await encrypted()
  if (locked) put('pdf', 'locked.pdf', locked)
}

async function ownSeal(put: Put): Promise<void> {
  const folder = temporaryFolder()
  const [sourcePath, outPath] = [join(folder, 'a.pdf'), join(folder, 'b.pdf')]
  writeFileSync(sourcePath, makePdf({ pages: [{ content: CONTENT }], objects: FONT }))
  const authority = await testAuthority('ec-p256', { now: new Date('2026-11-01T00:00:00Z') })
  const signature = { ...SIGNATURE, at: '2026-11-20T05:06:07Z', contentsBytes: 2500 }
  const prepared = await prepare({ sourcePath, outPath, fields: [fieldOn(1)], evidence: EVIDENCE, signature }, RED_BOXES)
  await seal({
    prepared,
    key: localKey({ leaf: authority.leaf, issuers: [authority.root.certificateDer] }, THIS_MACHINE.threads),
  })
  put('sealed', 'own.pdf', readFileSync(outPath))
  put('besides', 'seal-root.pem', authority.rootPem)
  rmSync(folder, { recursive: true })
}

/** Of the tolerated files, so many: each is a signed file with another kind of update. */
const TOLERATED_COUNT = 10

export async function pdfSeeds(put: Put, kit: Kit): Promise<void> {
  await plainSeeds(put)
  await ownSeal(put)
  put('sealed', 'kit.pdf', kit.sign())
  put('sealed', 'kit-stamped.pdf', kit.stamp(kit.sign()))
  put('sealed', 'kit-twice.pdf', kit.sign(kit.sign(), { field: 18, name: 'Second' }))
  put('pdf', 'kit-unsigned.pdf', document())
  const step = Math.ceil(TOLERATED.length / TOLERATED_COUNT)
  const usual = [...UNFORGED, ...TOLERATED.filter((_, i) => i % step === 0)].filter(({ trust }) => trust === undefined)
  usual.forEach((one, i) => {
    const bytes = one.make(kit)
    if (bytes.length < 40_000) put('sealed', `changed-${String(i).padStart(2, '0')}.pdf`, bytes)
  })
  put('content', 'usual', CONTENT)
  put('content', 'nested', 'q q q BT (a(b)c\\051) Tj <414243> Tj ET Q Q /MC BMC /P << /MCID 1 >> BDC EMC EMC sh 1 0 0 rg W n')
  put('to-unicode', 'usual', CMAP)
  put(
    'to-unicode',
    'wide',
    'beginbfrange <000000000000> <ffffffffffff> <0041> endbfrange beginbfchar <0001> <0042> <0001> <0043> endbfchar',
  )
  put('xmp', 'usual', METADATA)
  put('filters', 'flate', Buffer.concat([Buffer.of(1), deflateSync(CONTENT.repeat(3))]))
  put('filters', 'lzw', Buffer.concat([Buffer.of(2), Buffer.from('800b6050220c0c8501', 'hex')]))
  put('filters', 'base85', `\u0003<~87cURD]i,"Ebo80~>`)
  put('filters', 'hexadecimal', '\u000441 42 4>')
  put('filters', 'run-length', Buffer.from([5, 2, 65, 66, 67, 254, 68, 128]))
}
