/** Validation data and document time-stamps, each appended as one revision. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { addValidationData, prepareTimestamp } from '../../src/pades/augment.ts'
import { fill } from '../../src/pades/cms.ts'
import type { PreparedFile } from '../../src/pades/revision-file.ts'
import { openForUpdate } from '../../src/pdf/inspect/open-for-update.ts'
import { openPdf, resolveEntry, resolveWithin } from '../../src/pdf/parser/file.ts'
import { textOf } from '../../src/pdf/parser/syntax.ts'
import { formatItems, verbatim } from '../../src/pdf/writer/object-changes.ts'
import { FORM, material, object, opened, SOURCES, startsWith, store, workshop } from '../support/archived.ts'
import { useFolder } from '../support/folders.ts'
import { makePdf, pdfOf } from '../support/make-pdf.ts'
import { SIGNATURE } from '../support/prepare-request.ts'

const folder = useFolder()

const { fresh, sealedFile, withMaterial } = workshop(() => folder)

/** Numbers of existing objects that the newest revision replaces. */
function rewritten(path: string, below: string): number[] {
  const { file } = opened(path)
  const known = openPdf(readFileSync(below)).crossReference.entries
  return file.crossReference.newestInUse.filter(number => (known.get(number)?.kind ?? 'free') !== 'free')
}

