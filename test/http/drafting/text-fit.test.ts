/** A text that the PDF would cut is refused where it is entered, and what fits is printed whole. */
import { describe, expect, test } from 'bun:test'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'

const t = useTestApp()

const REMARK = { type: 'text', page: 1, x: 10, y: 20, width: 30, height: 4, label: 'Remark', required: false, maxLength: 2000 }
const SENTENCE = 'The apartment was handed over with two keys and a marked floor plan. '
const LONG = SENTENCE.repeat(12).trim()

async function opened(fields: object[] = [REMARK, SIGNATURE], more: object = {}) {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields }], ...more })
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const { body } = await t.api('GET', `/documents/${id}`)
  return { id, visitor, page, field: body.recipients[0].fields[0].id as string }
}

const sign = (visitor: Visitor, page: Page, field: string, text: string) =>
  visitor.submit(page, { signature: 'Ada', consent: 'on', [`fields.${field}`]: text }, '/finish')

describe('a text that is too long for its place', () => {
  test('is refused at the end with the number of characters, what was entered is kept, and nobody has signed', async () => {
    const { id, visitor, page, field } = await opened()
    const refused = await sign(visitor, page, field, LONG)
    expect(refused.status).toBe(422)
    expect(textOf(refused)).toMatch(/too long for its place in the document. Please use at most about \d+ characters/)
    expect(refused.html).toContain(LONG)
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('viewed')
  })

  test('is refused while the form is filled in, in the language of the page', async () => {
    const { visitor, page, field } = await opened([REMARK, SIGNATURE], { locale: 'de' })
    const { action, values } = formsOf(page.html).find(form => form.action.endsWith('/finish'))!
    const saved = (text: string) =>
      visitor.post(action.replace(/finish$/, 'form-values'), { csrf: values.csrf!, [`fields.${field}`]: text })
    const refused = await saved(LONG)
    expect(refused.status).toBe(422)
    const [error] = JSON.parse(refused.html).errors
    expect(error.path).toBe(`fields.${field}`)
    expect(error.message).toMatch(/^Remark: Das ist zu lang für die Stelle im Dokument/)
    expect((await saved(SENTENCE)).status).toBe(204)
  })

  test('is accepted in a larger place, and printed whole', async () => {
    const { id, visitor, page, field } = await opened([
      { ...REMARK, width: 80, height: 30 },
      { ...SIGNATURE, y: 60 },
    ])
    expect((await sign(visitor, page, field, LONG)).status).toBe(200)
    await t.drain()
    const sealed = await t.api('GET', `/documents/${id}/file`)
    const printed = await pdfText(sealed.body, '-l', '1')
    expect(printed.replace(/\s+/g, ' ')).toContain(LONG)
    expect(printed).not.toContain('…')
  })
})

describe('a value or a choice of the sender that is too long for its place', () => {
  const { maxLength: _, ...place } = REMARK
  const CHOICE = { ...place, type: 'dropdown', options: ['Yes', LONG.slice(0, 199).trim()], width: 15 }

  test.each([
    ['value', { ...REMARK, value: LONG, readOnly: true }],
    ['value', { ...REMARK, value: LONG }],
    ['options', CHOICE],
  ])('keeps the document from being sent, by its %s', async (member, field) => {
    const body = await newDocument({ recipients: [{ ...ADA, fields: [field, SIGNATURE] }] })
    const { body: created } = await t.api('POST', '/documents', body)
    expect(created).toMatchObject({ status: 'draft' })
    const { id } = created
    const { body: refused, status } = await t.api('POST', `/documents/${id}/send`)
    const [{ id: fieldId }] = (await t.api('GET', `/documents/${id}`)).body.recipients[0].fields
    expect([status, refused.error.code]).toEqual([422, 'validation_failed'])
    expect(refused.error.details).toEqual([
      {
        path: `fields/${fieldId}/${member}`,
        code: 'text_too_long',
        message: 'is too long for its place in the document: shorten it, or enlarge the field',
      },
    ])
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('draft')
  })

  test('is named on the review page', async () => {
    const office = await newAdministrator(t)
    const recipients = [{ ...ADA, fields: [{ ...REMARK, value: LONG }, SIGNATURE] }]
    const body = await newDocument({ recipients, senderFields: [{ ...REMARK, page: 1, y: 40, value: LONG }] })
    const { id } = (await t.api('POST', '/documents', body)).body
    const page = await office.get(`/documents/${id}/review`)
    expect(textOf(page)).toContain('The text in a field of Ada Lovelace on page 1 is too long for its place.')
    expect(textOf(page)).toContain('The text in a field of yours on page 1 is too long for its place.')
  })
})

test('a value of the sender never keeps a recipient from signing', async () => {
  const { visitor, page, field } = await opened([{ ...REMARK, value: SENTENCE, readOnly: true, height: 8 }, SIGNATURE])
  expect((await sign(visitor, page, field, 'ignored')).status).toBe(200)
})
