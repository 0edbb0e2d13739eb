/** Files that recipients add while they sign: examined, kept, replaced, removed, and bound. */
import { describe, expect, test } from 'bun:test'
import { expireDue, sweepFormValues } from '../../../src/documents/lifecycle/upkeep.ts'
import { MAX_RECIPIENT_BYTES } from '../../../src/documents/signing/field-files.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { plainPng } from '../../evidence/sample.ts'
import { openSigner, PHOTO, SCAN, storedFiles, withFiles } from '../../support/field-files.ts'
import { exifSegment, JPEG, withSegments } from '../../support/jpegs.ts'
import { ADA, BOB, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { eventsOf } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const RED = plainPng(40, 30, [200, 30, 30, 255])
const pdf = async (pages = 1) => Buffer.from(await samplePdf(pages), 'base64')
const rows = () => t.app.db.selectFrom('field_files').select(['field_id', 'sha256', 'file_name']).orderBy('field_id').execute()
const documentOf = async (id: string) => (await t.api('GET', `/documents/${id}`)).body
const claims = () => t.app.db.selectFrom('file_claims').selectAll().execute()

describe('with a script', () => {
  test('a file is stored at once, and read by its recipient alone, never as a page', async () => {
    const ada = await openSigner(t)
    const scan = await pdf()
    const { status, body } = await ada.upload('Passport', scan, '../../Pass <1>.pdf')
    expect([status, body]).toEqual([
      200,
      { fileName: 'Pass _1_.pdf', mediaType: 'application/pdf', bytes: scan.length, sha256: sha256Hex(scan) },
    ])
    const read = await ada.read('Passport')
    expect(Buffer.from(await read.arrayBuffer()).equals(scan)).toBe(true)
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Pass _1_.pdf"; filename*=UTF-8''Pass%20_1_.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    const stranger = await t.fetch(`${ada.base}/files/${ada.idOf('Passport')}`)
    expect(stranger.status).toBe(404)
    expect(await claims()).toEqual([])
  })

  test('a range beyond the end of a file, added or to be signed, gets its length: RFC 9110 §15.5.17', async () => {
    const ada = await openSigner(t)
    await ada.upload('Passport', RED, 'a.png')
    const signed = await pdf()
    for (const [response, length] of [
      [await ada.read('Passport', { range: `bytes=${RED.length}-` }), RED.length],
      [await t.fetch(`${ada.base}/file`, { headers: { cookie: ada.cookie, range: `bytes=${signed.length}-` } }), signed.length],
    ] as const)
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${length}`])
  })

  test('the name ends as the content is: a PDF named .png is a PDF', async () => {
    const ada = await openSigner(t)
    expect((await ada.upload('Passport', await pdf(), 'photo.png')).body.fileName).toBe('photo.png.pdf')
    expect((await ada.upload('Passport', JPEG, 'IMG_1.JPEG')).body.fileName).toBe('IMG_1.jpeg')
    const hidden = await ada.upload('Passport', RED, `a\u061c\u200b\u00adb${'\u00a0'.repeat(50)}c.png`)
    expect(hidden.body.fileName).toBe('ab c.png')
    expect((await ada.upload('Passport', RED, '👩‍💻')).body.fileName).toMatch(/^[^👩]+\.png$/u)
  })

  test('another file takes the place of the first, whose bytes go; the same file stays; none is left of a removed one', async () => {
    const ada = await openSigner(t)
    const before = storedFiles(t)
    await ada.upload('Passport', RED, 'a.png')
    await ada.upload('Passport', JPEG, 'b.jpg')
    expect(storedFiles(t)).toEqual([...before, sha256Hex(JPEG)].sort())
    await ada.upload('Passport', JPEG, 'c.jpg')
    expect(await rows()).toEqual([{ field_id: ada.idOf('Passport'), sha256: sha256Hex(JPEG), file_name: 'c.jpg' }])
    expect([await ada.remove('Passport'), await ada.remove('Passport')]).toEqual([204, 204])
    expect([await rows(), storedFiles(t), await claims()]).toEqual([[], before, []])
    expect((await ada.read('Passport')).status).toBe(404)
  })

  const refused: [string, () => Uint8Array | Promise<Uint8Array>, string][] = [
    [
      'HTML',
      () => Buffer.from('<html><script>alert(1)</script>'),
      'Passport: please choose a file of one of these types: PDF, PNG, JPEG',
    ],
    ['nothing', () => new Uint8Array(), 'Passport: this file is empty. Please choose another one'],
    [
      'half a photo',
      () => JPEG.subarray(0, 300),
      'Passport: this JPEG file is damaged or incomplete. Please choose another one, or save it again',
    ],
    [
      'a byte more than 20 MB',
      () => Buffer.alloc(20_000_001, RED),
      'Passport: this file is too large. Please choose one of at most 20 MB',
    ],
  ]
  test.each(refused)('%s is refused with a sentence beside the field, and nothing of it is kept', async (_, make, message) => {
    const ada = await openSigner(t)
    await ada.upload('Photo', JPEG)
    const before = [await rows(), storedFiles(t)]
    const { status, body } = await ada.upload('Passport', await make(), 'invoice.pdf')
    expect([status, body.errors]).toEqual([422, [{ path: `fields.${ada.idOf('Passport')}`, message }]])
    expect([await rows(), storedFiles(t)]).toEqual(before as never)
  })

  test('a field takes what its sender accepts, up to the size its sender allows; an image is no PDF', async () => {
    const fields = [{ ...SCAN, accept: ['application/pdf'], maxBytes: 500 }, PHOTO, SIGNATURE]
    const ada = await openSigner(t, withFiles(fields))
    const errors = async (label: string, bytes: Uint8Array) => (await ada.upload(label, bytes)).body.errors?.[0]?.message
    expect(await errors('Passport', JPEG)).toBe('Passport: please choose a file of one of these types: PDF')
    expect(await errors('Passport', await pdf(3))).toBe('Passport: this file is too large. Please choose one of at most 0.5 kB')
    expect(await errors('Photo', await pdf())).toBe('Photo: please choose a file of one of these types: PNG, JPEG')
  })

  test('in the language of the recipient', async () => {
    const ada = await openSigner(t, { recipients: [{ ...ADA, locale: 'de', fields: [SCAN, SIGNATURE] }] })
    expect((await ada.upload('Passport', Buffer.from('GIF89a'))).body.errors?.[0]?.message).toBe(
      'Passport: Bitte wählen Sie eine Datei mit einem dieser Formate: PDF, PNG, JPEG',
    )
  })

  test('all files of a recipient together are bounded', async () => {
    const fields = Array.from({ length: 6 }, (_, i) => ({ ...SCAN, y: 10 + 5 * i, label: `Scan ${i}` }))
    const ada = await openSigner(t, withFiles([...fields, SIGNATURE]))
    const big = (i: number) => Buffer.concat([RED, Buffer.alloc(MAX_RECIPIENT_BYTES / 5 - RED.length, i)])
    for (let i = 0; i < 5; i++) expect((await ada.upload(`Scan ${i}`, big(i))).status).toBe(200)
    expect((await ada.upload('Scan 5', RED)).body.errors?.[0]?.message).toBe(
      'Scan 5: your files are together larger than 100 MB. Please remove one, or choose a smaller one',
    )
    expect((await ada.upload('Scan 0', RED)).status).toBe(200)
    expect((await ada.upload('Scan 5', RED)).status).toBe(200)
  })

  test('only fields for files of this recipient take one, only with a session, a token, and at a bounded rate', async () => {
    const bob = { ...BOB, fields: [{ ...SCAN, label: 'Licence' }, SIGNATURE] }
    const ada = await openSigner(t, { recipients: [{ ...ADA, fields: [SCAN, SIGNATURE] }, bob] })
    expect((await ada.upload('Licence', RED)).status).toBe(404)
    expect((await ada.upload('no such field', RED)).status).toBe(404)
    const form = new FormData()
    form.set('file', new File(['x'], 'x'))
    const path = `${ada.base}/files/${ada.idOf('Passport')}`
    const headers = { origin: 'http://127.0.0.1:3000', cookie: ada.cookie }
    expect((await t.fetch(path, { method: 'POST', body: form, headers })).status).toBe(403)
    expect((await t.fetch(path, { method: 'POST', body: form, headers: { origin: headers.origin } })).status).toBe(404)
    let status = 0
    for (let i = 0; i < 30 && status !== 429; i++) ({ status } = await ada.upload('Passport', Buffer.from('x')))
    expect([status, await rows()]).toEqual([429, []])
  })
})

describe('the signature', () => {
  test('needs the files that are required, and binds each by its hash; the picture is drawn without where it was taken', async () => {
    const ada = await openSigner(t)
    expect((await ada.finish()).status).toBe(422)
    const scan = await pdf()
    await ada.upload('Passport', scan, 'pass.pdf')
    const photo = withSegments(JPEG, [exifSegment(6)])
    const { body: drawn } = await ada.upload('Photo', photo, 'me.jpg')
    expect(drawn.sha256).not.toBe(sha256Hex(photo))
    expect((await ada.finish()).status).toBe(303)
    const { recipients } = await documentOf(ada.documentId)
    const files = recipients[0].fields.map((f: { file?: object; value: string }) => [f.file, f.value])
    const pass = { fileName: 'pass.pdf', mediaType: 'application/pdf', bytes: scan.length, sha256: sha256Hex(scan) }
    expect(files).toEqual([
      [pass, 'pass.pdf'],
      [drawn, 'me.jpg'],
      [undefined, 'Ada Lovelace'],
    ])
    const [signed] = await eventsOf(t, ada.documentId, 'recipient.signed')
    expect(signed.personal.fieldFiles).toEqual({ [ada.idOf('Passport')]: pass, [ada.idOf('Photo')]: drawn })
    await t.drain()
    expect((await documentOf(ada.documentId)).status).toBe('completed')
    // Sent again it is the same signature; the session has ended with it.
    expect((await ada.finish([['Passport', RED, 'other.png']])).status).toBe(303)
    expect((await ada.upload('Passport', RED)).status).toBe(404)
    expect(await ada.remove('Passport')).toBe(404)
    expect((await rows()).map(row => row.sha256).sort()).toEqual([sha256Hex(scan), drawn.sha256 ?? ''].sort())
  })

  test('drops the file of a field that is hidden, and its bytes', async () => {
    const more = { type: 'checkbox', page: 1, x: 5, y: 50, width: 3, height: 3, name: 'more', label: 'More', required: false }
    const hidden = { ...SCAN, label: 'Hidden', y: 60, showIf: { field: 'more', is: 'true' } }
    const ada = await openSigner(t, withFiles([more, hidden, SIGNATURE]))
    const before = storedFiles(t)
    await ada.upload('Hidden', RED)
    expect((await ada.finish()).status).toBe(303)
    expect([await rows(), storedFiles(t)]).toEqual([[], before])
    const [, field] = (await documentOf(ada.documentId)).recipients[0].fields
    expect([field.value, field.file]).toEqual([null, null])
  })
})

describe('without a script', () => {
  test('the form with its files is one request', async () => {
    const ada = await openSigner(t)
    const response = await ada.finish([
      ['Passport', await pdf(), 'pass.pdf'],
      ['Photo', JPEG, 'me.jpg'],
    ])
    expect(response.status).toBe(303)
    const names = (await documentOf(ada.documentId)).recipients[0].fields.map((f: { value: string }) => f.value)
    expect(names).toEqual(['pass.pdf', 'me.jpg', 'Ada Lovelace'])
  })

  test('a refused file is named beside its field; the other file and all that was entered are kept', async () => {
    const town = { type: 'text', page: 1, x: 10, y: 60, width: 30, height: 4, label: 'Town' }
    const ada = await openSigner(t, withFiles([SCAN, PHOTO, town, SIGNATURE]))
    const entered = { [`fields.${ada.idOf('Town')}`]: 'Łódź' }
    const huge = Buffer.alloc(20_000_001)
    const response = await ada.finish(
      [
        ['Passport', huge, 'film.mp4'],
        ['Photo', JPEG, 'me.jpg'],
      ],
      entered,
    )
    const html = await response.text()
    expect(response.status).toBe(422)
    expect(html).toContain('Passport: this file is too large. Please choose one of at most 20 MB')
    expect(html).toContain('value="Łódź"')
    expect((await rows()).map(row => row.file_name)).toEqual(['me.jpg'])
    expect((await ada.finish([['Passport', await pdf(), 'pass.pdf']], entered)).status).toBe(303)
  })

  test('a ticked box removes a file, unless another one is sent for it', async () => {
    const ada = await openSigner(t)
    await ada.upload('Passport', RED, 'a.png')
    await ada.upload('Photo', RED, 'b.png')
    const boxes = { [`remove.${ada.idOf('Photo')}`]: 'on', [`remove.${ada.idOf('Passport')}`]: 'on' }
    expect((await ada.finish([['Passport', JPEG, 'c.jpg']], boxes)).status).toBe(303)
    expect((await rows()).map(row => row.file_name)).toEqual(['c.jpg'])
  })

  test('a full disk answers 503, and the form is there again', async () => {
    const ada = await openSigner(t)
    t.app.storage.keep = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    const response = await ada.finish([['Passport', RED, 'pass.png']], { signature: 'Ada L.' })
    const html = await response.text()
    expect(response.status).toBe(503)
    expect(html).toContain('Data cannot be stored right now.')
    expect(html).toContain('value="Ada L."')
    expect((await ada.upload('Passport', RED)).status).toBe(503)
    expect([await rows(), await claims()]).toEqual([[], []])
  })
})

describe('a file is gone with its form', () => {
  test.each(['declined', 'voided', 'expired'] as const)('when the document is %s', async end => {
    const ada = await openSigner(t)
    const before = storedFiles(t)
    await ada.upload('Passport', RED)
    if (end === 'declined') await ada.visitor.post(`${ada.base}/decline`, { csrf: ada.values.csrf ?? '', reason: 'no' })
    if (end === 'voided') await t.api('POST', `/documents/${ada.documentId}/void`, { reason: 'no' })
    if (end === 'expired') {
      t.clock.pass({ days: 400 })
      await expireDue(t.app)
    }
    expect((await documentOf(ada.documentId)).status).toBe(end)
    await sweepFormValues(t.app)
    expect([await rows(), storedFiles(t)]).toEqual([[], before])
  })

  test('when another person takes the place', async () => {
    const ada = await openSigner(t, { ...withFiles(), allowDelegation: true })
    const before = storedFiles(t)
    await ada.upload('Passport', RED)
    const to = { name: 'Bob', email: BOB.email }
    expect((await ada.visitor.post(`${ada.base}/delegate`, { csrf: ada.values.csrf ?? '', ...to })).status).toBe(200)
    expect([await rows(), storedFiles(t), await claims()]).toEqual([[], before, []])
  })
})
