/** Updates of other products: allowed ones are listed, similar ones are refused. */
import { describe, expect, test } from 'bun:test'
import type { VerificationReport } from '../../../src/verify/report.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { sharedAuthority } from '../../support/test-pki.ts'
import { type AppendedSignature, cmsBy, opened, STREAM, signedAgain, streamOf, withEntry } from '../appended.ts'
import { allReasons, reportByShared } from '../reports.ts'
import { sealTiny, withRevision } from '../tiny-pdf.ts'

const reportOf = (bytes: Uint8Array) => reportByShared(bytes, ['ours', 'theirs'])

const PAGE = 3
const [TEXT, HIDDEN] = [80, 81]
const field = (value: string, more = '') =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /Rect [10 10 90 40] /F 4 ${value} ${more} >>`
const hidden = (flags: number) =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (secret) /Rect [10 60 90 90] /F ${flags} /V (900) >>`
const page = (more = '', annotations = `${TEXT} 0 R ${HIDDEN} 0 R`) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << >> /Contents 4 0 R /Annots [${annotations}] ${more} >>`

const STRUCTURE = {
  70: '<< /Type /StructTreeRoot /K [71 0 R] /ParentTree 72 0 R /ParentTreeNextKey 1 >>',
  71: '<< /Type /StructElem /S /Document /P 70 0 R /K [73 0 R] >>',
  72: '<< /Nums [0 [73 0 R]] >>',
  73: '<< /Type /StructElem /S /P /P 71 0 R /K 0 /Pg 3 0 R >>',
}

type Level = 1 | 2 | 3 | 'approval'

const LOCK =
  '/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /Action /Include /Fields [(amount)] >> >>]'

/** A form XObject with a font. */
const formOf = (data: string): string =>
  streamOf(Buffer.from(data)).replace(
    '<< ',
    '<< /Type /XObject /Subtype /Form /BBox [0 0 80 30] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> ',
  )

/** A signed form with an empty text field and a hidden one, metadata and document information. */
async function signed(
  level: Level,
  { value = '', lock = false, catalog: more = '', objects: others = {} as Record<number, string>, shown = page() } = {},
): Promise<Buffer> {
  const base = makePdf({
    objects: {
      [PAGE]: shown,
      4: streamOf(Buffer.from('100 191 m 150 191 l S')),
      [TEXT]: field(value),
      [HIDDEN]: hidden(2),
      85: metadata('Offer'),
      ...STRUCTURE,
      ...others,
    },
  })
  return sealTiny({
    base,
    key: (await sharedAuthority()).key,
    contentsBytes: 1600,
    dictionary: text =>
      level === 'approval' ? text.replace(/\/Reference \[.*\]/, lock ? LOCK : '') : text.replace('/P 1', `/P ${level}`),
    objects: objects => {
      const [root = 0] = objects.keys()
      const text = (objects.get(root) ?? '').replace(
        '/Fields [',
        `/Metadata 85 0 R /StructTreeRoot 70 0 R ${more} /Fields [${TEXT} 0 R ${HIDDEN} 0 R `,
      )
      const catalog = text.replace(
        /\/AcroForm << (.*?) (\/Metadata 85 0 R \/StructTreeRoot 70 0 R(?: \/(?:Extensions|PieceInfo) 86 0 R)*)/,
        '$2 /AcroForm << $1',
      )
      objects.set(root, level === 'approval' ? catalog.replace(/\/Perms <<.*?>>/, '') : catalog)
    },
  })
}

const xmp = (title: string, at: string) =>
  Buffer.from(`<x:xmpmeta><dc:title><rdf:li>${title}</rdf:li></dc:title><xmp:ModifyDate>${at}</xmp:ModifyDate></x:xmpmeta>`)
function metadata(title: string, at = '2031-03-04'): string {
  return streamOf(xmp(title, at)).replace('<< ', '<< /Type /Metadata /Subtype /XML ')
}
const INFO = '<< /Title (Offer) /Producer (One) /ModDate (D:20310304050607Z) >>'

const update = async (level: Level, objects: (file: ReturnType<typeof opened>) => Record<number, string>, trailer = '') => {
  const bytes = await signed(level)
  return reportOf(withRevision(bytes, new Map(Object.entries(objects(opened(bytes))).map(([n, o]) => [Number(n), o])), trailer))
}

/** A further signature with a widget on page 1. */
const visible = (rect: string, more: AppendedSignature['objects'] = () => undefined): Partial<AppendedSignature> => ({
  rect,
  field: '/AP << /N 190 0 R >> /MK << >>',
  objects: (objects, file) => {
    objects.set(190, formOf('0 0 80 30 re f')).set(PAGE, page('', `${TEXT} 0 R ${HIDDEN} 0 R ${file.field} 0 R`))
    more(objects, file)
  },
})

const second = async (bytes: Buffer, order: Partial<AppendedSignature> = {}): Promise<Buffer> =>
  signedAgain(bytes, { contents: cmsBy((await sharedAuthority('ec-p256', 'theirs')).key), ...order })

/** Valid, with changes that a reader can see. */
const changed = (report: VerificationReport<string>, changes: unknown[], ...additions: unknown[]): void => {
  expect(allReasons(report)).toBe('')
  expect(report).toMatchObject({ verdict: 'valid-changed', changes, additions })
}
const valid = (report: VerificationReport<string>, ...additions: unknown[]): void => {
  expect(allReasons(report)).toBe('')
  expect(report).toMatchObject({ verdict: 'valid', changes: [], additions })
}
const refused = (report: VerificationReport<string>, reason: RegExp | string): void => {
  expect(allReasons(report)).toMatch(reason)
  expect(report).toMatchObject({ verdict: 'not-valid', additions: [], changes: [] })
}

describe('a further visible signature', () => {
  test('is listed with page and size after an approval, and after a certification that allows comments', async () => {
    for (const level of ['approval', 3] as const) {
      const report = await reportOf(await second(await signed(level), visible('100 100 180 140')))
      changed(
        report,
        [{ kind: 'signature', revision: 3, name: 'Second', before: null, after: null, page: 1 }],
        'Revision 3 added the signature "Second".',
        'Revision 3 added the visible signature field "Second" to page 1 (80 × 40 points).',
      )
    }
  })

  test('is refused after a certification that only allows form filling', async () => {
    refused(await reportOf(await second(await signed(2), visible('100 100 180 140'))), 'DocMDP /P 2')
  })

  test('is refused if it covers most of the page, or a form field', async () => {
    const bytes = await signed('approval')
    refused(await reportOf(await second(bytes, visible('0 0 200 190'))), 'covers more than half of page 1')
    const filled = await signed('approval', { value: '/V (100)' })
    refused(
      await reportOf(await second(filled, visible('20 10 90 40'))),
      'covers signed content: another field or comment on page 1',
    )
    expect((await reportOf(await second(filled, visible('92 10 150 40')))).verdict).toBe('valid-changed')
    expect((await reportOf(await second(bytes, visible('20 10 90 40')))).verdict).toBe('valid-changed')
  })

  test('is refused if its widgets together cover most of the page', async () => {
    const widget = (rect: string) => `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${rect}] /AP << /N 190 0 R >> >>`
    const halves: AppendedSignature['objects'] = (objects, file) => {
      objects.set(191, widget('0 0 200 90')).set(192, widget('0 100 200 190'))
      objects.set(PAGE, page('', `${TEXT} 0 R ${HIDDEN} 0 R ${file.field} 0 R 191 0 R 192 0 R`))
    }
    const order = { ...visible('0 0 0 0', halves), field: '/Kids [191 0 R 192 0 R]' }
    const report = await reportOf(await second(await signed('approval'), order))
    refused(report, 'covers more than half of page 1')
  })

  test('may get its field in an earlier update, under the same rules', async () => {
    const empty =
      (rect: string, more = '') =>
      (f: ReturnType<typeof opened>) => ({
        [f.root]: f.catalog.replace(/(\/Fields \[.*?)\]/, '$1 190 0 R]'),
        190: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Later) /F 4 /Rect [${rect}] /P ${PAGE} 0 R ${more} >>`,
        [PAGE]: page('', `${TEXT} 0 R ${HIDDEN} 0 R 190 0 R`),
      })
    changed(
      await update('approval', empty('100 100 180 140')),
      [{ kind: 'signature', revision: 3, name: 'Later', before: null, after: null, page: 1 }],
      'Revision 3 added the empty signature field "Later".',
      'Revision 3 added the visible signature field "Later" to page 1 (80 × 40 points).',
    )
    refused(await update('approval', empty('0 0 200 190')), 'covers more than half of page 1')
    refused(await update('approval', empty('100 100 180 140', '/MK << /BG [1] >>')), 'no new signature')
    const pictured = (data: string) => (f: ReturnType<typeof opened>) => ({
      ...empty('100 100 180 140', '/AP << /N 191 0 R >>')(f),
      191: formOf(data),
    })
    expect((await update('approval', pictured(' \n'))).verdict).toBe('valid-changed')
    refused(await update('approval', pictured('0 0 9 9 re f')), 'no new signature')
    refused(await update(2, empty('100 100 180 140')), 'DocMDP /P 2')
  })

  test('is refused if the page changes otherwise', async () => {
    const other: AppendedSignature['objects'] = objects =>
      objects.set(PAGE, (objects.get(PAGE) ?? '').replace('/Resources << >>', '/Resources << /Font << >> >>'))
    refused(await reportOf(await second(await signed('approval'), visible('100 100 180 140', other))), /page 1 .*\/Resources/)
  })
})

