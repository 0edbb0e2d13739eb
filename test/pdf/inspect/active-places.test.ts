/**
 * Every kind of active content in every place: removed from the prepared file with a warning, or
 * refused.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../../../src/evidence/prepare.ts'
import { inspect } from '../../../src/pdf/inspect/inspect.ts'
import { useFolder } from '../../support/folders.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { EVIDENCE, RED_BOXES, SIGNATURE } from '../../support/prepare-request.ts'
import { hasQpdf, run } from '../../verify/tools.ts'

const folder = useFolder()
let count = 0

type Document = NonNullable<Parameters<typeof makePdf>[0]>

const LINK = '/Type /Annot /Subtype /Link /Rect [0 0 9 9]'

/** Places of actions, each beside content that must stay. */
const PLACES: Readonly<Record<string, (action: string) => Document>> = {
  'the opening of the document': action => ({ catalog: `/OpenAction ${action} /Lang (kept)` }),
  'the opening, by reference': action => ({ catalog: '/OpenAction 50 0 R /Lang (kept)', objects: { 50: action } }),
  'an event of the document': action => ({ catalog: `/AA << /WC ${action} >> /Lang (kept)` }),
  'an event of a page': action => ({ pages: [{ more: `/AA << /O ${action} >> /Lang (kept)` }] }),
  'an annotation in its page': action => ({ pages: [{ more: `/Annots [<< ${LINK} /Contents (kept) /A ${action} >>]` }] }),
  'an annotation of its own': action => ({
    pages: [{ more: '/Annots 51 0 R' }],
    objects: { 50: `<< ${LINK} /Contents (kept) /A ${action} >>`, 51: '[50 0 R]' },
  }),
  'the former address of a link': action => ({ pages: [{ more: `/Annots [<< ${LINK} /Contents (kept) /PA ${action} >>]` }] }),
  'an event of an annotation': action => ({
    pages: [{ more: `/Annots [<< ${LINK} /Contents (kept) /AA << /E ${action} >> >>]` }],
  }),
  'what follows a harmless action': action => ({
    pages: [
      {
        more: `/Annots [<< ${LINK} /Contents (kept) /A << /S /GoTo /D [3 0 R /Fit] /Next [<< /S /Named /N /NextPage /Next ${action} >>] >> >>]`,
      },
    ],
  }),
  'a field': action => ({
    catalog: '/AcroForm << /Fields [50 0 R] >>',
    objects: { 50: `<< /FT /Btn /T (b) /TU (kept) /AA << /K ${action} >> >>` },
  }),
  'a kid without a name': action => ({
    catalog: '/AcroForm << /Fields [50 0 R] >>',
    objects: { 50: '<< /FT /Btn /T (b) /Kids [51 0 R] >>', 51: `<< /Parent 50 0 R /TU (kept) /A ${action} >>` },
  }),
  'a field above a widget that the form does not list': action => ({
    pages: [{ more: '/Annots [50 0 R]' }],
    objects: {
      50: '<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /FT /Btn /Parent 51 0 R >>',
      51: `<< /Kids [50 0 R] /T (b) /Parent 52 0 R >>`,
      52: `<< /Kids [51 0 R] /T (c) /TU (kept) /AA << /K ${action} >> >>`,
    },
  }),
  'a pop-up that the page does not list': action => ({
    pages: [{ more: '/Annots [50 0 R]' }],
    objects: {
      50: '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Popup 51 0 R >>',
      51: `<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Parent 50 0 R /Contents (kept) /A ${action} >>`,
    },
  }),
  'a step within a page': action => ({ pages: [{ more: `/PresSteps << /Type /NavNode /NA ${action} >> /Lang (kept)` }] }),
  'a bookmark below another': action => ({
    catalog: '/Outlines 50 0 R',
    objects: {
      50: '<< /First 51 0 R /Last 51 0 R /Count 1 >>',
      51: '<< /Title (One) /Parent 50 0 R /First 52 0 R /Last 52 0 R /Count 1 >>',
      52: `<< /Title (kept) /Parent 51 0 R /A ${action} >>`,
    },
  }),
}

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

