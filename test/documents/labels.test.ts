/** Labels and the time of the last change are stored, shown and found. */
import { expect, test } from 'bun:test'
import { editDraft } from '../../src/documents/draft/edit-draft.ts'
import { SYSTEM } from '../../src/ports.ts'
import { newDocument } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const found = async (query: string) => (await t.api('GET', `/documents?${query}`)).body.data.map((d: { id: string }) => d.id)

test('labels are given at creation, cleaned, each once, and found one at a time', async () => {
  const labels = ['Urgent', ' Urgent ', 'Müller & Söhne', '<b>']
  const { body } = await t.api('POST', '/documents', await newDocument({ labels }))
  expect((await t.api('GET', `/documents/${body.id}`)).body.labels).toEqual(['Urgent', 'Müller & Söhne', '<b>'])
  await t.api('POST', '/documents', await newDocument())
  expect(await found('label=Urgent')).toEqual([body.id])
  expect(await found(`label=${encodeURIComponent('Müller & Söhne')}&status=draft,sent`)).toEqual([body.id])
  expect(await found('label=urgent')).toEqual([body.id])
  expect(await found('label=urgent%20')).toEqual([body.id])
  expect(await found('label=urgen')).toEqual([])
})

test('too many, too long or empty labels are refused with their path', async () => {
  const paths = async (labels: string[]) => {
    const { status, body } = await t.api('POST', '/documents', await newDocument({ labels }))
    return [status, body.error?.details.map((d: { path: string }) => d.path)]
  }
  expect(await paths(Array.from({ length: 21 }, (_, i) => `l${i}`))).toEqual([422, ['labels']])
  expect(await paths(['ok', 'x'.repeat(51)])).toEqual([422, ['labels[1]']])
  expect(await paths(['ok', ' ', 'two\nlines'])).toEqual([422, ['labels[1]', 'labels[2]']])
  expect(await paths(Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(50, 'x')))).toEqual([201, undefined])
})

test('labels change in every state, without an entry in the audit log, and the time of the change moves', async () => {
  const id = await sentDocument(t, { labels: ['one'] })
  await t.api('POST', `/documents/${id}/void`, { reason: 'x' })
  const before = (await t.api('GET', `/documents/${id}`)).body
  const events = (await t.api('GET', `/documents/${id}/audit`)).body.events.length
  t.clock.pass({ minutes: 5 })
  await editDraft(t.app, id, { labels: ['two', 'three'] }, { origin: SYSTEM })
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body).toEqual({ ...before, labels: ['two', 'three'], updatedAt: t.clock.now.toISOString() })
  expect((await t.api('GET', `/documents/${id}/audit`)).body.events).toHaveLength(events)
  expect([await found('label=one'), await found('label=two'), await found('label=three')]).toEqual([[], [id], [id]])
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
  expect(await t.app.db.selectFrom('document_labels').selectAll().execute()).toEqual([])
})

test('updatedAfter finds what any change touched since, and nothing else', async () => {
  const first = await sentDocument(t)
  t.clock.pass({ minutes: 1 })
  const second = (await t.api('POST', '/documents', await newDocument())).body.id
  const since = t.clock.now.toISOString()
  t.clock.pass({ minutes: 1 })
  expect(await found(`updatedAfter=${since}`)).toEqual([])
  await t.api('POST', `/documents/${first}/void`, { reason: 'x' })
  expect(await found(`updatedAfter=${since}`)).toEqual([first])
  t.clock.pass({ minutes: 1 })
  await t.api('POST', `/documents/${second}/send`)
  expect(await found(`updatedAfter=${since}`)).toEqual([second, first])
  expect((await t.api('GET', '/documents?updatedAfter=soon')).body.error.details[0].path).toBe('updatedAfter')
})

test('several statuses may be asked for at once, and an unknown one is refused', async () => {
  const sent = await sentDocument(t)
  const draft = (await t.api('POST', '/documents', await newDocument())).body.id
  const voided = await sentDocument(t)
  await t.api('POST', `/documents/${voided}/void`, { reason: 'x' })
  expect(await found('status=draft,sent')).toEqual([draft, sent])
  expect(await found('status=voided,sent,voided')).toEqual([voided, sent])
  for (const status of ['sent,', 'sent,gone', '', 'Sent'])
    expect((await t.api('GET', `/documents?status=${status}`)).body.error.details[0].path).toBe('status')
})
