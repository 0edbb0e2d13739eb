/** The verifier's work is linear in the file, far below the limits of its child process. */
import { expect, test } from 'bun:test'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { catalog, document, formXObject, Kit, lastStartxref, streamOf, update, VALUE } from '../support/forged/document.ts'
import { verifyBytes } from '../support/written-report.ts'

const kit = new Kit()
const signers = certificatesOfPem(kit.trust.signers).map(readCertificate)

/** The child is killed after ten seconds; each of these files once took much longer. */
const MAX_CPU_MS = 7_000

function verify(bytes: Uint8Array) {
  const before = process.cpuUsage()
  const { verdict } = verifyBytes(bytes, signers)
  const { user, system } = process.cpuUsage(before)
  return { verdict, cpuMs: (user + system) / 1000 }
}

const metadata = (text: string): string => streamOf(text, '/Type /Metadata /Subtype /XML')

/** An update with one object stream full of unreferenced objects. */
function inOneStream(bytes: Buffer, count: number): Buffer {
  const first = 100
  const body = '<< /A 1 >> '
  const index = Array.from({ length: count }, (_, i) => `${first + i} ${i * body.length}`).join(' ')
  const stream = streamOf(`${index} ${body.repeat(count)}`, `/Type /ObjStm /N ${count} /First ${index.length + 1}`)
  const objects = `\n60 0 obj\n${stream}\nendobj\n`
  const at = bytes.length + objects.length
  const row = (kind: number, place: number) => Buffer.from([kind, ...[24, 16, 8, 0].map(shift => (place >> shift) & 0xff)])
  const rows = Buffer.concat([...Array.from({ length: count }, () => row(2, 60)), row(1, bytes.length + 1), row(1, at)])
  const head = `/Type /XRef /W [1 4 0] /Index [${first} ${count} 60 2] /Size ${first + count} /Root 1 0 R /Info 9 0 R`
  const section = streamOf(rows.toString('latin1'), `${head} /Prev ${lastStartxref(bytes)}`)
  return Buffer.concat([bytes, Buffer.from(`${objects}61 0 obj\n${section}\nendobj\nstartxref\n${at}\n%%EOF\n`, 'latin1')])
}

/** A structure of many elements, some of which get another child. */
function grownStructure(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, i) => 1000 + i)
  const element = (kids: string) => `<< /S /P /P 31 0 R /K ${kids} >>`
  const more = '/StructTreeRoot 30 0 R'
  const before = document({
    ...Object.fromEntries(numbers.map(number => [number, element('1')])),
    1: catalog({ fields: [7], more }),
    30: '<< /Type /StructTreeRoot /K 31 0 R >>',
    31: `<< /S /Document /P 30 0 R /K [${numbers.map(number => `${number} 0 R`).join(' ')}] >>`,
  })
  const grown = Object.fromEntries(numbers.slice(0, 1000).map(number => [number, element('[1 << /S /Span >>]')]))
  return update(kit.sign(before, { changes: { 1: catalog({ more }) } }), grown)
}

/** A form of many fields that readers redraw, all with one large appearance. */
function manyFields(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, i) => 1000 + i)
  const field = (name: number) => `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /Rect [0 0 9 9] /AP << /N 20 0 R >> >>`
  const form = '/NeedAppearances true'
  const before = document({
    ...Object.fromEntries(numbers.map(number => [number, field(number)])),
    1: catalog({ fields: [7, ...numbers], form }),
    20: formXObject(`/F1 9 Tf ${'[( ) -20] TJ '.repeat(18_000)}`),
  })
  const fields = [7, ...numbers, VALUE - 1]
  return update(kit.sign(before, { changes: { 1: catalog({ fields, form }) } }), { 1: catalog({ fields }) })
}

test.each([
  [
    'elements of the metadata that have no end',
    () => update(kit.sign(document({ 8: metadata('<dc:title>x</dc:title>') })), { 8: metadata('<dc:title>'.repeat(100_000)) }),
    'not-valid',
  ],
  [
    'many ends of revisions in one large object',
    () => kit.sign(document({ 20: `(${'startxref 5 %%EOF\n'.repeat(9_000)}${'x'.repeat(2_000_000)})` })),
    'valid',
  ],
  ['many objects of one object stream', () => inOneStream(kit.sign(), 20_000), 'valid'],
  ['many elements of the structure', () => grownStructure(60_000), 'valid'],
  ['many fields of one appearance', () => manyFields(2_000), 'valid'],
] as const)('%s cost no more than their size', (_, make, verdict) => {
  const found = verify(make())
  expect(found.verdict).toBe(verdict)
  expect(found.cpuMs).toBeLessThan(MAX_CPU_MS)
})