/** Each action with the code of its warning and the text that must be gone. */
const ACTIONS: Readonly<Record<string, { code: string; action: string; gone: string }>> = {
  JavaScript: { code: 'javascript', action: SCRIPT, gone: '/JavaScript' },
  'JavaScript in disguise': { code: 'javascript', action: '<< /#53 /Java#53cript /J#53 (x) >>', gone: '/JavaScript' },
  Launch: { code: 'launch', action: '<< /S /Launch /F (calc.exe) >>', gone: '/Launch' },
  SubmitForm: { code: 'submit_form', action: '<< /S /SubmitForm /F (http://x) >>', gone: '/SubmitForm' },
  ImportData: { code: 'import_data', action: '<< /S /ImportData /F (x.fdf) >>', gone: '/ImportData' },
  GoToR: { code: 'external_document', action: '<< /S /GoToR /F (x.pdf) /D [0 /Fit] >>', gone: '/GoToR' },
  GoToE: { code: 'external_document', action: '<< /S /GoToE /T << /R /C /N (x) >> /D [0 /Fit] >>', gone: '/GoToE' },
  Thread: { code: 'external_document', action: '<< /S /Thread /F (x.pdf) /D 0 >>', gone: '/Thread' },
  Rendition: { code: 'media_action', action: '<< /S /Rendition /OP 0 /JS (x) >>', gone: '/Rendition' },
  Movie: { code: 'media_action', action: '<< /S /Movie /Operation /Play >>', gone: '/Movie' },
  Sound: { code: 'media_action', action: '<< /S /Sound >>', gone: '/Sound' },
  RichMediaExecute: { code: 'media_action', action: '<< /S /RichMediaExecute >>', gone: '/RichMediaExecute' },
  'an unknown action': { code: 'other_action', action: '<< /S /Explode >>', gone: '/Explode' },
  'an unsafe address': { code: 'unsafe_link', action: '<< /S /URI /URI (file:///etc/passwd) >>', gone: 'file:///etc' },
  'an address that is a script': { code: 'unsafe_link', action: '<< /S /URI /URI (javascript:x) >>', gone: 'javascript:' },
}

interface Outcome {
  codes: string[]
  isPrefix: boolean
  /** All reachable objects, according to qpdf. */
  reachable: string
}

/** qpdf writes only objects that the trailer reaches. */
function reachableOf(path: string): string {
  const out = `${path}.plain`
  const written = run(['qpdf', '--static-id', '--qdf', '--object-streams=disable', path, out])
  if (written.code !== 0 && written.code !== 3) throw new Error(written.text)
  return readFileSync(out).toString('latin1')
}

async function outcomeOf(document: Document): Promise<Outcome | 'refused'> {
  const source = makePdf(document)
  const [path, outPath] = [join(folder, `upload-${++count}.pdf`), join(folder, `prepared-${count}.pdf`)]
  writeFileSync(path, source)
  const inspection = await inspect({ path, canonicalPath: join(folder, 'canonical.pdf'), maxPages: 10 })
  if (inspection.verdict === 'refused') return 'refused'
  expect(inspection.rewritten).toBe(false)
  await prepare({ sourcePath: path, outPath, fields: [], evidence: EVIDENCE, signature: SIGNATURE }, RED_BOXES)
  const isPrefix = readFileSync(outPath).subarray(0, source.length).equals(source)
  return { codes: inspection.warnings.map(({ code }) => code), isPrefix, reachable: reachableOf(outPath) }
}

describe.skipIf(!hasQpdf)('an action', () => {
  for (const [name, { code, action, gone }] of Object.entries(ACTIONS)) {
    test(`${name} is removed with a warning in every place, and other content stays`, async () => {
      for (const [place, document] of Object.entries(PLACES)) {
        const outcome = await outcomeOf(document(action))
        if (outcome === 'refused') throw new Error(`${place}: refused`)
        const { codes, isPrefix, reachable } = outcome
        const isReported = place === 'a step within a page' ? codes.includes('additional_actions') : codes.includes(code)
        const left = { place, isPrefix, isReported, isThere: reachable.includes(gone), isKept: reachable.includes('(kept)') }
        expect(left).toEqual({ place, isPrefix: true, isReported: true, isThere: false, isKept: true })
      }
    }, 60_000)
  }
})

const FILE = '<< /Type /Filespec /F (x.exe) /EF << /F 60 0 R >> >>'
const EMBEDDED = { 60: { head: '/Type /EmbeddedFile', data: 'CANARY' } }
const TREE = { ...EMBEDDED, 61: '<< /Kids [62 0 R] >>', 62: `<< /Limits [(a) (a)] /Names [(a) ${FILE}] >>` }
const annotation = (text: string, objects: Document['objects'] = EMBEDDED): Document => ({
  pages: [{ more: `/Annots [<< /Type /Annot /Rect [0 0 9 9] /Contents (kept) ${text} >>]` }],
  objects,
})

