/** Fields made of what the PDF contains: tags and form fields, from the API to the sealed file. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { boxOfPixels, hasPdftoppm, type Picture, pictureOf } from '../../support/page-picture.ts'
import { ADA, BOB } from '../../support/sample.ts'
import { signAs } from '../../support/story.ts'
import { formPdf, taggedPdf } from '../../support/tagged-pdf.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const TAGS = [
  { text: 'Signed: {{ Signature:1 }}', x: 72, y: 500 },
  { text: 'on {{date:1}}', x: 72, y: 400 },
  { text: '{{text:2:Place of work}}', x: 72, y: 300 },
  { text: '{{dropdown:2:Size:Small|Large}}', x: 72, y: 200 },
]

async function create(pdf: Uint8Array, body: Record<string, unknown>) {
  return t.api('POST', '/documents', {
    fileName: 'a.pdf',
    file: Buffer.from(pdf).toString('base64'),
    recipients: [ADA, BOB],
    ...body,
  })
}

type FieldJson = Record<string, unknown> & { type: string; label: string | null; covers: unknown[] }

async function fieldsOf(id: string): Promise<FieldJson[][]> {
  const { body } = await t.api('GET', `/documents/${id}`)
  return body.recipients.map(({ fields }: { fields: FieldJson[] }) => fields)
}

describe('tags', () => {
  test('become fields of the recipients that they number, in any case and with blanks', async () => {
    const made = await create(await taggedPdf(TAGS), { fieldsFrom: ['tags'] })
    expect([made.status, made.body.warnings]).toEqual([201, []])
    const [first = [], second = []] = await fieldsOf(made.body.id)
    expect(first.map(({ type }) => type)).toEqual(['signature', 'date'])
    expect(second.map(({ type, label, options }) => [type, label, options])).toEqual([
      ['text', 'Place of work', undefined],
      ['dropdown', 'Size', ['Small', 'Large']],
    ])
    expect(first[0]?.covers).toHaveLength(1)
  })

  test('of one choice each become one radio field that covers all of them; one alone is ticked', async () => {
    const choices = [
      { text: '{{radio:1:Payment:Monthly}}', x: 72, y: 500 },
      { text: '{{radio:1:Payment:Yearly}}', x: 72, y: 460 },
      { text: '{{radio:2:Pets:Yes}}', x: 72, y: 420 },
    ]
    const made = await create(await taggedPdf(choices), { fieldsFrom: ['tags'] })
    expect([made.status, made.body.warnings]).toEqual([201, []])
    const [[payment] = [], [pets] = []] = await fieldsOf(made.body.id)
    expect(payment).toMatchObject({ type: 'radio', label: 'Payment', options: [{ value: 'Monthly' }, { value: 'Yearly' }] })
    expect(payment?.covers).toHaveLength(2)
    expect(pets).toMatchObject({ type: 'checkbox', label: 'Pets' })
  })

  test('with several choices in one tag, or without a label, are named as no field', async () => {
    const texts = [
      { text: '{{radio:1:Payment:Monthly|Yearly}}', x: 72, y: 500 },
      { text: '{{radio:1::Monthly}}', x: 72, y: 460 },
    ]
    const made = await create(await taggedPdf(texts), { fieldsFrom: ['tags'] })
    const codes = made.body.warnings.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['unknown_tag', 'unknown_tag', 'no_fields_found'])
    expect(made.body.warnings[0].message).toContain('one tag for each choice, as in {{radio:1:Size:Small}}')
  })

  test('stay text, and no field is made, unless the request asks for it', async () => {
    const made = await create(await taggedPdf(TAGS), {})
    expect(await fieldsOf(made.body.id)).toEqual([[], []])
  })

  test('of a recipient that does not exist refuse the request and name the tag and its page', async () => {
    const refused = await create(await taggedPdf([{ text: '{{initials:3}}', x: 72, y: 500 }]), { fieldsFrom: ['tags'] })
    expect(refused.status).toBe(422)
    expect(refused.body.error.details).toEqual([
      {
        path: 'fieldsFrom',
        code: 'tag_without_recipient',
        message: 'the tag {{initials:3}} on page 1 is for recipient 3, but the document has 2',
      },
    ])
  })

  test('of an unknown type are a warning and stay in the document', async () => {
    const made = await create(await taggedPdf([{ text: '{{stamp:1}}', x: 72, y: 500 }]), { fieldsFrom: ['tags'] })
    expect(made.body.warnings.map(({ code }: { code: string }) => code)).toEqual(['unknown_tag', 'no_fields_found'])
    expect(made.body.warnings[0].message).toContain('{{stamp:1}} on page 1')
  })

  test('close to each other keep their fields, and one that is over a form field is named', async () => {
    const close = [
      { text: '{{signature:1}}', x: 72, y: 500 },
      { text: '{{date:1}} {{initials:1}}', x: 90, y: 514 },
    ]
    const made = await create(await taggedPdf(close), { fieldsFrom: ['tags'] })
    const [fields = []] = await fieldsOf(made.body.id)
    expect(fields.map(({ type }) => type).sort()).toEqual(['date', 'initials', 'signature'])
    const both = await PDFDocument.load(await taggedPdf([{ text: '{{signature:1}}', x: 72, y: 500 }]))
    both.getForm().createTextField('a').addToPage(both.getPage(0), { x: 72, y: 495, width: 200, height: 20 })
    const { body } = await create(await both.save(), { fieldsFrom: ['form', 'tags'], recipients: [ADA] })
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(['overlapping_tag'])
  })

  test.skipIf(!hasPdftoppm)('are covered in the sealed file, and nothing else is', async () => {
    const pdf = await taggedPdf(TAGS)
    const { body } = await create(pdf, { fieldsFrom: ['tags'], recipients: [ADA, BOB] })
    await t.api('POST', `/documents/${body.id}/send`, {})
    await t.drain()
    const [, second = []] = await fieldsOf(body.id)
    const [text, dropdown] = second.map(field => String(field.id))
    await signAs(t, ADA.email, 'Ada Lovelace')
    await signAs(t, BOB.email, 'Bob', { [`fields.${text}`]: 'Oslo', [`fields.${dropdown}`]: 'Small' })
    await t.drain()
    const sealed = await t.api('GET', `/documents/${body.id}/file`)
    expect((await t.api('GET', `/documents/${body.id}`)).body.status).toBe('completed')
    const before = picture('original.pdf', pdf)
    const after = picture('sealed.pdf', sealed.body)
    const firstLine = { top: 841 - 515, bottom: 841 - 495 }
    // "Signed:" is left of the tag.
    expect(inkIn(before, { ...firstLine, left: 72, right: 115 })).toEqual(inkIn(after, { ...firstLine, left: 72, right: 115 }))
    const dateTag = { top: 841 - 412, bottom: 841 - 397, left: 90, right: 160 }
    expect(inkIn(before, dateTag)).toBeDefined()
    expect(differs(before, after, dateTag)).toBe(true)
    const choice = { top: 841 - 212, bottom: 841 - 196, left: 150, right: 300 }
    expect(inkIn(before, choice)).toBeDefined()
    expect(inkIn(after, choice)).toBeUndefined()
  })

  test('an edit can cover the text of a tag only', async () => {
    const { body } = await create(await taggedPdf(TAGS), { fieldsFrom: ['tags'] })
    const [[signature] = []] = await fieldsOf(body.id)
    const covers = signature?.covers as Record<string, number>[]
    const edit = (boxes: unknown[]) => t.api('PATCH', `/documents/${body.id}`, { fields: [{ id: signature?.id, covers: boxes }] })
    expect((await edit(covers)).status).toBe(200)
    const refused = await edit([{ page: 1, x: 10, y: 10, width: 50, height: 5 }])
    expect(refused.status).toBe(422)
    expect(refused.body.error.details[0].path).toBe('fields[0].covers[0]')
  })
})

describe('form fields', () => {
  test('become fields of the only signer, without those that nobody fills in', async () => {
    const made = await create(await formPdf(), { fieldsFrom: ['form'], recipients: [ADA] })
    expect([made.status, made.body.error]).toEqual([201, undefined])
    const [fields = []] = await fieldsOf(made.body.id)
    expect(fields.map(({ type, label }) => [type, label])).toEqual([
      ['name', 'full name'],
      ['date', 'Date'],
      ['email', 'Email'],
      ['text', 'Remarks'],
      ['dropdown', 'Colour'],
      ['checkbox', 'I agree'],
      ['radio', 'Size'],
    ])
    const [small, large] = (fields.at(-1)?.options ?? []) as Record<string, unknown>[]
    expect([small, large]).toMatchObject([
      { value: 'Small', page: 1 },
      { value: 'Large', page: 1 },
    ])
    expect(Number(large?.x) - Number(small?.x)).toBeCloseTo((100 * 48) / 595.28, 1)
    expect(fields.find(({ label }) => label === 'Remarks')?.maxLength).toBe(40)
  })

  test.skipIf(!hasPdftoppm)('show what was entered in the sealed file, in the boxes that the form draws', async () => {
    const pdf = await formPdf()
    const { body } = await create(pdf, { fieldsFrom: ['form'], recipients: [ADA] })
    await t.api('POST', `/documents/${body.id}/send`, {})
    await t.drain()
    const [fields = []] = await fieldsOf(body.id)
    const idOf = (label: string) => `fields.${fields.find(field => field.label === label)?.id}`
    const values = { [idOf('Remarks')]: 'REMARKS', [idOf('I agree')]: 'true', [idOf('Colour')]: 'Red' }
    await signAs(t, ADA.email, 'Ada Lovelace', { ...values, [idOf('full name')]: 'Ada', [idOf('Email')]: ADA.email })
    await t.drain()
    expect((await t.api('GET', `/documents/${body.id}`)).body.status).toBe('completed')
    const sealed = picture('sealed.pdf', (await t.api('GET', `/documents/${body.id}/file`)).body)
    const before = picture('original.pdf', pdf)
    for (const y of [640, 560]) {
      const inside = { left: 74, right: y === 560 ? 84 : 270, top: 841 - y - 12, bottom: 841 - y - 2 }
      expect(inkIn(before, inside)).toBeUndefined()
      expect(inkIn(sealed, inside)).toBeDefined()
      const border = { left: 70, right: 74, top: 841 - y - 12, bottom: 841 - y - 4 }
      expect(boxOfPixels(cut(sealed, border), isRed)).toBeDefined()
    }
  })

  test('of two signers are refused, since the form does not say whose they are', async () => {
    const refused = await create(await formPdf(), { fieldsFrom: ['form'] })
    expect(refused.status).toBe(422)
    expect(refused.body.error.details[0].path).toBe('fieldsFrom')
  })
})

test('the proposals of a document are for its owner, and all kinds are listed', async () => {
  const made = await create(await taggedPdf(TAGS), {})
  const found = await t.app.pdf.findFields({
    path: await t.app.storage.localPath((await t.api('GET', `/documents/${made.body.id}`)).body.sha256.original),
  })
  expect(found.proposals.map(({ source, party }) => [source, party])).toEqual([
    ['tag', 1],
    ['tag', 1],
    ['tag', 2],
    ['tag', 2],
  ])
})

function picture(name: string, bytes: Uint8Array): Picture {
  const path = join(t.app.config.dataFolder, name)
  writeFileSync(path, bytes)
  return pictureOf(path, 1)
}

interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

function cut({ width, pixels }: Picture, { left, top, right, bottom }: Area): Picture {
  const rows = Array.from({ length: bottom - top }, (_, i) =>
    pixels.subarray(3 * ((top + i) * width + left), 3 * ((top + i) * width + right)),
  )
  return { width: right - left, height: bottom - top, pixels: Buffer.concat(rows) }
}

const isRed = (red: number, green: number, blue: number) => red > 150 && green + blue < 200
const isDark = (red: number, green: number, blue: number) => red + green + blue < 350
const inkIn = (whole: Picture, area: Area) => boxOfPixels(cut(whole, area), isDark)
const differs = (a: Picture, b: Picture, area: Area) => !Buffer.from(cut(a, area).pixels).equals(Buffer.from(cut(b, area).pixels))
