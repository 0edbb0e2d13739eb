/** Edits of a draft: what is kept, and that no sequence of edits leaves a draft out of order. */
import { describe, expect, test } from 'bun:test'
import type { Document } from '../../src/core/document/document.ts'
import { changedPaths } from '../../src/core/draft/draft-changes.ts'
import { type DraftEdit, editDraft } from '../../src/core/draft/edit-draft.ts'
import type { EditDeps, FieldEdit } from '../../src/core/draft/edit-fields.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { draftOf, field, frozen, NOW, pathsOf, recipient } from './sample.ts'

const ulid = (n: number) => `01kqj4zg4m${String(n).padStart(16, '0')}`

function depsWith(overrides: Partial<EditDeps> = {}): EditDeps {
  let next = 0
  return {
    newId: prefix => `${prefix}_${ulid(900_000 + next++)}`,
    hashAccessCode: (id, code) => `${id}:${code}`,
    newLinkVersion: () => 77,
    isTaken: () => false,
    unprintable: () => [],
    limits: { recipients: 100, fields: 1000 },
    now: NOW,
    ...overrides,
  }
}

const edited = (document: Document, edit: DraftEdit, deps = depsWith()) => frozen(editDraft(document, edit, deps).document)

const ADA = recipient(`rcp_${ulid(1)}`, 'signer', { fields: [field({ type: 'signature', id: `fld_${ulid(1)}` })] })
const BEN = recipient(`rcp_${ulid(2)}`, 'approver', { order: 2, fields: [field({ type: 'text', id: `fld_${ulid(2)}` })] })
const TWO = draftOf({ recipients: [ADA, BEN] })
const keepBoth = [{ id: ADA.id }, { id: BEN.id }]

describe('an edit', () => {
  test('that changes nothing makes no event and returns the same document', () => {
    for (const edit of [{}, { title: 'Lease' }, { recipients: keepBoth }, { fields: [{ id: ADA.fields[0]!.id, x: 10 }] }])
      expect(editDraft(TWO, edit, depsWith())).toEqual({ document: TWO, events: [] })
  })

  test('keeps every member that it does not name', () => {
    const next = edited(TWO, { recipients: [{ id: ADA.id, name: 'Ada King' }, { id: BEN.id }] })
    expect(next.recipients).toEqual([{ ...ADA, name: 'Ada King' }, BEN])
    expect(next.recipients[1]).toBe(BEN)
  })

  test('clears with null', () => {
    const full = edited(TWO, {
      message: 'Hello',
      locale: 'de',
      redirectUrl: 'https://example.com',
      expiresAt: '2026-12-01T00:00:00Z',
    })
    expect(full.expiresAt).toEqual(new Date('2026-12-01T00:00:00Z'))
    const cleared = edited(full, { message: null, locale: null, redirectUrl: null, expiresAt: null, reminders: null })
    expect(changedPaths(TWO, cleared)).toEqual(['reminders'])
  })

  test('with days of validity takes the place of a time', () => {
    const timed = edited(TWO, { expiresAt: '2026-12-01T00:00:00Z' })
    expect(edited(timed, { expiresInDays: 7 })).toMatchObject({ expiresAt: undefined, expiresInDays: 7 })
    expect(pathsOf(() => edited(timed, { expiresInDays: 7, expiresAt: '2026-12-01T00:00:00Z' }))).toEqual(['expiresAt'])
  })

  test('sets, keeps and removes an access code', () => {
    const coded = edited(TWO, { recipients: [{ id: ADA.id, accessCode: ' secret ' }, { id: BEN.id }] })
    expect(coded.recipients[0]?.accessCodeHash).toBe(`${ADA.id}:secret`)
    expect(edited(coded, { recipients: keepBoth })).toBe(coded)
    expect(edited(coded, { recipients: [{ id: ADA.id, accessCode: null }, { id: BEN.id }] }).recipients[0]).toEqual(ADA)
    expect(pathsOf(() => edited(TWO, { recipients: [{ id: ADA.id, accessCode: '12345' }] }))).toEqual([
      'recipients[0].accessCode',
    ])
  })

  test('gives an added recipient a link version of its own: no earlier link opens the document', () => {
    const id = `rcp_${ulid(3)}`
    expect(edited(TWO, { recipients: [...keepBoth, { id }] }).recipients[2]).toMatchObject({
      id,
      linkVersion: 77,
      email: '',
      order: 3,
    })
  })

  test('drops what does not fit a changed type, unless the edit gives it', () => {
    const choice = { id: BEN.fields[0]!.id, type: 'dropdown' as const, options: ['a', 'b'], value: 'a' }
    const dropdown = edited(TWO, { fields: [choice] })
    expect(dropdown.recipients[1]?.fields[0]).toMatchObject({ type: 'dropdown', options: ['a', 'b'], value: 'a' })
    const date = edited(dropdown, { fields: [{ id: choice.id, type: 'date' }] })
    expect(date.recipients[1]?.fields[0]).toMatchObject({ type: 'date', options: [], value: undefined })
    expect(pathsOf(() => edited(dropdown, { fields: [{ id: choice.id, options: ['b'] }] }))).toEqual(['fields[0].value'])
  })

  test('moves the fields of a recipient who is removed, and removes the others', () => {
    const more = edited(TWO, {
      fields: [{ recipientId: ADA.id, type: 'text', page: 2, x: 1, y: 1, width: 10, height: 3, label: 'New' }],
    })
    const added = more.recipients[0]!.fields[1]!
    const next = edited(more, { recipients: [{ id: BEN.id }], fields: [{ id: added.id, recipientId: BEN.id }] })
    expect(next.recipients).toEqual([{ ...BEN, fields: [...BEN.fields, added] }])
    expect(changedPaths(more, next)).toEqual([`recipients/${ADA.id}`, `fields/${ADA.fields[0]!.id}`, `fields/${added.id}`])
    expect(pathsOf(() => edited(more, { recipients: [{ id: BEN.id }], fields: [{ id: added.id, x: 2 }] }))).toEqual([
      'fields[0].recipientId',
    ])
  })

  test('refuses fields that a role may not have', () => {
    expect(pathsOf(() => edited(TWO, { fields: [{ id: ADA.fields[0]!.id, recipientId: BEN.id }] }))).toEqual(['fields[0].type'])
    expect(pathsOf(() => edited(TWO, { recipients: [{ id: ADA.id, role: 'approver' }, { id: BEN.id }] }))).toEqual([
      'recipients[0].role',
    ])
    const swapped = edited(TWO, {
      recipients: [
        { id: ADA.id, role: 'approver' },
        { id: BEN.id, role: 'signer' },
      ],
      fields: [{ id: ADA.fields[0]!.id, recipientId: BEN.id }],
    })
    expect(swapped.recipients.map(r => r.fields.length)).toEqual([0, 2])
  })

  test('refuses what would pass a limit', () => {
    const many = Array.from({ length: 101 }, () => ({}))
    expect(pathsOf(() => edited(TWO, { recipients: many }))).toEqual(['recipients'])
    const label = { id: BEN.fields[0]!.id, options: undefined, value: 'x'.repeat(400) } as unknown as FieldEdit
    expect(edited(TWO, { fields: [label] }).recipients[1]?.fields[0]?.value).toHaveLength(400)
    expect(pathsOf(() => edited(TWO, { message: 'ä'.repeat(500_001) }))).toEqual(['recipients'])
  })
})

