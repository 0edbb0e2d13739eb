/**
 * Form values and marks before the end: saved, drawn as the seal will draw them, sealed, proved.
 */
import { describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { inkText } from '../../../src/core/signing/ink.ts'
import { sweepFormValues } from '../../../src/documents/lifecycle/upkeep.ts'
import { sha256Hex } from '../../../src/lib/token.ts'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { cookieOf, formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, BOB, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const TOWN = { type: 'text', page: 1, x: 10, y: 20, width: 30, height: 4, label: 'Town' }
const TERMS = { type: 'checkbox', page: 1, x: 10, y: 30, width: 4, height: 3, label: 'Terms', required: false }
const one = { recipients: [{ ...ADA, fields: [TOWN, TERMS, SIGNATURE] }] }

const INK = inkText({
  width: 600,
  height: 200,
  strokes: [[20, 150, 128, 100, 40, 128, 220, 160, 128, 400, 60, 128, 560, 120, 128]],
})

const SMALL = { ...PHOTO, width: 400, height: 300, pen: 5 }
/** A photo of a signature on paper; another seed, another grain. */
const photo = (seed: number) => pngOfPhoto(photoOf(SMALL, seed))
const EMPTY_SHEET = pngOfPhoto(photoOf({ ...SMALL, ink: SMALL.paper, shadow: 0 }, 3))

interface Signing {
  visitor: Visitor
  page: Page
  /** `/sign/rcp_…` */
  base: string
  csrf: string
  draft(members: Record<string, string>): Promise<Page>
  /** As the script of the page sends it. */
  upload(
    file: Uint8Array,
    mark?: string,
  ): Promise<{ status: number; body: { errors?: { path: string; message: string }[]; width?: number } }>
  marks(page?: number): Promise<Response>
}

async function open(email: string): Promise<Signing> {
  const { visitor, page } = await openLinkAs(t, email)
  const form = formsOf(page.html).find(f => f.action.endsWith('/finish'))
  const base = form?.action.replace(/\/finish$/, '') ?? ''
  const csrf = form?.values.csrf ?? ''
  const cookie = cookieOf(visitor)
  return {
    visitor,
    page,
    base,
    csrf,
    draft: members => visitor.post(`${base}/form-values`, { csrf, ...members }),
    async upload(file, mark = 'signature') {
      const body = new FormData()
      body.set('csrf', csrf)
      body.set('for', mark)
      body.set('file', new File([file as Uint8Array<ArrayBuffer>], 'photo.png'))
      const response = await t.fetch(`${base}/picture`, { method: 'POST', body, headers: { cookie, origin: ORIGIN } })
      return { status: response.status, body: await response.json() }
    },
    marks: (number = 1) => t.fetch(`${base}/marks?page=${number}`, { headers: { cookie } }),
  }
}

const fieldId = async (id: string, type: string): Promise<string> =>
  (await t.api('GET', `/documents/${id}`)).body.recipients[0].fields.find((f: { type: string }) => f.type === type).id

describe('a draft', () => {
  test('survives in another window: every value comes back as it was entered, and the sender sees none of it', async () => {
    const id = await sentDocument(t, one)
    const [town, terms] = [await fieldId(id, 'text'), await fieldId(id, 'checkbox')]
    const before = (await t.api('GET', `/documents/${id}/audit`)).body
    const ada = await open(ADA.email)
    const after = (await t.api('GET', `/documents/${id}/audit`)).body
    expect(after.events.length).toBeGreaterThan(before.events.length)
    expect((await ada.draft({ [`fields.${town}`]: 'Łódź', [`fields.${terms}`]: 'on', signature: 'A. King' })).status).toBe(204)
    expect((await ada.draft({ [`fields.${terms}`]: '' })).status).toBe(204)
    const again = await open(ADA.email)
    const { values } = formsOf(again.page.html).find(f => f.action.endsWith('/finish'))!
    expect([values[`fields.${town}`], values[`fields.${terms}`], values.signature]).toEqual(['Łódź', undefined, 'A. King'])
    expect((await t.api('GET', `/documents/${id}/audit`)).body).toEqual(after)
    expect(JSON.stringify((await t.api('GET', `/documents/${id}`)).body)).not.toContain('Łódź')
  })

  test('takes what can be kept and tells of what cannot; nobody writes into a field that is not theirs', async () => {
    const id = await sentDocument(t, {
      recipients: [
        ...one.recipients,
        {
          ...BOB,
          fields: [
            { ...TOWN, y: 50 },
            { ...SIGNATURE, x: 55 },
          ],
        },
      ],
    })
    const bobs = (await t.api('GET', `/documents/${id}`)).body.recipients[1].fields[0].id
    const town = await fieldId(id, 'text')
    const ada = await open(ADA.email)
    const refused = await ada.draft({
      [`fields.${town}`]: 'x'.repeat(501),
      signature: 'Kept',
      [`fields.${bobs}`]: 'Mallory',
      other: 'x',
    })
    expect(refused.status).toBe(422)
    expect(JSON.parse(refused.html).errors.map((f: { path: string }) => f.path)).toEqual([`fields.${town}`])
    expect(JSON.parse((await ada.draft({ signatureInk: '{"width":1}' })).html).errors).toMatchObject([{ path: 'signature' }])
    expect((await open(ADA.email)).page.html).toContain('Kept')
    expect((await open(BOB.email)).page.html).not.toContain('Mallory')
  })

  test('needs the token of the page, and ends with the act', async () => {
    const id = await sentDocument(t, one)
    const ada = await open(ADA.email)
    expect((await ada.visitor.post(`${ada.base}/form-values`, { csrf: 'x', signature: 'Eve' })).status).toBe(403)
    await ada.draft({ signature: 'Ada' })
    await ada.visitor.submit(
      ada.page,
      { signature: 'Ada', consent: 'on', [`fields.${await fieldId(id, 'text')}`]: 'Ghent' },
      '/finish',
    )
    expect((await ada.draft({ signature: 'Later' })).status).toBe(409)
    expect(await t.app.db.selectFrom('drafts').selectAll().execute()).toEqual([])
  })

  test('goes when the document has ended without its person, with the picture in it; what was signed with stays', async () => {
    const id = await sentDocument(t, { recipients: [...one.recipients, { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] }] })
    const bob = await open(BOB.email)
    await bob.visitor.submit(bob.page, { signatureKind: 'drawn', signatureInk: INK, signature: '', consent: 'on' }, '/finish')
    const ada = await open(ADA.email)
    await ada.draft({ signature: 'Ada' })
    expect((await ada.upload(photo(4))).status).toBe(200)
    await sweepFormValues(t.app)
    expect(await t.app.db.selectFrom('mark_contents').select('kind').orderBy('kind').execute()).toEqual([
      { kind: 'drawn' },
      { kind: 'uploaded' },
    ])
    await t.api('POST', `/documents/${id}/void`, { reason: 'wrong file' })
    await sweepFormValues(t.app)
    expect(await t.app.db.selectFrom('drafts').selectAll().execute()).toEqual([])
    expect(await t.app.db.selectFrom('mark_contents').select('kind').execute()).toEqual([{ kind: 'drawn' }])
  })
})

describe('the marks on a page', () => {
  test('are what others have finished and what this person has entered, as the seal will draw them', async () => {
    const id = await sentDocument(t, { recipients: [...one.recipients, { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] }] })
    const ada = await open(ADA.email)
    const empty = await ada.marks()
    expect([200, 204]).toContain(empty.status)
    await signAs(t, BOB.email, 'Bob Søndergård')
    await ada.draft({ [`fields.${await fieldId(id, 'text')}`]: 'Łódź', signature: 'Ada King' })
    const response = await ada.marks()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const text = await pdfText(await response.bytes())
    for (const words of ['Łódź', 'Ada King', 'Bob Søndergård']) expect(text).toContain(words)
    expect((await ada.marks(2)).status).toBe(404)
    expect((await t.fetch(`${ada.base}/marks?page=1`)).status).toBe(404)
  })

  test('hold nothing of a person who has not finished, on the page of another', async () => {
    const id = await sentDocument(t, { recipients: [...one.recipients, { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] }] })
    const ada = await open(ADA.email)
    await ada.draft({ [`fields.${await fieldId(id, 'text')}`]: 'Secret town', signature: 'Ada King' })
    const bob = await open(BOB.email)
    const response = await bob.marks()
    const text = response.status === 200 ? await pdfText(await response.bytes()) : ''
    expect(text).not.toContain('Secret')
    expect(text).not.toContain('Ada')
  })
})

