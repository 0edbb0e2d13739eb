/** After a seal, only validation data is allowed; every other change is reported. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { ValidationData } from '../../../src/pades/validation-data.ts'
import { issueRevocationList } from '../../../src/pki/issue.ts'
import { material, SOURCES, workshop } from '../../support/archived.ts'
import { useFolder } from '../../support/folders.ts'
import { makePdf, pdfOf } from '../../support/make-pdf.ts'
import { SEAL_TIME, sharedAuthority } from '../../support/test-pki.ts'
import { dssUpdate, opened, STREAM, streamOf, withEntry, withField } from '../appended.ts'
import { allReasons, expectRefused, reportByShared } from '../reports.ts'
import { plainPdf, sealTiny, type TinySealOptions, withRevision } from '../tiny-pdf.ts'

const folder = useFolder()
const { sealedFile, withMaterial } = workshop(() => folder)

const reportOf = (bytes: Uint8Array) => reportByShared(bytes)

/** A small sealed file and what an update of it needs. */
async function sealed(order: Partial<TinySealOptions> = {}) {
  const { key, root } = await sharedAuthority()
  const bytes = await sealTiny({ base: await plainPdf(), key, contentsBytes: 1600, ...order })
  const file = opened(bytes)
  return { ...file, field: file.size - 2, certificate: root.certificateDer }
}

type Sealed = Awaited<ReturnType<typeof sealed>>

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The material for the seal's certificate: its chain and a revocation list. */
async function ours(): Promise<ValidationData> {
  const { root, leaf } = await sharedAuthority()
  const list = issueRevocationList({ root, thisUpdate: SEAL_TIME, nextUpdate: new Date('2031-04-04'), number: 1, revoked: [] })
  return { certificates: [root, leaf].map(one => base64(one.certificateDer)), ocspResponses: [], revocationLists: [base64(list)] }
}

describe('validation data after a seal', () => {
  test.each(SOURCES)('is listed and leaves a file over %s valid', async (_, source) => {
    const path = await withMaterial(await sealedFile(source()), await ours())
    const bytes = readFileSync(path)
    const report = await reportOf(bytes)
    expect(allReasons(report)).toBe('')
    expect(report.verdict).toBe('valid')
    expect(report.signatures).toMatchObject([
      { kind: 'signature', coversWholeFile: false, level: 'B-B', time: { timestamp: undefined } },
    ])
    expect(report.additions).toEqual([
      expect.stringMatching(/^Revision \d+ added validation data \(DSS\): 2 certificates, 1 revocation list\.$/),
    ])
  })

  test('may be added twice, and both are listed', async () => {
    const all = await ours()
    const once = await withMaterial(await sealedFile(makePdf()), { ...all, revocationLists: [] })
    const report = await reportOf(readFileSync(await withMaterial(once, all)))
    expect(report).toMatchObject({ verdict: 'valid', reasons: [] })
    expect(report.additions).toHaveLength(2)
    expect(report.additions[1]).toEndWith('(DSS): 1 revocation list.')
  })

  test('written by hand into one update is valid, so that the refusals below have their own reasons', async () => {
    const file = await sealed()
    expect(await reportOf(withRevision(file.bytes, dssUpdate(file)))).toMatchObject({ verdict: 'valid', reasons: [] })
  })
})

test.each<[string, string[][], string]>([
  ['certificate', [['a'], [], []], 'an object that is not a valid certificate'],
  ['revocation list', [[], [], ['a']], 'an object that is not a valid revocation list'],
])('a DSS with an invalid %s is refused', async (_, objects, reason) => {
  const path = await withMaterial(await sealedFile(makePdf()), material(...objects))
  const report = await reportOf(readFileSync(path))
  expect(report).toMatchObject({ verdict: 'not-valid', signatures: [{ reasons: [] }] })
  expect(allReasons(report)).toContain(reason)
})

test('a DSS with a certificate by an unknown issuer is refused', async () => {
  const { leaf } = await sharedAuthority('ec-p256', 'theirs')
  const path = await withMaterial(await sealedFile(makePdf()), { ...material([]), certificates: [base64(leaf.certificateDer)] })
  expect(allReasons(await reportOf(readFileSync(path)))).toContain('which no known certificate has signed')
})