describe('validation data', () => {
  for (const [what, source] of SOURCES) {
    test(`of ${what} keeps every byte, changes only the catalog’s /DSS, and can be read back`, async () => {
      const below = await sealedFile(source())
      const path = await withMaterial(below, material(['a', 'b'], ['c'], ['d', 'e']))
      expect(startsWith(path, below)).toBe(true)
      const [before, after] = [opened(below), opened(path)]
      expect(after.file.crossReference.newestSection.style).toBe(before.file.crossReference.newestSection.style)
      expect([...after.texts].filter(([key]) => key !== 'DSS')).toEqual([...before.texts])
      expect(rewritten(path, below)).toHaveLength(1)
      const { Certs, OCSPs, CRLs, names, keys, entry } = store(path)
      expect([Certs, OCSPs, CRLs]).toEqual([['a', 'b'].map(object), ['c'].map(object), ['d', 'e'].map(object)])
      expect(names).toEqual(keys)
      expect(entry(keys[0] ?? '')).toEqual({ Cert: Certs, OCSP: OCSPs, CRL: CRLs })
      expect(readFileSync(path).subarray(readFileSync(below).length).toString('latin1')).not.toMatch(/ObjStm|\/Filter/)
    })
  }

  test('names a signature by the SHA-1 of its /Contents, padding included', async () => {
    const path = await withMaterial(await sealedFile(makePdf()), material(['a']))
    const text = readFileSync(path).toString('latin1')
    const hex = /\/Contents <([0-9a-f]+)>/.exec(text)?.[1] ?? ''
    expect(hex).toHaveLength(2 * SIGNATURE.contentsBytes)
    const key = createHash('sha1').update(Buffer.from(hex, 'hex')).digest('hex').toUpperCase()
    expect(store(path).names).toEqual([key])
    expect(text).toContain(`/${key} <<`)
  })

  test('is added to an existing DSS: nothing is written twice, nothing is lost', async () => {
    const once = await withMaterial(await sealedFile(makePdf()), material(['a', 'b'], ['c']))
    const twice = await withMaterial(once, material(['b', 'x', 'x'], [], ['y']))
    expect(startsWith(twice, once)).toBe(true)
    const { Certs, OCSPs, CRLs, entry, keys, references } = store(twice)
    expect([Certs, OCSPs, CRLs]).toEqual([['a', 'b', 'x'].map(object), ['c'].map(object), ['y'].map(object)])
    expect(references.slice(0, 2)).toEqual(store(once).references)
    const one = entry(keys[0] ?? '')
    expect([one.Cert.toSorted(), one.OCSP, one.CRL]).toEqual([Certs.toSorted(), OCSPs, CRLs])
    const update = readFileSync(twice).subarray(readFileSync(once).length).toString('latin1')
    expect(update.match(/\nstream\n/g)).toHaveLength(2)
  })

  test('is added to a DSS of another product, and unknown entries stay', async () => {
    const below = await sealedFile(makePdf())
    const der = Buffer.from(object('a'), 'base64')
    const catalog = [...opened(below).texts].map(([key, text]) => `/${key} ${text}`).join('\n')
    const foreign = {
      1: `<< ${catalog} /DSS << /Certs 82 0 R /VRI 81 0 R /Own (kept) >> >>`,
      80: { head: '/Filter /FlateDecode', data: deflateSync(der) },
      81: '<< /0000 83 0 R >>',
      82: '[80 0 R]',
      83: '<< /Cert [80 0 R] /TU (D:20310101000000Z) >>',
    }
    const once = fresh()
    writeFileSync(once, pdfOf({ objects: foreign }, readFileSync(below)))
    const path = await withMaterial(once, material(['a', 'b']))
    const { file, catalog: root } = opened(path)
    const dss = resolveEntry(file, root, 'DSS')
    expect(formatItems(file, dss, 'Certs')).toEqual(['80 0 R', expect.stringMatching(/^\d+ 0 R$/)])
    expect(textOf(resolveEntry(file, dss, 'Own').value)).toBe('kept')
    expect(verbatim(resolveEntry(file, resolveEntry(file, dss, 'VRI'), '0000'))).toBe(foreign[83])
    expect(rewritten(path, once)).toEqual([1])
  })

  test('that the file already has adds nothing', async () => {
    const below = await sealedFile(makePdf())
    const once = await withMaterial(below, material(['a'], ['c']))
    for (const again of [material(['a'], ['c']), material([], ['c']), material()]) {
      expect(readFileSync(await withMaterial(once, again)).equals(readFileSync(once))).toBe(true)
    }
    expect(readFileSync(await withMaterial(below, material())).equals(readFileSync(below))).toBe(true)
  })

  test('reports path, size and hash of the file, which only its owner can read', async () => {
    const sourcePath = await sealedFile(makePdf())
    const outPath = fresh()
    const written = await addValidationData({ sourcePath, outPath, material: material(['a']) }, THIS_MACHINE)
    const bytes = readFileSync(outPath)
    expect(written).toEqual({ path: outPath, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length })
    expect(statSync(outPath).mode & 0o777).toBe(0o600)
  })

  test('is refused for an unsigned, encrypted or damaged file, or without DER; no file is left', async () => {
    const unsigned = makePdf()
    const encrypted = makePdf({ trailer: '/Encrypt << /Filter /Standard >>' })
    for (const [bytes, code] of [
      [unsigned, 'unsigned_pdf'],
      [encrypted, 'encrypted_pdf'],
      [unsigned.subarray(0, 200), 'unsupported_pdf'],
    ] as const) {
      const [sourcePath, outPath] = [fresh(), fresh()]
      writeFileSync(sourcePath, bytes)
      await expect(addValidationData({ sourcePath, outPath, material: material(['a']) }, THIS_MACHINE)).rejects.toMatchObject({
        code,
      })
      await expect(prepareTimestamp({ sourcePath, outPath, contentsBytes: 9000 }, THIS_MACHINE)).rejects.toMatchObject({ code })
      expect(existsSync(outPath)).toBe(false)
    }
    const sourcePath = await sealedFile(makePdf())
    const long = Buffer.concat([Buffer.from(object('a'), 'base64'), Buffer.of(0)]).toString('base64')
    for (const wrong of ['', object('a').slice(0, -4), `${object('a')}AAAA`, long, Buffer.from('PEM').toString('base64')]) {
      const outPath = fresh()
      const order = { sourcePath, outPath, material: { ...material(), revocationLists: [wrong] } }
      await expect(addValidationData(order, THIS_MACHINE)).rejects.toMatchObject({ code: 'invalid_material' })
      expect(existsSync(outPath)).toBe(false)
    }
  })

  test('never replaces an existing file', async () => {
    const sourcePath = await sealedFile(makePdf())
    const outPath = fresh()
    writeFileSync(outPath, 'mine')
    await expect(addValidationData({ sourcePath, outPath, material: material(['a']) }, THIS_MACHINE)).rejects.toMatchObject({
      code: 'EEXIST',
    })
    await expect(prepareTimestamp({ sourcePath, outPath, contentsBytes: 9000 }, THIS_MACHINE)).rejects.toMatchObject({
      code: 'EEXIST',
    })
    expect(readFileSync(outPath, 'utf8')).toBe('mine')
  })
})