describe('a signature', () => {
  test('that was drawn is sealed as drawn, named so in the audit certificate, and its strokes are in the evidence pack', async () => {
    const id = await sentDocument(t, one)
    const ada = await open(ADA.email)
    const values = {
      signatureKind: 'drawn',
      signatureInk: INK,
      signature: '',
      consent: 'on',
      [`fields.${await fieldId(id, 'text')}`]: 'Ghent',
    }
    expect(textOf(await ada.visitor.submit(ada.page, values, '/finish'))).toContain('You are done')
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(body.status).toBe('completed')
    expect(body.recipients[0].fields.find((f: { type: string }) => f.type === 'signature').value).toBe(ADA.name)
    const sha256 = sha256Hex(INK)
    const text = (await pdfText((await t.api('GET', `/documents/${id}/file`)).body)).replace(/\s+/g, ' ')
    expect(text).toContain(sha256)
    expect(text).toContain('Computed from the drawn strokes')
    const pack = unzipSync((await t.api('GET', `/documents/${id}/evidence`)).body)
    const name = Object.keys(pack).find(entry => entry.startsWith('marks/'))!
    expect(name).toEndWith('-signature.json')
    expect(sha256Hex(pack[name]!)).toBe(sha256)
    expect(new TextDecoder().decode(pack[name])).toBe(INK)
  })

  test('from a picture: the paper goes, the ink is sealed, what was tried before is gone', async () => {
    const id = await sentDocument(t, one)
    const ada = await open(ADA.email)
    expect((await ada.upload(photo(1))).status).toBe(200)
    const second = await ada.upload(photo(2))
    expect(second.status).toBe(200)
    expect(second.body.width).toBeGreaterThan(10)
    expect(await t.app.db.selectFrom('mark_contents').select('kind').execute()).toHaveLength(1)
    const reloaded = await open(ADA.email)
    expect(reloaded.page.html).toContain('uploaded')
    const kept = await ada.visitor.get(`${ada.base}/picture?for=signature`)
    expect([kept.status, kept.headers.get('content-type')]).toEqual([200, 'image/png'])
    const values = { signatureKind: 'uploaded', signature: '', consent: 'on', [`fields.${await fieldId(id, 'text')}`]: 'Ghent' }
    expect(textOf(await ada.visitor.submit(ada.page, values, '/finish'))).toContain('You are done')
    expect(await t.app.db.selectFrom('mark_contents').select('kind').execute()).toEqual([{ kind: 'uploaded' }])
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
  })

  test('that is no picture, or an empty sheet, is refused with what to do; a missing picture gets an error at its field', async () => {
    const id = await sentDocument(t, one)
    const ada = await open(ADA.email)
    const jpeg = Buffer.from('ffd8ffc0000b080010001001011100ffd9', 'hex')
    for (const bytes of [Buffer.from('%PDF-1.7'), jpeg]) {
      const message = expect.stringContaining('Please choose a PNG file, or take a screenshot')
      expect((await ada.upload(bytes)).body.errors).toMatchObject([{ path: 'signature', message }])
    }
    expect((await ada.upload(EMPTY_SHEET)).body.errors?.[0]?.message).toContain('No handwriting')
    const town = { [`fields.${await fieldId(id, 'text')}`]: 'Ghent' }
    for (const kind of ['uploaded', 'drawn']) {
      const refused = await ada.visitor.submit(ada.page, { signatureKind: kind, consent: 'on', ...town }, '/finish')
      expect([kind, refused.status]).toEqual([kind, 422])
    }
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('viewed')
  })
})