describe('form resources and document information', () => {
  const form = (catalog: string, more: string) => catalog.replace('/AcroForm <<', `/AcroForm << ${more}`)

  test('fonts and a default appearance may be added to the form', async () => {
    const report = await update('approval', f => ({
      [f.root]: form(f.catalog, '/DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 190 0 R >> >>'),
      190: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    }))
    valid(report)
  })

  test('an existing font must stay the same', async () => {
    const bytes = await signed('approval')
    const first = opened(bytes)
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
    const one = form(first.catalog, '/DR << /Font << /Helv 190 0 R >> >>')
    const with1 = withRevision(
      bytes,
      new Map([
        [first.root, one],
        [190, font],
      ]),
    )
    valid(await reportOf(with1))
    const swapped = new Map([
      [first.root, one.replace('190 0 R', '191 0 R')],
      [191, font],
    ])
    refused(await reportOf(withRevision(with1, swapped)), 'the form (AcroForm) has a different /DR')
    refused(await reportOf(withRevision(with1, new Map([[190, font.replace('Helvetica', 'Symbol')]]))), /object 190/)
  })

  test('an existing default appearance must stay, because fields may use it', async () => {
    const bytes = await signed('approval')
    const { root, catalog } = opened(bytes)
    const one = withRevision(bytes, new Map([[root, form(catalog, '/DA (/Helv 9 Tf 0 g)')]]))
    valid(await reportOf(one))
    refused(await reportOf(withRevision(one, new Map([[root, form(catalog, '/DA (/Helv 9 Tf 1 g)')]]))), 'different /DA')
  })

  test('readers must not be made to redraw the fields', async () => {
    refused(await update('approval', f => ({ [f.root]: form(f.catalog, '/NeedAppearances true') })), 'different /NeedAppearances')
  })

  test('document information and metadata may be completed, not contradicted', async () => {
    const bytes = await signed('approval')
    const fresh = withRevision(bytes, new Map([[187, INFO]]), '/Info 187 0 R ')
    valid(await reportOf(fresh), expect.stringContaining('changed the document information (/Title, /Producer, /ModDate)'))
    const later = withRevision(fresh, new Map([[187, INFO.replace('One', 'Two')]]), '/Info 187 0 R ')
    valid(
      await reportOf(later),
      expect.anything(),
      expect.stringContaining('the document information (/Producer), which no page'),
    )
    const renamed = withRevision(fresh, new Map([[187, INFO.replace('Offer', 'Order')]]), '/Info 187 0 R ')
    refused2(await reportOf(renamed), 'the document information has a different /Title')
    valid(
      await update('approval', () => ({ 85: metadata('Offer', '2032-01-01') })),
      expect.stringContaining('the metadata (XMP)'),
    )
    refused(await update('approval', () => ({ 85: metadata('Order') })), 'the metadata (XMP) has a different /Title')
    refused(await update(1, () => ({ 85: metadata('Offer', '2032-01-01') })), 'Metadata of the catalog')
  })

  test('the catalog may get a new number, if the certification allows any change', async () => {
    const moved = async (level: Level, change = (text: string) => text) => {
      const bytes = await signed(level)
      const { root, catalog } = opened(bytes)
      const plain = withRevision(bytes, new Map([[999, change(catalog)]]))
      const text = plain.subarray(bytes.length).toString('latin1').replace(`/Root ${root} 0 R`, '/Root 999 0 R')
      return reportOf(Buffer.concat([bytes, Buffer.from(text, 'latin1')]))
    }
    valid(await moved('approval'))
    refused(await moved('approval', text => withEntry(text, '/OpenAction [3 0 R /Fit]')), 'different /OpenAction')
    refused(await moved(1), 'the trailer names a different catalog')
  })

  test('a new field may be first in the list if the others keep their order', async () => {
    const [first, last] = [new RegExp(`${TEXT} 0 R (.*?) (\\d+) 0 R\\]`), '$2 0 R']
    const reorder: AppendedSignature['objects'] = (objects, { root }) => {
      objects.set(root, (objects.get(root) ?? '').replace(first, `${last} ${TEXT} 0 R $1]`))
    }
    valid(await reportOf(await second(await signed('approval'), { objects: reorder })), expect.stringContaining('"Second"'))
    const swap: AppendedSignature['objects'] = (objects, { root }) => {
      objects.set(root, (objects.get(root) ?? '').replace(`${TEXT} 0 R ${HIDDEN} 0 R`, `${HIDDEN} 0 R ${TEXT} 0 R`))
    }
    refused(await reportOf(await second(await signed('approval'), { objects: swap })), 'the list of form fields')
  })

  test('the structure for assistive technology may grow, and keeps its elements', async () => {
    const grown = {
      70: STRUCTURE[70].replace('72 0 R', '190 0 R').replace('NextKey 1', 'NextKey 2'),
      71: STRUCTURE[71].replace('73 0 R]', '73 0 R 191 0 R]'),
      190: '<< /Nums [0 192 0 R 1 191 0 R] >>',
      191: '<< /Type /StructElem /S /Form /P 71 0 R >>',
      192: '[73 0 R]',
    }
    valid(await update('approval', () => grown), expect.stringContaining('the structure for assistive technology'))
    refused(await update(1, () => grown), 'StructTreeRoot of the catalog')
    refused(await update('approval', () => ({ 71: STRUCTURE[71].replace('73 0 R', '191 0 R') })), /object 71/)
    refused(await update('approval', () => ({ 73: STRUCTURE[73].replace('/K 0', '/Alt (900) /K 0') })), /object 73/)
    const roles = { 70: withEntry(STRUCTURE[70], '/RoleMap << /P /Artifact >>') }
    refused(await update('approval', () => roles), 'different /StructTreeRoot')
    refused(await update('approval', () => ({ ...grown, 190: '<< /Nums [1 191 0 R] >>' })), 'different /StructTreeRoot')
  })

  test('an unreferenced object is allowed, except after a certification that allows nothing', async () => {
    valid(await update('approval', () => ({ 190: '(nothing)' })))
    refused(await update(1, () => ({ 190: '(nothing)' })), /object 190 was added/)
  })

  test('a rewritten object without a change is allowed', async () => {
    valid(await update('approval', () => ({ [PAGE]: page(), [TEXT]: field('') })))
    refused(await update('approval', () => ({ 4: STREAM })), /the content of page 1/)
  })
})

