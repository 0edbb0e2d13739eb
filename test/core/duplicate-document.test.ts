/** A duplicate has the fields of its document: every member, and no entry of a recipient. */
import { expect, test } from 'bun:test'
import { createDraft } from '../../src/core/document/create-document.ts'
import { type Document, send, view } from '../../src/core/document/document.ts'
import { duplicateInput } from '../../src/core/document/duplicate-document.ts'
import { type NewDocument, validateNewDocument } from '../../src/core/document/new-document.ts'
import type { Field } from '../../src/core/field/field.ts'
import { placedFields } from '../../src/core/field/visibility.ts'
import { finish } from '../../src/core/signing/signing.ts'
import { EVERY_KIND } from '../support/every-kind.ts'
import { actOf, NOW, ORIGINAL } from './sample.ts'

let count = 0
const DEPS = {
  newId: (prefix: string) => `${prefix}_${++count}`,
  hashAccessCode: () => '',
  now: NOW,
  unprintable: () => [],
  limits: { recipients: 100, fields: 1000 },
}

function draftFrom(input: NewDocument): Document {
  validateNewDocument(input, DEPS)
  return createDraft(input, undefined, { pageCount: 2, sha256Original: ORIGINAL, sha256Uploaded: undefined }, DEPS).document
}

const original = draftFrom({ ...EVERY_KIND, fileName: 'every-kind.pdf' } as NewDocument)
/** With the owner's place in place of ids, which are new. */
const fieldsOf = (document: Document, change: (field: Field) => Field = field => field) => {
  const owners = document.recipients.map(({ id }) => id)
  return placedFields(document).map(({ field, recipientId }) => {
    return { ...change(field), id: '', owner: owners.indexOf(recipientId) }
  })
}

test('of a draft has the same names, conditions, boxes, bounds and values of all kinds, the sender’s too', () => {
  expect(fieldsOf(draftFrom(duplicateInput(original)))).toEqual(fieldsOf(original))
})

test('of a document that somebody signed has none of their entries and files, but what the sender fixed', () => {
  const [ada] = original.recipients
  if (!ada) throw new Error('no recipient')
  const entries: Record<string, string> = { Persons: '3', Parking: 'Garage', Payment: 'Transfer' }
  const file = { fileName: 'a.pdf', mediaType: 'application/pdf' as const, bytes: 9, sha256: ORIGINAL }
  const image = { ...file, mediaType: 'image/png' as const }
  const values = Object.fromEntries(ada.fields.map(({ id, label = '' }) => [id, entries[label] ?? 'entered@example.com']))
  const files = Object.fromEntries(ada.fields.map(({ id, type }) => [id, type === 'image' ? image : file]))
  const viewed = view(send(original, NOW).document, ada.id, NOW).document
  const marital = ada.fields.find(({ label }) => label === 'Married')?.id ?? ''
  const signed = finish(viewed, ada.id, actOf({ values: { ...values, [marital]: 'true' }, files }), NOW).document
  expect(JSON.stringify(signed)).toContain('entered@example.com')
  const copy = draftFrom(duplicateInput(signed))
  expect(fieldsOf(copy)).toEqual(fieldsOf(original))
  expect(JSON.stringify(copy)).not.toMatch(/entered@|a\.pdf/)
})
