/** Files with several signatures: each must allow the revisions after its own. */
import { describe, expect, test } from 'bun:test'
import { sharedAuthority } from '../support/test-pki.ts'
import { type AppendedSignature, cmsBy, dssUpdate, opened, STREAM, signedAgain } from './appended.ts'
import { allReasons, expectRefused, reportByShared } from './reports.ts'
import { plainPdf, sealTiny, type TinySealOptions, withRevision } from './tiny-pdf.ts'

const reportOf = (bytes: Uint8Array) => reportByShared(bytes, ['ours', 'theirs'])

/** Neither /Perms nor a DocMDP transform: an approval. */
const APPROVAL: Partial<TinySealOptions> = {
  dictionary: text => text.replace(/\/Reference \[.*\]/, ''),
  objects: objects => {
    for (const [number, text] of objects) objects.set(number, text.replace(/\/Perms <<.*?>>/, ''))
  },
}
/** A certification that allows form filling. */
const FORMS: Partial<TinySealOptions> = { dictionary: text => text.replace('/P 1', '/P 2') }

async function first(order: Partial<TinySealOptions> = APPROVAL): Promise<Buffer> {
  return sealTiny({ base: await plainPdf(), key: (await sharedAuthority()).key, contentsBytes: 1600, ...order })
}

async function second(bytes: Buffer, order: Partial<AppendedSignature> = {}): Promise<Buffer> {
  return signedAgain(bytes, { contents: cmsBy((await sharedAuthority('ec-p256', 'theirs')).key), ...order })
}

describe.each([
  ['an approval', APPROVAL],
  ['a certification that allows form filling', FORMS],
] as const)('after %s', (_, order) => {
  test('an invisible signature leaves both valid', async () => {
    const report = await reportOf(await second(await first(order)))
    expect(allReasons(report)).toBe('')
    expect(report).toMatchObject({
      verdict: 'valid',
      signatures: [
        { field: 'Seal', coversWholeFile: false, level: 'B-B' },
        { field: 'Second', coversWholeFile: true, level: 'B-B' },
      ],
    })
    expect(report.additions).toEqual(['Revision 3 added the signature "Second".'])
  })

  test('a third signature and validation data are listed one by one', async () => {
    const two = await second(await second(await first(order)), { name: 'Third' })
    const report = await reportOf(withRevision(two, dssUpdate(opened(two))))
    expect(allReasons(report)).toBe('')
    expect(report.additions.map(text => text.slice(0, 13))).toEqual(['Revision 3 ad', 'Revision 4 ad', 'Revision 5 ad'])
  })

  test.each<[string, Partial<AppendedSignature>, RegExp]>([
    ['has actions', { field: '/AA << >>' }, /has \/AA/],
    ['has the name of the first', { name: 'Seal' }, /has the name of another/],
    [
      'brings fields with it',
      { field: '/Kids [90 0 R]', objects: o => o.set(90, '<< /FT /Tx /T (amount) /V (900) >>') },
      /has child fields/,
    ],
    [
      'changes the page',
      { objects: (o, f) => o.set(f.page, `<< /Type /Page /Parent ${f.parent} 0 R /MediaBox [0 0 9 9] >>`) },
      /page 1 .*\/MediaBox/,
    ],
    [
      'certifies again',
      { objects: (o, f) => o.set(f.root, (o.get(f.root) ?? '').replace(/>>\s*$/, `/Perms << /DocMDP ${f.field + 1} 0 R >> >>`)) },
      /different \/Perms/,
    ],
  ])('a signature that %s spoils the first', async (_what, more, reason) => {
    const report = await reportOf(await second(await first(order), more))
    expect(report.verdict).toBe('not-valid')
    expect(report.signatures[0]?.reasons.join('\n')).toMatch(reason)
    expect(report.signatures[0]).toMatchObject({ integrity: 'broken', trust: 'trusted' })
  })
})

test.each<[string, Partial<TinySealOptions>]>([
  ['a certification that forbids all changes', {}],
  ['an approval that locks fields', { ...APPROVAL, dictionary: text => text.replace('/DocMDP', '/FieldMDP') }],
])('%s allows no further signature', async (_, order) => {
  expectRefused(
    await reportOf(await second(await first(order))),
    'the signature "Second" was added, which an earlier signature does not allow',
  )
})