describe('extensions of the format in an object of their own', () => {
  const NEW = '<< /ISO_ [<< /BaseVersion /2.0 /ExtensionLevel 32002 >>] >>'
  const changedTo = async (level: Level, text: string, shown = page(), catalog = '/Extensions 86 0 R') => {
    const bytes = await signed(level, { catalog, objects: { 86: '<< /ADBE 1 >>' }, shown })
    return reportOf(withRevision(bytes, new Map([[86, text]])))
  }

  test('may be added to, and none may go', async () => {
    valid(await changedTo('approval', NEW.replace('<<', '<< /ADBE 1')))
    refused(await changedTo('approval', NEW), '/Extensions')
    refused(await changedTo(1, NEW.replace('<<', '<< /ADBE 1')), '/Extensions')
  })

  test('stay as they are if something else refers to them too', async () => {
    const both = page('/PieceInfo 86 0 R')
    refused(await changedTo('approval', NEW.replace('<<', '<< /ADBE 1'), both), '/Extensions')
    const twice = '/Extensions 86 0 R /PieceInfo 86 0 R'
    refused(await changedTo('approval', NEW.replace('<<', '<< /ADBE 1'), page(), twice), '/Extensions')
  })
})

describe('an appearance that is written anew in its place', () => {
  const DRAWN = formOf('BT /F1 12 Tf 2 5 Td (100) Tj ET')
  const FALSE = formOf('BT /F1 12 Tf 2 5 Td (900) Tj ET')
  const FORMS = { 91: formOf(''), 92: formOf('') }
  const filledIn = async (
    appearance: string,
    update: Record<number, string>,
    { shown = page(), own = '<< /N 91 0 R >>' } = {},
  ) => {
    const objects = appearance.includes('90 0 R') ? { 90: own, ...FORMS } : FORMS
    const bytes = await signed('approval', { value: appearance, objects, shown })
    const changes = { [TEXT]: field('/V (100)', appearance), ...update }
    return reportOf(withRevision(bytes, new Map(Object.entries(changes).map(([n, text]) => [Number(n), text]))))
  }
  const FILLED = [{ kind: 'field', name: 'amount', after: '100' }]

  test('is the one of the field, whether the field or an object of its own names it', async () => {
    for (const appearance of ['/AP << /N 91 0 R >>', '/AP 90 0 R'])
      expect([appearance, await filledIn(appearance, { 91: DRAWN })]).toMatchObject([
        appearance,
        { verdict: 'valid-changed', changes: FILLED },
      ])
  })

  test('shows the value, and is of no other annotation or page', async () => {
    refused(await filledIn('/AP 90 0 R', { 91: FALSE }), 'amount')
    for (const other of ['/Resources << /XObject << /X 91 0 R >> >>', '/PieceInfo 90 0 R'])
      refused(
        await filledIn('/AP 90 0 R', { 91: DRAWN }, { shown: page(other).replace('/Resources << >> /Contents', '/Contents') }),
        /object 91/,
      )
  })

  test('is not the one that shows while the mouse is over the field', async () => {
    const own = '<< /N 91 0 R /R 92 0 R >>'
    for (const appearance of [`/AP ${own}`, '/AP 90 0 R'])
      refused(await filledIn(appearance, { 91: DRAWN, 92: FALSE }, { own }), /object 92/)
  })
})