describe('an update with validation data is refused when it', () => {
  type Change = (objects: Map<number, string>, file: Sealed) => void
  const page = ({ parent }: Sealed, more = '') =>
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 200 100] /Resources << >> ${more} >>`
  const changes: [what: string, change: Change, reason: RegExp][] = [
    ['changes a page', (o, f) => o.set(f.page, page(f, '/UserUnit 2')), /page 1 \(object \d+\) was changed: .*\/UserUnit/],
    [
      'gives a page another content',
      (o, f) => o.set(f.page, page(f, `/Contents ${f.size + 2} 0 R`)).set(f.size + 2, STREAM),
      /page 1 .*\/Contents[\s\S]*the content of page 1 \(object \d+\) was added/,
    ],
    [
      'adds an annotation',
      (o, f) =>
        o
          .set(f.page, page(f, `/Annots [${f.size + 2} 0 R]`))
          .set(f.size + 2, '<< /Type /Annot /Subtype /FreeText /Rect [0 0 99 99] /Contents (x) >>'),
      /page 1 .*\/Annots[\s\S]*an annotation of page 1/,
    ],
    [
      'swaps the page tree',
      (o, f) => o.set(f.root, (o.get(f.root) ?? '').replace(/\/Pages \d+ 0 R/, `/Pages ${f.field} 0 R`)),
      /different \/Pages/,
    ],
    [
      'adds an action to the catalog',
      (o, f) => o.set(f.root, withEntry(o.get(f.root) ?? '', '/OpenAction << /S /Named /N /NextPage >>')),
      /different \/OpenAction/,
    ],
    [
      'takes the permissions away',
      (o, f) => o.set(f.root, (o.get(f.root) ?? '').replace(/\/Perms <<.*?>>/, '')),
      /different \/Perms/,
    ],
    [
      'changes a form value',
      (o, f) =>
        o.set(
          f.field,
          (/(<<[\s\S]*?>>)/.exec(f.bytes.toString('latin1').split(`\n${f.field} 0 obj\n`)[1] ?? '')?.[1] ?? '').replace(
            '/F 132',
            '/F 4',
          ),
        ),
      /the form field "Seal" .*was changed: \/F/,
    ],
    ['adds an unreferenced object', (o, f) => o.set(f.size + 2, '(nothing)'), /object \d+ was added/],
    [
      'refers to objects from a key of the DSS that every JavaScript object has',
      (o, f) => o.set(f.size, `<< /Certs [${f.size + 1} 0 R] /constructor [${f.size + 2} 0 R] >>`).set(f.size + 2, STREAM),
      /the \/DSS has the key \/constructor/,
    ],
    [
      'refers from the DSS to a page',
      (o, f) => o.set(f.size, `<< /Certs [${f.size + 1} 0 R] /Own ${f.page} 0 R >>`),
      /refers to unexpected objects/,
    ],
    ['has a DSS entry that is not a stream', (o, f) => o.set(f.size + 1, '<< /Type /Page >>'), /not a plain stream|was added/],
    [
      'has a stream with references',
      (o, f) => o.set(f.size + 1, STREAM.replace('/Length', `/Own ${f.page} 0 R /Length`)),
      /is not a plain stream/,
    ],
    ['has two /DSS', (o, f) => o.set(f.root, withEntry(o.get(f.root) ?? '', `/DSS ${f.page} 0 R`)), /the key \/DSS twice/],
    [
      'takes a field out of the form',
      (o, f) => o.set(f.root, (o.get(f.root) ?? '').replace(/\/Fields \[.*?\]/, '/Fields []')),
      /holds no signature/,
    ],
    [
      'changes an entry of the form',
      (o, f) => o.set(f.root, (o.get(f.root) ?? '').replace('/SigFlags 3', '/SigFlags 3 /NeedAppearances true')),
      /different \/NeedAppearances/,
    ],
    [
      'adds a text field',
      (o, f) => o.set(f.root, withField(o.get(f.root) ?? '', f.size + 2)).set(f.size + 2, '<< /FT /Tx /T (amount) /V (900) >>'),
      /is not a signature field/,
    ],
  ]
  test.each(changes)('%s', async (_, change, reason) => {
    const file = await sealed()
    const objects = dssUpdate(file)
    change(objects, file)
    const report = await reportOf(withRevision(file.bytes, objects))
    expectRefused(report, reason)
    expect(report.additions).toEqual([])
  })

  test('changes the catalog in the trailer', async () => {
    const file = await sealed()
    const objects = dssUpdate(file)
    objects.set(file.size + 2, objects.get(file.root) ?? '')
    objects.delete(file.root)
    const bytes = withRevision(file.bytes, objects)
    const at = bytes.lastIndexOf(`/Root ${file.root} 0 R`)
    bytes.write(`/Root ${file.size + 2} 0 R`.padEnd(`/Root ${file.root} 0 R`.length), at, 'latin1')
    expectRefused(await reportOf(bytes), 'the trailer names a different catalog')
  })
})

describe('a file that was prepared for a forgery is refused after the update', () => {
  /** A sealed document whose page refers to `extra`, after an update that exploits it. */
  async function forged(document: Parameters<typeof makePdf>[0], forge: (file: Sealed) => Map<number, string>) {
    const file = await sealed({ base: makePdf(document) })
    expect(await reportOf(file.bytes)).toMatchObject({ verdict: 'valid' })
    const report = await reportOf(withRevision(file.bytes, forge(file)))
    expect(report.verdict).toBe('not-valid')
    return allReasons(report)
  }

  test('a page that refers to an unused number', async () => {
    const reasons = await forged({ pages: [{ more: '/Annots [9 0 R]' }] }, file => {
      const objects = dssUpdate(file)
      objects.set(file.size, `<< /Certs [9 0 R] >>`).set(9, STREAM)
      objects.delete(file.size + 1)
      return objects
    })
    expect(reasons).toMatch(/object 9 was added, to which|object 9\) was added/)
  })

  /** The DSS is in the seal's own catalog, so that it is signed. */
  const withSignedStore = (store: string): Partial<TinySealOptions> => ({
    objects: objects => {
      const [root = 0] = objects.keys()
      objects.set(root, withEntry(objects.get(root) ?? '', `/DSS << ${store} >>`))
    },
  })

  test('a page that refers to the number of the update’s cross-reference stream', async () => {
    const updated = async (number: number) => {
      const file = await sealed({ base: makePdf({ pages: [{ more: `/Annots [${number} 0 R]` }] }) })
      const objects = Object.fromEntries(dssUpdate(file))
      return reportOf(pdfOf({ objects, root: file.root, style: 'stream' }, file.bytes))
    }
    // The cross-reference stream has the number 100.
    expect(allReasons(await updated(900))).toBe('')
    expectRefused(await updated(100), 'object 100 was added, to which the signed revision already referred')
  })

  test('a page whose content is also a certificate of the DSS', async () => {
    const { root } = await sharedAuthority()
    const content = Buffer.from(root.certificateDer).toString('latin1')
    const file = await sealed({ base: makePdf({ pages: [{ content }] }), ...withSignedStore('/Certs [4 0 R]') })
    expect(allReasons(await reportOf(file.bytes))).toBe('')
    expectRefused(
      await reportOf(withRevision(file.bytes, new Map([[4, streamOf(root.certificateDer)]]))),
      'the content of page 1 (object 4)',
    )
  })

  test('a list of annotations that is also a list of the DSS', async () => {
    const base = makePdf({ pages: [{ more: '/Annots 60 0 R' }], objects: { 60: '[]' } })
    const file = await sealed({ base, ...withSignedStore('/Certs 60 0 R') })
    expect(allReasons(await reportOf(file.bytes))).toBe('')
    const objects = new Map([
      [60, `[${file.size} 0 R]`],
      [file.size, streamOf(file.certificate)],
    ])
    expectRefused(await reportOf(withRevision(file.bytes, objects)), 'the annotations of page 1 (object 60) was replaced')
    // A list of the DSS that no page uses may be replaced.
    const plain = await sealed({ base: makePdf({ objects: { 60: '[]' } }), ...withSignedStore('/Certs 60 0 R') })
    const update = new Map([
      [60, `[${plain.size} 0 R]`],
      [plain.size, streamOf(plain.certificate)],
    ] as const)
    expect(allReasons(await reportOf(withRevision(plain.bytes, update)))).toBe('')
  })

  test('an object that was removed and is added again', async () => {
    const file = await sealed({ base: makePdf({ objects: { 60: '(old)' } }) })
    const update = withRevision(file.bytes, new Map([[60, '(new)'], ...dssUpdate(file)]))
    expect(allReasons(await reportOf(update))).toContain('object 60 was replaced')
  })

  test('a number whose object had been removed', async () => {
    const base = makePdf({ objects: { 60: '(gone)' } })
    const row = `${String(base.indexOf('60 0 obj')).padStart(10, '0')} 00000 n`
    const file = await sealed({ base: Buffer.from(base.toString('latin1').replace(row, '0000000000 00000 f'), 'latin1') })
    expect(await reportOf(file.bytes)).toMatchObject({ verdict: 'valid' })
    const objects = dssUpdate(file).set(file.size, '<< /Type /DSS /Certs [60 0 R] >>').set(60, streamOf(file.certificate))
    objects.delete(file.size + 1)
    expectRefused(await reportOf(withRevision(file.bytes, objects)), 'object 60 was added with the number of a removed object')
  })

  test('a stream without an end before the seal', async () => {
    // The last object of the upload: its data continues through all appended bytes.
    const open = '60 0 obj\n<< /Length 99999 >>\nstream\nfrom here on'
    const base = makePdf()
    const at = base.lastIndexOf('xref\n0 1')
    const xref = base.subarray(at).toString('latin1')
    const moved = xref
      .replace(/trailer/, `60 1\n${String(at).padStart(10, '0')} 00000 n\r\ntrailer`)
      .replace(/\/Size \d+/, '/Size 61')
      .replace(/startxref\n\d+/, `startxref\n${at + open.length + 1}`)
    const file = await sealed({ base: Buffer.concat([base.subarray(0, at), Buffer.from(`${open}\n${moved}`, 'latin1')]) })
    expect(await reportOf(file.bytes)).toMatchObject({ verdict: 'valid' })
    expectRefused(await reportOf(withRevision(file.bytes, dssUpdate(file))), 'object 60 has no end in the signed revision')
  })

  test('a cross-reference to bytes after the end of the file', async () => {
    const base = makePdf({ objects: { 60: '(here)' } })
    const row = `${String(base.indexOf('60 0 obj')).padStart(10, '0')} 00000 n`
    const text = base.toString('latin1').replace(row, `${'0000009000'} 00000 n`)
    const file = await sealed({ base: Buffer.from(text, 'latin1') })
    expect(await reportOf(file.bytes)).toMatchObject({ verdict: 'valid' })
    const objects = dssUpdate(file)
    const plain = withRevision(file.bytes, objects)
    const before = plain.indexOf(`${file.size + 1} 0 obj`, file.bytes.length)
    // Padding in the DSS puts an object at the place in the old cross-reference.
    const lead = `<< /Length 99999 >>\nstream\n`
    const data = `${' '.repeat(9000 - before - `${file.size + 1} 0 obj\n`.length - lead.length)}60 0 obj\n(there)\nendobj\n`
    objects.set(file.size + 1, `<< /Length ${String(data.length).padStart(5)} >>\nstream\n${data}\nendstream`)
    expectRefused(
      await reportOf(withRevision(file.bytes, objects)),
      'object 60, which could not be read in the signed revision, can be read now',
    )
  })
})

describe('an update with an unusual layout is refused if it', () => {
  const cases: [what: string, spoil: (update: Buffer, file: Sealed) => Buffer, reason: string][] = [
    [
      'has bytes after its end',
      update => Buffer.concat([update, Buffer.from('x')]),
      'is not a valid update: it contains something that is not an object',
    ],
    [
      'has another line after its end',
      update => Buffer.concat([update, Buffer.from('\n')]),
      'not a valid update: white space follows',
    ],
    [
      'has a comment',
      (update, { bytes }) => Buffer.concat([bytes, Buffer.from('%'), update.subarray(bytes.length + 1)]),
      'is not a valid update',
    ],
  ]
  test.each(cases)('%s', async (_, spoil, reason) => {
    const file = await sealed()
    expectRefused(await reportOf(spoil(withRevision(file.bytes, dssUpdate(file)), file)), reason)
  })

  test('hides an object from the cross-reference', async () => {
    const file = await sealed()
    const objects = dssUpdate(file)
    objects.set(file.size + 1, `${STREAM}\nendobj\n97 0 obj\n(hidden)`)
    expectRefused(await reportOf(withRevision(file.bytes, objects)), 'object 97, to which its cross-reference does not refer')
  })

  test('does not continue the signed revision', async () => {
    const base = pdfOf({ objects: { 70: '(second)' } }, makePdf())
    const file = await sealed({ base })
    const bytes = withRevision(file.bytes, dssUpdate(file))
    const at = bytes.lastIndexOf('/Prev ')
    const was = /\/Prev \d+/.exec(bytes.subarray(at).toString('latin1'))?.[0] ?? ''
    bytes.write(`/Prev ${/startxref\s+(\d+)/.exec(base.toString('latin1'))?.[1]}`.padEnd(was.length), at, 'latin1')
    expectRefused(await reportOf(bytes), /does not continue the one before|holds no signature/)
  })

  test('is hybrid, so that PDF readers could see different objects', async () => {
    const file = await sealed()
    const hidden = '<< /Type /XRef /Size 1 /W [1 4 0] /Index [0 0] /Length 0 >>\nstream\n\nendstream'
    const objects = dssUpdate(file).set(file.size + 2, hidden)
    const plain = withRevision(file.bytes, objects, '/XRefStm 0000000000 ')
    const at = String(plain.indexOf(`${file.size + 2} 0 obj`, file.bytes.length)).padStart(10, '0')
    expectRefused(await reportOf(withRevision(file.bytes, objects, `/XRefStm ${at} `)), 'it has a hybrid cross-reference')
  })
})

test('a seal by Signet over active content is refused', async () => {
  const file = await sealed({
    objects: objects => {
      const [root = 0] = objects.keys()
      objects.set(root, withEntry(objects.get(root) ?? '', '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'))
    },
  })
  const report = await reportOf(file.bytes)
  expect(report).toMatchObject({ verdict: 'not-valid', signatures: [{ reasons: [], integrity: 'intact' }] })
  expect(report.reasons).toEqual([
    'The document contains active content (open action, javascript), which no file sealed by Signet has.',
  ])
})
