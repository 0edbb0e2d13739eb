/** Templates from uploads, forms and documents, and their list. */
import { describe, expect, test } from 'bun:test'
import { API_PREFIX } from '../../src/http/server.ts'
import { ADA, BOB, newDocument, SIGNATURE, samplePdf } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'
import { box, createdTemplate, detailsOf, newTemplate } from './scene.ts'

const t = useTestApp()

const get = async (id: string) => (await t.api('GET', `/templates/${id}`)).body

describe('from an upload', () => {
  test('of several files, which are joined', async () => {
    const files = await Promise.all([1, 2].map(async pages => ({ fileName: `${pages}.pdf`, file: await samplePdf(pages) })))
    const { file: _, fileName: __, ...others } = await newTemplate()
    const { status, body } = await t.api('POST', '/templates', { ...others, files })
    expect(status).toBe(201)
    const template = await get(body.id)
    expect([template.pageCount, template.files.map((f: { fileName: string }) => f.fileName)]).toEqual([3, ['1.pdf', '2.pdf']])
  })

  test('as a form', async () => {
    const { file, fileName: _, ...template } = await newTemplate()
    const form = new FormData()
    form.append('template', new Blob([JSON.stringify(template)], { type: 'application/json' }))
    form.append('file', new File([Buffer.from(String(file), 'base64')], 'lease.pdf'))
    const headers = { authorization: `Bearer ${await t.key()}` }
    const response = await t.fetch(`${API_PREFIX}/templates`, { method: 'POST', body: form, headers })
    expect(response.status).toBe(201)
    const { id } = (await response.json()) as { id: string }
    expect((await get(id)).fileName).toBe('lease.pdf')
  })

  test('is refused as a whole, with paths of roles', async () => {
    const [tenant, landlord] = [{ name: 'Tenant' }, { name: ' tenant' }]
    const REFUSED: [overrides: Record<string, unknown>, path: string][] = [
      [{ roles: [tenant, landlord] }, 'roles[1].name'],
      [{ roles: [{ ...tenant, fields: [{ ...SIGNATURE, page: 3 }] }] }, 'roles[0].fields[0].page'],
      [{ roles: [{ ...tenant, fields: [{ ...SIGNATURE, x: 90 }] }] }, 'roles[0].fields[0].width'],
      [{ roles: [{ ...tenant, role: 'viewer', fields: [SIGNATURE] }] }, 'roles[0].fields[0]'],
      [{ roles: [{ ...tenant, email: 'x@example.com' }] }, 'roles[0].email'],
      [{ roles: [{ ...tenant, name: 'a\nb' }] }, 'roles[0].name'],
      [{ roles: [] }, 'roles'],
      [{ senderFields: [{ type: 'signature', ...box(5) }] }, 'senderFields[0].type'],
      [{ expiresAt: '2030-01-01T00:00:00Z' }, 'expiresAt'],
      [{ recipients: [] }, 'recipients'],
    ]
    for (const [overrides, path] of REFUSED) {
      const answer = await t.api('POST', '/templates', await newTemplate(overrides))
      expect([answer.status, Object.keys(detailsOf(answer))]).toEqual([422, [path]])
      expect(detailsOf(answer)[path]).not.toContain('recipients')
    }
    expect((await t.api('POST', '/templates', await newTemplate({ file: btoa('no PDF') }))).body.error.code).toBe('invalid_pdf')
    expect((await t.api('GET', '/templates')).body.data).toEqual([])
    expect(await t.app.db.selectFrom('files').select('sha256').execute()).toEqual([])
  })

  test('may lack what a draft may lack', async () => {
    const fields = [
      { ...SIGNATURE, name: 'Mark' },
      { type: 'dropdown', name: 'Colour', ...box(10) },
      { type: 'text', name: 'colour', readOnly: true, showIf: { field: 'None', is: 'x' }, ...box(20) },
    ]
    const id = await createdTemplate(t, { roles: [{ name: 'Tenant', fields }] })
    expect((await get(id)).problems.map(({ code }: { code: string }) => code).sort()).toEqual([
      'condition_invalid',
      'name_in_use',
      'options_missing',
    ])
  })
})