describe('form fields', () => {
  const filled = { [TEXT]: field('/V (100)', '/AP << /N 190 0 R >>'), 190: formOf('BT /F1 12 Tf 2 5 Td (100) Tj ET') }

  test.each<[Level]>([['approval'], [2], [3]])('that were empty may be filled in after %s', async level => {
    changed(
      await update(level, () => filled),
      [{ kind: 'field', revision: 3, name: 'amount', before: '', after: '100', page: 1 }],
      'Revision 3 filled in the form field "amount".',
    )
  })

  test('stay empty after a certification that allows nothing', async () => {
    refused(await update(1, () => filled), /the form field "amount" .*\/V/)
  })

  test('keep the signed value, and what they show without one', async () => {
    const bytes = await signed(2, { value: '/V (100) /AP << /N 190 0 R >>' })
    const replace = async (text: string) =>
      reportOf(
        withRevision(
          bytes,
          new Map([
            [TEXT, text],
            [190, STREAM],
          ]),
        ),
      )
    refused(await replace(field('/V (900) /AP << /N 190 0 R >>')), /the form field "amount" .*\/V/)
    refused(await replace(field('/V (100) /AP << /N 191 0 R >>')), /the form field "amount" .*\/AP/)
    refused(await replace(field('/V (100) /AP << /N 190 0 R >>').replace('90 40', '190 190')), /the form field "amount" .*\/Rect/)
  })

  test('that were hidden stay hidden', async () => {
    refused(await update('approval', () => ({ [HIDDEN]: hidden(4) })), /the form field "secret" .*\/F/)
    valid(await update('approval', () => ({ [HIDDEN]: hidden(2 | 128) })))
    refused(await update('approval', () => ({ [TEXT]: field('').replace('/F 4', '/F 0') })), /the form field "amount" .*\/F/)
  })

  test('that the signature locks stay empty; others may be filled in', async () => {
    const bytes = await signed('approval', { lock: true })
    const objects = new Map(Object.entries(filled).map(([n, o]) => [Number(n), o]))
    refused(await reportOf(withRevision(bytes, objects)), 'the form field "amount" was filled in, which an earlier signature')
    const other = new Map([...objects].map(([n, o]) => [n, o.replace('(amount)', '(amount)')]))
    other.delete(TEXT)
    valid(await reportOf(withRevision(bytes, other)))
    valid(await reportOf(await second(bytes)), 'Revision 3 added the signature "Second".')
  })

  test('must not be added', async () => {
    const add = (f: ReturnType<typeof opened>) => ({
      [f.root]: f.catalog.replace('/Fields [', '/Fields [').replace(/(\/Fields \[.*?)\]/, '$1 190 0 R]'),
      190: '<< /FT /Tx /T (fee) /V (900) >>',
    })
    refused(await update(3, add), 'is not a signature field')
  })
})

