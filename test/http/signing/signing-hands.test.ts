/** The handwriting of a typed mark: shown, chosen, kept with the mark, stamped. */
import { expect, test } from 'bun:test'
import { drawHandsOf } from '../../../src/documents/signing/hands.ts'
import { handSvg } from '../../../views/parts/mark-svg.ts'
import { formsOf, textOf } from '../../support/browser-less.ts'
import { ADA, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const INITIALS = { type: 'initials', page: 1, x: 60, y: 70, width: 10, height: 4 }

async function opened(name: string) {
  const id = await sentDocument(t, { recipients: [{ ...ADA, name, fields: [SIGNATURE, INITIALS] }] })
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const form = formsOf(page.html).find(({ action }) => action.endsWith('/finish'))
  const base = form?.action.replace(/\/finish$/, '') ?? ''
  return { id, visitor, page, base, csrf: form?.values.csrf ?? '', values: form?.values ?? {} }
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
