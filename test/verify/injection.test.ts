/** PDF syntax in people's input stays text in every string that a seal writes. */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PrepareRequest } from '../../src/evidence/prepare.ts'
import { prepare } from '../../src/evidence/prepare.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { findActiveContent } from '../../src/pdf/inspect/active-content.ts'
import { openForUpdate } from '../../src/pdf/inspect/open-for-update.ts'
import { findSignatureFields } from '../../src/pdf/parser/signature-fields.ts'
import { useFolder } from '../support/folders.ts'
import { makePdf } from '../support/make-pdf.ts'
import { EVIDENCE, SIGNATURE } from '../support/prepare-request.ts'
import { seal } from '../support/seal.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyFile } from '../support/written-report.ts'

const folder = useFolder()
let count = 0

const HOSTILE = [
  ') >> /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /X (',
  '> /AA << /WC << /S /JavaScript /JS <61> >> >> /Y <',
  '\\) /Launch (\\',
  'x\nendstream\nendobj\n1 0 obj\n<< /Type /Catalog /OpenAction 9 0 R >>\nendobj\n',
  'trailer\n<< /Root 9 0 R >>\nstartxref\n0\n%%EOF\n',
  ']] /ByteRange [0 1 2 3] /Contents <00> [[',
  'Tj ET Q /Fm9 Do BT (',
  '\ufeff\u202e\u0000\u001b[2K\ud800 株式会社 \u0085',
  '0000000000 65535 f',
]

async function sealAndVerify(change: (text: string) => Partial<PrepareRequest>, text: string, source = makePdf()) {
  const authority = await sharedAuthority()
  const [sourcePath, outPath] = [join(folder, `source-${++count}.pdf`), join(folder, `sealed-${count}.pdf`)]
  writeFileSync(sourcePath, source)
  const prepared = await prepare(
    { sourcePath, outPath, fields: [], evidence: EVIDENCE, signature: SIGNATURE, ...change(text) },
    THIS_MACHINE,
  )
  await seal({ prepared, key: authority.key })
  const report = await verifyFile({ path: outPath, trust: [authority.rootPem], originalPath: sourcePath })
  return { report, bytes: readFileSync(outPath) }
}

const fields: [what: string, change: (text: string) => Partial<PrepareRequest>][] = [
  ['the name', name => ({ signature: { ...SIGNATURE, name } })],
  ['the reason', reason => ({ signature: { ...SIGNATURE, reason } })],
  ['the location', location => ({ signature: { ...SIGNATURE, location } })],
  [
    'the title and the file name',
    text => ({ evidence: { ...EVIDENCE, document: { ...EVIDENCE.document, title: text, fileName: text } } }),
  ],
  [
    'the organisation and its contact',
    text => ({ evidence: { ...EVIDENCE, organisation: text, contact: text, software: text } }),
  ],
  [
    'events',
    text => ({
      evidence: {
        ...EVIDENCE,
        events: [
          {
            at: SIGNATURE.at,
            kind: 'document.declined',
            who: { kind: 'recipient', name: text },
            concernedRecipientName: text,
            newPerson: text,
            reason: text,
            ip: '203.0.113.1',
          },
        ],
      },
    }),
  ],
  ['a mark', text => ({ fields: [{ page: 1, box: { x: 10, y: 10, width: 60, height: 5 }, content: { kind: 'text', text } }] })],
]

describe.each(fields)('PDF syntax in %s', (_, change) => {
  test.each(HOSTILE)('%j', async text => {
    const { report, bytes } = await sealAndVerify(change, text)
    if (report.verdict === 'unreadable') throw new Error(report.reason)
    expect([...report.reasons, ...report.signatures.flatMap(one => one.reasons)]).toEqual([])
    expect(report).toMatchObject({
      verdict: 'valid',
      revisions: 2,
      additions: [],
      signatures: [{ field: 'Seal', coversWholeFile: true }],
    })
    const { file, catalog, pages } = openForUpdate(bytes)
    expect(findActiveContent(file, catalog.dictionary, pages).kinds.size).toBe(0)
    if (catalog.dictionary.value.kind !== 'dictionary') throw new Error('no catalog')
    expect(findSignatureFields(file, catalog.dictionary.value)).toHaveLength(1)
    expect([...catalog.dictionary.value.entries.keys()].filter(key => key === 'OpenAction' || key === 'AA')).toEqual([])
    const written = bytes.subarray(makePdf().length).toString('latin1')
    expect(written.match(/%%EOF/g)).toHaveLength(1)
    expect(written).not.toMatch(/\/OpenAction|\/Launch|\/JavaScript/)
  })
})

describe('a /ByteRange of no signature, in an object that the seal writes again, leaves the seal valid', () => {
  const RANGE = '/ByteRange [0 1 2 3]'
  const tree = `<< /Type /Pages /Count 1 /Kids [3 0 R] ${RANGE} >>`
  test.each([
    ['the catalog', { catalog: RANGE }],
    ['the form', { catalog: '/AcroForm 50 0 R', objects: { 50: `<< /Fields [] ${RANGE} >>` } }],
    ['the page tree', { objects: { 2: tree } }],
    ['a page', { pages: [{ more: RANGE }] }],
  ])('%s', async (_, parts) => {
    const { report } = await sealAndVerify(() => ({}), '', makePdf(parts))
    expect(report).toMatchObject({ verdict: 'valid', reasons: [] })
  })
})