describe('a comment', () => {
  const comment = (kind: string, more = '') => ({
    [PAGE]: page('', `${TEXT} 0 R ${HIDDEN} 0 R 190 0 R`),
    190: `<< /Type /Annot /Subtype /${kind} /Rect [100 186 150 196] ${more} >>`,
  })

  test('on existing content may follow a certification that allows comments, and is listed', async () => {
    changed(
      await update(3, () => comment('Highlight')),
      [{ kind: 'comment', revision: 3, name: 'Highlight', before: null, after: null, page: 1 }],
      'Revision 3 added a comment (Highlight) to page 1 (50 × 10 points).',
    )
  })

  test.each<[string, Level, Record<number, string>, RegExp]>([
    ['that is free text, which can replace content', 3, comment('FreeText'), /type FreeText/],
    ['that is a line, which can hide content', 3, comment('Line'), /type Line/],
    ['with an appearance of its own', 3, comment('Popup', '/AP << /N 5 0 R >>'), /\/AP/],
    ['with an action', 3, comment('Highlight', '/A << /S /URI >>'), /annotation with an action/],
    ['after a certification for form filling', 2, comment('Highlight'), /page 1 .*\/Annots/],
    ['after an approval', 'approval', comment('Highlight'), /page 1 .*\/Annots/],
  ])('%s is refused', async (_, level, objects, reason) => {
    refused(await update(level, () => objects), reason)
  })
})

/** Refused, with the allowed additions of an earlier update. */
function refused2(report: VerificationReport<string>, reason: string): void {
  expect(allReasons(report)).toMatch(reason)
  expect(report.verdict).toBe('not-valid')
}