/** A generator of numbers that repeats for a seed. */
function generator(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // Of the high bits: the low ones repeat after a few numbers.
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomEdit(document: Document, pick: (below: number) => number, count: () => number): DraftEdit {
  const ids = document.recipients.map(({ id }) => id)
  const fields = document.recipients.flatMap(r => r.fields)
  // By keys: how often a sort asks a comparison that contradicts itself is left to the engine.
  const keyed = ids.filter(() => pick(8) > 0).map(id => ({ id, key: pick(3) }))
  const listed = keyed.sort((a, b) => a.key - b.key).map(({ id }) => id)
  if (pick(2) === 0) listed.push(`rcp_${ulid(count())}`)
  const changes: FieldEdit[] = []
  for (const each of fields) {
    const roll = pick(6)
    if (roll === 0) changes.push({ id: each.id, remove: true })
    else if (roll === 1) changes.push({ id: each.id, x: pick(60), y: pick(90) })
    else if (roll === 2 && listed.length > 0) changes.push({ id: each.id, recipientId: listed[pick(listed.length)]! })
  }
  const owner = listed[pick(Math.max(1, listed.length))]
  if (owner)
    changes.push({
      id: `fld_${ulid(count())}`,
      recipientId: owner,
      type: 'text',
      page: 1 + pick(2),
      x: 1,
      y: 1,
      width: 9,
      height: 3,
    })
  return { ...(pick(2) === 0 ? { recipients: listed.map(id => ({ id })) } : {}), fields: changes }
}

test('after any sequence of edits each field has one recipient, one id and a place, in the order of the list', () => {
  const pick = generator(7)
  let last = 10
  let document = TWO
  let refused = 0
  for (let i = 0; i < 3000; i++) {
    const edit = randomEdit(document, pick, () => ++last)
    try {
      const next = edited(document, edit)
      const listed = edit.recipients?.map(({ id }) => id) ?? document.recipients.map(({ id }) => id)
      expect(next.recipients.map(({ id }) => id)).toEqual(listed as string[])
      const before = new Set(document.recipients.flatMap(r => r.fields.map(({ id }) => id)))
      const after = next.recipients.flatMap(r => r.fields.map(({ id }) => id))
      expect(new Set(after).size).toBe(after.length)
      const named = new Set(edit.fields?.map(({ id }) => id))
      for (const id of after) expect(before.has(id) || named.has(id)).toBe(true)
      for (const { id, remove } of edit.fields ?? []) if (remove) expect(after).not.toContain(id)
      expect(changedPaths(document, next).length > 0).toBe(next !== document)
      document = next
    } catch (error) {
      // Fields of a recipient that the same edit removes.
      if (!(error instanceof Refusal)) throw error
      expect(error.details.every(({ path }) => /^fields\[\d+\]\.(recipientId|type)$/.test(path))).toBe(true)
      refused++
    }
  }
  expect(refused).toBeLessThan(1000)
})