test('an empty signature field of the first revision may be signed, with an appearance in its rectangle', async () => {
  const empty = '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Buyer) /F 4 /Rect [10 10 90 40] >>'
  const bytes = await first({
    ...APPROVAL,
    objects: objects => {
      APPROVAL.objects?.(objects)
      const [root = 0] = objects.keys()
      objects.set(root, (objects.get(root) ?? '').replace('/Fields [', '/Fields [80 0 R ')).set(80, empty)
    },
  })
  const fill: AppendedSignature['objects'] = (objects, { root, field, catalog }) => {
    const value = `/V ${field + 1} 0 R /AP << /N ${field} 0 R >>`
    objects
      .set(root, catalog)
      .set(80, empty.replace('>>', `${value} >>`))
      .set(field, STREAM)
  }
  const report = await reportOf(await second(bytes, { objects: fill }))
  expect(allReasons(report)).toBe('')
  expect(report.additions).toEqual(['Revision 3 added the signature "Buyer".'])
  const moved: AppendedSignature['objects'] = (objects, file) => {
    fill(objects, file)
    objects.set(80, (objects.get(80) ?? '').replace('90 40', '90 99'))
  }
  const other = await reportOf(await second(bytes, { objects: moved }))
  expectRefused(other, /the form field "Buyer" .*\/Rect/)
})

test('a replaced field value is reported as a change, and the file is not valid', async () => {
  const text = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (100) /Rect [0 0 9 9] >>'
  const bytes = await first({
    ...FORMS,
    objects: objects => {
      const [root = 0] = objects.keys()
      objects.set(root, (objects.get(root) ?? '').replace('/Fields [', '/Fields [80 0 R ')).set(80, text)
    },
  })
  const report = await reportOf(withRevision(bytes, new Map([[80, text.replace('100', '900')]])))
  expect(report).toMatchObject({ verdict: 'not-valid', signatures: [{ integrity: 'broken', trust: 'trusted' }] })
  expect(allReasons(report)).toContain('the form field "amount" (object 80) was changed: /V')
})

test('adbe.x509.rsa_sha1 is not checked, and the reason says so', async () => {
  const subFilter = 'adbe.x509.rsa_sha1'
  const report = await reportOf(await first({ subFilter }))
  expect(report).toMatchObject({
    verdict: 'not-checked',
    signatures: [{ integrity: 'not-checked', level: undefined, subFilter }],
  })
  expect(allReasons(report)).toContain(`${subFilter} is not supported: it sign`)
  expect(allReasons(report)).toContain('SHA-1')
})

test('adbe.pkcs7.detached is verified, and has no baseline level', async () => {
  expect(await reportOf(await first({ subFilter: 'adbe.pkcs7.detached' }))).toMatchObject({
    verdict: 'valid',
    signatures: [{ level: undefined, integrity: 'intact' }],
  })
})

/** Counts the parts that begin with the first byte: opening a revision takes one. */
class CountedBytes extends Uint8Array {
  static taken = 0
  override subarray(begin?: number, end?: number): Uint8Array<ArrayBuffer> {
    if (begin === 0 && end !== undefined) CountedBytes.taken++
    return super.subarray(begin, end) as Uint8Array<ArrayBuffer>
  }
}

test('the work for many signatures grows with their number, not with its square', async () => {
  const taken: number[] = []
  let bytes = await first()
  for (const count of [5, 20]) {
    for (let i = taken.length === 0 ? 1 : 5; i < count; i++) bytes = await second(bytes, { name: `Signer${count}${i}` })
    CountedBytes.taken = 0
    const report = await reportOf(new CountedBytes(bytes))
    expect(report).toMatchObject({ verdict: 'valid' })
    expect(report.signatures).toHaveLength(count)
    taken.push(CountedBytes.taken)
  }
  const [few = 0, many = 0] = taken
  expect(few).toBeGreaterThan(0)
  expect(many).toBeLessThanOrEqual(few * 5)
})

test('more revisions than the limit leave a signature not checked, never broken', async () => {
  const bytes = await first()
  const { root, size } = opened(bytes)
  const parts: Buffer[] = [bytes]
  let [end, previous] = [bytes.length, Number(/startxref\n(\d+)\n%%EOF\n$/.exec(bytes.toString('latin1'))?.[1])]
  for (let i = 0; i < 1001; i++) {
    const trailer = `<< /Size ${size} /Root ${root} 0 R /Prev ${previous} >>`
    const update = Buffer.from(`xref\n0 0\ntrailer\n${trailer}\nstartxref\n${end}\n%%EOF\n`)
    parts.push(update)
    previous = end
    end += update.length
  }
  const report = await reportOf(Buffer.concat(parts))
  expect(report).toMatchObject({ verdict: 'not-checked', signatures: [{ integrity: 'not-checked' }] })
  expect(allReasons(report)).toContain('More than 1000 revisions')
})