describe('a document time-stamp', () => {
  const prepared = (sourcePath: string): Promise<PreparedFile> =>
    prepareTimestamp({ sourcePath, outPath: fresh(), contentsBytes: 16_384 }, THIS_MACHINE)

  for (const [what, source] of SOURCES) {
    test(`of ${what} covers all but its /Contents, in a new field of the form and of page 1`, async () => {
      const below = await sealedFile(source())
      const { path, byteRange, digest, pageCount } = await prepared(below)
      const bytes = readFileSync(path)
      expect(startsWith(path, below)).toBe(true)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const [, first, second, length] = byteRange
      expect([second - first, second + length, pageCount]).toEqual([2 * 16_384 + 2, bytes.length, 2])
      const ranges = [bytes.subarray(0, first), bytes.subarray(second)]
      expect(createHash('sha256').update(Buffer.concat(ranges)).digest('hex')).toBe(digest)

      const { file, catalog, fields } = opened(path)
      const names = fields.map(field => field.name)
      expect(names).toEqual(['Seal', what.startsWith('a form') ? 'Time-stamp 2' : 'Time-stamp'])
      expect([...(fields[1]?.value.entries.keys() ?? [])]).toEqual(['Type', 'Filter', 'SubFilter', 'ByteRange', 'Contents'])
      const update = bytes.subarray(readFileSync(below).length).toString('latin1')
      expect(update).toContain('/Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161')
      expect(update).toContain(`/ByteRange [${byteRange.join(' ')}`)
      const form = resolveEntry(file, catalog, 'AcroForm')
      expect(resolveEntry(file, form, 'SigFlags').value).toMatchObject({ value: 3 })
      const page = openForUpdate(bytes).pages[0]?.dictionary
      if (page === undefined) throw new Error('no page')
      const widget = formatItems(file, page, 'Annots').at(-1)
      expect(formatItems(file, form, 'Fields').at(-1)).toBe(widget ?? '')
    })
  }

  test('changes only page 1 and the form', async () => {
    const below = await sealedFile(makePdf(FORM))
    const path = (await prepared(below)).path
    expect(rewritten(path, below).toSorted()).toEqual([3, 50])
    expect([...opened(path).texts]).toEqual([...opened(below).texts])
    const { file, catalog } = opened(path)
    const form = resolveEntry(file, catalog, 'AcroForm')
    expect(verbatim(form)).toMatch(/^<<\n\/DA \(\/Helv 0 Tf\)\n\/Fields \[.*\]\n\/SigFlags 3\n>>$/)
    const fields = resolveEntry(file, form, 'Fields')
    if (fields.value.kind !== 'array') throw new Error('no fields')
    expect(textOf(resolveEntry(file, resolveWithin(file, fields, fields.value.items[0]), 'V').value)).toBe('kept')
  })

  test('that does not fit into /Contents is refused, and the file is not changed', async () => {
    const path = await sealedFile(makePdf())
    const small = await prepareTimestamp({ sourcePath: path, outPath: fresh(), contentsBytes: 100 }, THIS_MACHINE)
    const before = readFileSync(small.path)
    await expect(fill(THIS_FILE_SYSTEM, { prepared: small, contents: new Uint8Array(101) })).rejects.toThrow(
      '/Contents holds 100',
    )
    expect(readFileSync(small.path).equals(before)).toBe(true)
  })
})

describe('a file older than PDF 2.0', () => {
  const extensionsOf = async (source: Buffer) => opened(await sealedFile(source)).texts.get('Extensions')
  const ESIC = '/ESIC << /Type /DeveloperExtensions /BaseVersion /1.7 /ExtensionLevel 2 >>'

  test('declares its PAdES extension beside existing extensions', async () => {
    expect(await extensionsOf(makePdf())).toBe(`<< ${ESIC} >>`)
    const adobe = '/ADBE << /BaseVersion /1.7 /ExtensionLevel 3 >>'
    expect(await extensionsOf(makePdf({ catalog: `/Extensions << ${adobe} >>` }))).toBe(`<<\n${adobe}\n${ESIC}\n>>`)
  })

  test('declares it once, and a PDF 2.0 file not at all', async () => {
    const own = '<< /ESIC << /BaseVersion /1.7 /ExtensionLevel 5 >> >>'
    expect(await extensionsOf(makePdf({ catalog: `/Extensions ${own}` }))).toBe(own)
    expect(await extensionsOf(makePdf({ header: '%PDF-2.0\n' }))).toBeUndefined()
    expect(await extensionsOf(makePdf({ catalog: '/Version /2.0' }))).toBeUndefined()
  })
})