describe('from a document', () => {
  const text = { type: 'text', ...box(20) }

  test('people become roles; of the values only the read-only ones of the sender stay', async () => {
    const fields = [SIGNATURE, { ...text, label: 'Unit', value: '4b', readOnly: true }, { ...text, label: 'City', value: 'Ulm' }]
    const { body: document } = await t.api(
      'POST',
      '/documents',
      await newDocument({
        title: 'Lease',
        metadata: { customer: '7' },
        senderFields: [{ type: 'text', name: 'Rent', value: '900', ...box(40) }],
        recipients: [
          { ...ADA, accessCode: '123456', locale: 'de', fields },
          { ...BOB, role: 'approver' },
        ],
      }),
    )
    const { status, body } = await t.api('POST', '/templates', { documentId: document.id })
    expect(status).toBe(201)
    const template = await get(body.id)
    expect(template.roles).toMatchObject([
      { name: 'Signer', locale: 'de' },
      { name: 'Approver', role: 'approver' },
    ])
    const valuesOf = (list: { value: string | null }[]) => list.map(({ value }) => value)
    expect([valuesOf(template.roles[0].fields), valuesOf(template.senderFields)]).toEqual([[null, '4b', null], [null]])
    expect([template.title, template.metadata, template.shared]).toEqual(['Lease', {}, false])
    expect(JSON.stringify(template)).not.toContain('ada@example.com')
  })

  test('that was signed nothing stays of what people entered', async () => {
    const recipients = [
      { ...ADA, fields: [SIGNATURE, { ...text, label: 'City' }, { type: 'date', ...box(30) }] },
      { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] },
    ]
    const id = await sentDocument(t, { recipients })
    const city = (await t.api('GET', `/documents/${id}`)).body.recipients[0].fields[1].id
    await signAs(t, ADA.email, ADA.name, { [`fields.${city}`]: 'Ulm' })
    const signed = (await t.api('GET', `/documents/${id}`)).body.recipients[0]
    expect([signed.status, signed.fields[1].value]).toEqual(['signed', 'Ulm'])
    const { body } = await t.api('POST', '/templates', { documentId: id })
    const template = await get(body.id)
    expect(template.roles.map(({ name }: { name: string }) => name)).toEqual([ADA.name, BOB.name])
    expect(template.roles[0].fields.map((f: { value: string | null }) => f.value)).toEqual([null, null, null])
    const original = await t.api('GET', `/documents/${id}/file?version=original`)
    expect((await t.api('GET', `/templates/${body.id}/file`)).body).toEqual(original.body)
    expect((await t.api('DELETE', `/templates/${body.id}`)).status).toBe(200)
    expect((await t.api('GET', `/documents/${id}/file?version=original`)).status).toBe(200)
  })

  test('that does not exist, or with other members beside it, is refused', async () => {
    const unknown = `doc_${'0'.repeat(26)}`
    expect((await t.api('POST', '/templates', { documentId: unknown })).status).toBe(404)
    const both = await t.api('POST', '/templates', { documentId: unknown, title: 'x' })
    expect([both.status, Object.keys(detailsOf(both))]).toEqual([422, ['title']])
    const id = await createdTemplate(t)
    expect((await t.api('POST', '/templates', { documentId: id })).status).toBe(422)
  })
})

test('the list pages by cursor, newest first, and searches titles, files and roles', async () => {
  const ids: string[] = []
  for (const title of ['Lease', 'Größe', 'Offer', 'Loan', 'Proxy']) ids.push(await createdTemplate(t, { title }))
  const page = async (query: string) => (await t.api('GET', `/templates?${query}`)).body
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
  const first = await page('limit=2')
  const second = await page(`limit=2&cursor=${first.nextCursor}`)
  const third = await page(`limit=2&cursor=${second.nextCursor}`)
  expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(ids.toReversed())
  expect(third.nextCursor).toBeNull()
  expect(first.data[0].roles[0].fields).toBeUndefined()
  expect(idsOf(await page('q=GROSSE'))).toEqual(idsOf(await page('q=größe')))
  expect(idsOf(await page('q=größe'))).toEqual([ids[1] ?? ''])
  expect(idsOf(await page('q=landlord'))).toHaveLength(5)
  expect(idsOf(await page('q=nothing'))).toEqual([])
  expect((await t.api('GET', '/templates?cursor=doc_0')).status).toBe(422)
  const [newest] = idsOf(await page('q=l&limit=1'))
  expect(newest).toBe(ids[4] ?? '')
})