/** Attachments and media, with the code of the warning. */
const CARGO: readonly [what: string, code: string, document: Document][] = [
  [
    'scripts by name, in a tree',
    'javascript',
    {
      catalog: '/Names << /JavaScript 61 0 R >> /Lang (kept)',
      objects: { 61: '<< /Kids [62 0 R] >>', 62: '<< /Names [(a) << /S /JavaScript /JS (CANARY) >>] >>' },
    },
  ],
  ['embedded files in a tree', 'embedded_files', { catalog: '/Names << /EmbeddedFiles 61 0 R >> /Lang (kept)', objects: TREE }],
  ['renditions in a tree', 'rich_media', { catalog: '/Names << /Renditions 61 0 R >> /Lang (kept)', objects: TREE }],
  [
    'presentations in a tree',
    'rich_media',
    { catalog: '/Names << /AlternatePresentations 61 0 R >> /Lang (kept)', objects: TREE },
  ],
  ['a collection', 'embedded_files', { catalog: '/Collection << /D (CANARY) >> /Lang (kept)' }],
  ['files of the document', 'embedded_files', { catalog: `/AF [${FILE}] /Lang (kept)`, objects: EMBEDDED }],
  ['files of a page', 'embedded_files', { pages: [{ more: `/AF [${FILE}] /Lang (kept)` }], objects: EMBEDDED }],
  ['files of an annotation', 'embedded_files', annotation(`/Subtype /Text /AF [${FILE}]`)],
  ['an attached file', 'embedded_files', annotation(`/Subtype /FileAttachment /FS ${FILE}`)],
  [
    'rich media',
    'rich_media',
    annotation('/Subtype /RichMedia /RichMediaContent << /Assets (CANARY) >> /RichMediaSettings << >>'),
  ],
  ['a movie', 'rich_media', annotation('/Subtype /Movie /Movie << /F (CANARY) >>')],
  ['a sound', 'rich_media', annotation('/Subtype /Sound /Sound 60 0 R')],
  ['a 3D scene', 'rich_media', annotation('/Subtype /3D /3DD 60 0 R')],
  [
    'a formatted value',
    'rich_text',
    { catalog: '/AcroForm << /Fields [50 0 R] >>', objects: { 50: '<< /FT /Tx /T (a) /V (kept) /RV (<body>CANARY</body>) >>' } },
  ],
  [
    'an XFA form beside fields',
    'xfa_form',
    {
      catalog: '/AcroForm << /Fields [50 0 R] /XFA [(a) 60 0 R] >>',
      objects: { ...EMBEDDED, 50: '<< /FT /Tx /T (a) /V (kept) >>' },
    },
  ],
]

describe.skipIf(!hasQpdf)('attachments and media:', () => {
  for (const [what, code, document] of CARGO) {
    test(`${what} is unreachable with the warning ${code}, and other content stays`, async () => {
      const outcome = await outcomeOf(document)
      if (outcome === 'refused') throw new Error('refused')
      const { codes, isPrefix, reachable } = outcome
      const left = { codes, isPrefix, isThere: reachable.includes('CANARY'), isKept: reachable.includes('(kept)') }
      expect(left).toEqual({ codes: [code], isPrefix: true, isThere: false, isKept: true })
    })
  }
})

const drawn = (resources: string, objects: Document['objects'] = {}): Document => ({
  objects: {
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << ${resources} >> /Contents 4 0 R >>`,
    ...objects,
  },
})

/** An external stream, in all places that lead to drawn content. */
const outside = (head: string): readonly [string, Document][] => {
  const form = { 60: { head: `/Subtype /Form /BBox [0 0 9 9] ${head}`, data: '' } }
  return [
    ['the content of a page', { objects: { 4: { head, data: '' } } }],
    ['a form', drawn('/XObject << /A 60 0 R >>', form)],
    [
      'a form in a form',
      drawn('/XObject << /A 59 0 R >>', {
        ...form,
        59: { head: '/Subtype /Form /Resources << /XObject << /A 60 0 R >> >>', data: '' },
      }),
    ],
    [
      'the mask of an image',
      drawn('/XObject << /A 59 0 R >>', { ...form, 59: { head: '/Subtype /Image /SMask 60 0 R', data: '' } }),
    ],
    ['a pattern', drawn('/Pattern << /A 60 0 R >>', form)],
    ['a glyph of a font', drawn('/Font << /F << /Subtype /Type3 /CharProcs << /a 60 0 R >> >> >>', form)],
    ['the program of a font', drawn('/Font << /F << /FontDescriptor << /FontFile 60 0 R >> >> >>', form)],
    ['a soft mask', drawn('/ExtGState << /G << /SMask << /G 60 0 R >> >> >>', form)],
    ['the appearance of an annotation', annotation('/Subtype /Stamp /AP << /N << /On 60 0 R >> >>', form)],
  ]
}

describe('content of another file is refused:', () => {
  const heads = {
    'an external stream': '/F (x.bin)',
    'one at an address': '/F << /FS /URL /F (http://x) >>',
    'a reference': '/Ref << /F (x.pdf) /Page 0 >>',
    'a proxy': '/OPI << /2.0 << /F (x.tif) >> >>',
  }
  for (const [what, head] of Object.entries(heads)) {
    test(`${what}, wherever it is drawn`, async () => {
      for (const [place, document] of outside(head))
        expect([place, (await outcomeOf(document)) === 'refused']).toEqual([place, true])
    })
  }

  test('but not a dictionary with such a key that is not a stream', async () => {
    for (const resources of ['/Font << /F 60 0 R /Ref 60 0 R >>', '/XObject << /F 60 0 R /OPI 60 0 R >>']) {
      expect(await outcomeOf(drawn(resources, { 60: { head: '/Subtype /Form', data: '' } }))).not.toBe('refused')
    }
  })
})
