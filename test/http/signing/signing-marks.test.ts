/** Form values and marks before the end, handwriting, and the stream of the page after signing. */
import { describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { inkText } from '../../../src/core/signing/ink.ts'
import { sweepFormValues } from '../../../src/documents/lifecycle/upkeep.ts'
import { drawHandsOf } from '../../../src/documents/signing/hands.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { handSvg } from '../../../views/parts/mark-svg.ts'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { fetchAs, finishForm, type Page, postFile, textOf, type Visitor } from '../../support/browser-less.ts'
import { LiveReader } from '../../support/live.ts'
import { ADA, BOB, BOB_SIGNS, SIGNATURE } from '../../support/sample.ts'
import { openedDocument, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
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
  const { base, values } = finishForm(page)
  const { csrf = '' } = values
  return {
    visitor,
    page,
    base,
    csrf,
    draft: members => visitor.post(`${base}/form-values`, { csrf, ...members }),
    async upload(file, mark = 'signature') {
      const response = await postFile(t, visitor, `${base}/picture`, { csrf, for: mark }, file)
      return { status: response.status, body: await response.json() }
    },
    marks: (number = 1) => fetchAs(t, visitor, `${base}/marks?page=${number}`),
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
    const { values } = finishForm(again.page)
    expect([values[`fields.${town}`], values[`fields.${terms}`], values.signature]).toEqual(['Łódź', undefined, 'A. King'])
    expect((await t.api('GET', `/documents/${id}/audit`)).body).toEqual(after)
    expect(JSON.stringify((await t.api('GET', `/documents/${id}`)).body)).not.toContain('Łódź')
  })

  test('takes what can be kept and tells of what cannot; nobody writes into a field that is not theirs', async () => {
    const id = await sentDocument(t, {
      recipients: [...one.recipients, { ...BOB, fields: [{ ...TOWN, y: 50 }, ...BOB_SIGNS.fields] }],
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
    const id = await sentDocument(t, { recipients: [...one.recipients, BOB_SIGNS] })
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
    const id = await sentDocument(t, { recipients: [...one.recipients, BOB_SIGNS] })
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
    const id = await sentDocument(t, { recipients: [...one.recipients, BOB_SIGNS] })
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

const INITIALS = { type: 'initials', page: 1, x: 60, y: 70, width: 10, height: 4 }

async function opened(name: string) {
  const { id, visitor, page } = await openedDocument(t, { recipients: [{ ...ADA, name, fields: [SIGNATURE, INITIALS] }] })
  const { base, values } = finishForm(page)
  return { id, visitor, page, base, csrf: values.csrf ?? '', values }
}

/** The fonts in the sealed file. */
async function fontsOf(id: string): Promise<string[]> {
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}/file`)
  const names =
    Buffer.from(body)
      .toString('latin1')
      .match(/\/[A-Z]{6}\+\w+-\w+/g) ?? []
  return [...new Set(names.map(name => name.slice('/ABCDEF+'.length)))].filter(name => !name.startsWith('NotoSans'))
}

test('without a script the pictures show the person’s own name and initials in each hand that they have', async () => {
  const { visitor, page, base } = await opened('Anna-Lena von Berg')
  for (const mark of ['signature', 'initials']) {
    for (const hand of [1, 2, 3]) expect(page.html).toContain(`${base}/hand?for=${mark}&amp;hand=${hand}`)
  }
  const [hands, initials] = await Promise.all([
    drawHandsOf(t.app, 'signature', 'Anna-Lena von Berg'),
    drawHandsOf(t.app, 'initials', 'ALvB'),
  ])
  for (const [i, hand] of [1, 2, 3].entries()) {
    const picture = await visitor.get(`${base}/hand?for=signature&hand=${hand}`)
    expect(picture.headers.get('content-type')).toBe('image/svg+xml')
    expect(picture.headers.get('cache-control')).toContain('no-store')
    expect(picture.html).toBe(handSvg(hands[i]!.path))
    expect((await visitor.get(`${base}/hand?for=initials&hand=${hand}`)).html).toBe(handSvg(initials[i]!.path))
  }
  expect((await visitor.get(`${base}/hand?for=other&hand=1`)).status).toBe(404)
})

test('a form full of marks on one letter, which would take hours to sort, keeps nobody waiting', async () => {
  const { visitor, base, csrf } = await opened('Ada Lovelace')
  const endless = `Z${'\u0301\u0316'.repeat(80_000)}`
  const answers = [
    await visitor.post(`${base}/hands`, { csrf, for: 'signature', text: endless }),
    await visitor.post(`${base}/form-values`, { csrf, signature: endless }),
    await visitor.post(`${base}/delegate`, { csrf, name: endless, email: 'zoe' }),
    await visitor.post(`${base}/decline`, { csrf, reason: endless }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 200])
})

test('a name with one hand is offered that one; a picture is of what was saved', async () => {
  const { visitor, page, base, csrf } = await opened('Γεώργιος Ξένος')
  expect(page.html.match(/<label hidden data-name="Handwriting \d"><input type="radio" name="signatureHand"/g)).toHaveLength(2)
  await visitor.post(`${base}/form-values`, { csrf, signature: 'George Xenos', signatureHand: '3' })
  const [, , third] = await drawHandsOf(t.app, 'signature', 'George Xenos')
  expect((await visitor.get(`${base}/hand?for=signature&hand=3`)).html).toBe(handSvg(third!.path))
})

test('what is being typed comes in each of its hands, nothing for blanks, and is not saved', async () => {
  const { visitor, base, csrf } = await opened('Ada Lovelace')
  const drawn = async (text: string) => JSON.parse((await visitor.post(`${base}/hands`, { csrf, for: 'signature', text })).html)
  expect((await drawn('Nguyễn Thị Hằng')).map(({ hand }: { hand: number }) => hand)).toEqual([1, 2])
  expect(await drawn('  ')).toEqual([])
  expect((await drawn('A'.repeat(5_000)))[0].svg.length).toBeLessThan(500_000)
  expect((await visitor.post(`${base}/hands`, { for: 'signature', text: 'Ada' })).status).toBe(403)
  expect(await t.app.db.selectFrom('drafts').selectAll().execute()).toEqual([])
})

test('the chosen hands are kept with the marks, stamped in the document and in the audit certificate', async () => {
  const { id, visitor, page } = await opened('Ada Lovelace')
  const values = { signature: 'Ada Lovelace', signatureHand: '2', initials: 'AL', initialsHand: '3', consent: 'on' }
  expect(textOf(await visitor.submit(page, values, '/finish'))).toContain('You are done')
  const row = await t.app.db.selectFrom('recipients').select(['signature', 'initials']).executeTakeFirstOrThrow()
  expect(JSON.parse(row.signature ?? '')).toEqual({ kind: 'typed', text: 'Ada Lovelace', hand: 2 })
  expect(JSON.parse(row.initials ?? '')).toEqual({ kind: 'typed', text: 'AL', hand: 3 })
  expect((await fontsOf(id)).sort()).toEqual(['GreatVibes-Regular', 'MarckScript-Regular'])
})

test('a mark that was stored without a hand is stamped in the first one', async () => {
  const { id, visitor, page } = await opened('Ada Lovelace')
  const values = { signature: 'Ada Lovelace', signatureHand: '2', initials: 'AL', initialsHand: '2', consent: 'on' }
  expect(textOf(await visitor.submit(page, values, '/finish'))).toContain('You are done')
  await t.app.write(tx =>
    tx
      .updateTable('recipients')
      .set({ signature: '{"kind":"typed","text":"Ada Lovelace"}', initials: '{"kind":"typed","text":"AL"}' })
      .execute(),
  )
  expect(await fontsOf(id)).toEqual(['Caveat-Regular'])
})

test('a mark in a hand whose font an earlier release had is stamped in the first one, and sealed', async () => {
  const { id, visitor, page } = await opened('김민준')
  const values = { signature: '김민준', initials: '김', consent: 'on' }
  expect(textOf(await visitor.submit(page, values, '/finish'))).toContain('You are done')
  const stored = (text: string, hand: number) => JSON.stringify({ kind: 'typed', text, hand })
  await t.app.write(tx =>
    tx
      .updateTable('recipients')
      .set({ signature: stored('김민준', 3), initials: stored('김', 2) })
      .execute(),
  )
  expect(await fontsOf(id)).toEqual(['NanumPenScript-Regular'])
  expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'completed' })
})

test('an unknown hand is the first one in a form, and is not saved', async () => {
  const { visitor, page, base, csrf } = await opened('Ada Lovelace')
  expect((await visitor.post(`${base}/form-values`, { csrf, signatureHand: '4' })).status).toBe(204)
  expect(await t.app.db.selectFrom('drafts').selectAll().execute()).toEqual([])
  const values = { signature: 'Ada Lovelace', signatureHand: 'x', initials: 'AL', consent: 'on' }
  expect(textOf(await visitor.submit(page, values, '/finish'))).toContain('You are done')
  const row = await t.app.db.selectFrom('recipients').select('signature').executeTakeFirstOrThrow()
  expect(JSON.parse(row.signature ?? '')).toEqual({ kind: 'typed', text: 'Ada Lovelace', hand: 1 })
})

/** Ada has signed and Bob has not. */
async function signed() {
  const { id, visitor, page } = await openedDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }, BOB_SIGNS] })
  await visitor.submit(page, { signature: 'Ada', consent: 'on' }, '/finish')
  return { id, visitor, path: page.url }
}

async function listen(visitor: Visitor, path: string): Promise<LiveReader> {
  const response = await fetchAs(t, visitor, path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  return new LiveReader(response)
}

test('each change of the document is an event without content, the last one is its end', async () => {
  const { visitor, path } = await signed()
  const reader = await listen(visitor, `${path}/live`)
  await signAs(t, BOB.email, 'Bob')
  const events = []
  await t.drain()
  for (let event = await reader.next(); event; event = await reader.next()) {
    events.push(event)
    await t.app.eventStreams.beat()
  }
  expect(events.length).toBeGreaterThan(0)
  expect(events.every(({ event, data }) => event === 'changed' && Object.keys(data).length === 0)).toBe(true)
  expect(t.app.eventStreams.size).toBe(0)
})

test('changes of other documents are no events', async () => {
  const { id, visitor, path } = await signed()
  const reader = await listen(visitor, `${path}/live?after=${await t.app.changes.position()}`)
  await sentDocument(t, { recipients: [BOB_SIGNS] })
  await t.api('POST', `/documents/${id}/void`, { reason: 'wrong file' })
  expect((await reader.next())?.id).toBe(await t.app.changes.position())
  await t.app.eventStreams.beat()
  expect(await reader.next()).toBeUndefined()
})

test('a page that has missed the end of the document learns of it when it connects again', async () => {
  const { id, visitor, path } = await signed()
  const known = await t.app.changes.position()
  await t.api('POST', `/documents/${id}/void`, { reason: 'wrong file' })
  const reader = await listen(visitor, `${path}/live?after=${known}`)
  expect((await reader.next())?.event).toBe('changed')
  const late = await listen(visitor, `${path}/live?after=${await t.app.changes.position()}`)
  expect(await late.next()).toBeUndefined()
})

test('the stream ends when the link does', async () => {
  const { id, visitor, page } = await openedDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }, BOB_SIGNS] })
  const reader = await listen(visitor, `${page.url}/live`)
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  const corrected = { email: 'ada.lovelace@example.com' }
  expect((await t.api('PATCH', `/documents/${id}/recipients/${recipients[0].id}`, corrected)).status).toBe(200)
  await t.app.eventStreams.beat()
  expect(await reader.next()).toBeUndefined()
})
