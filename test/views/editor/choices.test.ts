/** Fields of several choices in the editor's model: one field, a box for each choice. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { boxError } from '../../../src/core/field/geometry.ts'
import { align, distribute } from '../../../views/drafting/editor/arrange.ts'
import { boxesOf, keysOf } from '../../../views/drafting/editor/boxes.ts'
import { addChoice, isChoiceName, newChoice, remove, renameChoice } from '../../../views/drafting/editor/choices.ts'
import { change, move, moveAcross, resize } from '../../../views/drafting/editor/commands.ts'
import { copyToPages, duplicate } from '../../../views/drafting/editor/copies.ts'
import { fieldEdits, readDraft } from '../../../views/drafting/editor/draft.ts'
import { merge } from '../../../views/drafting/editor/history.ts'
import {
  applyChanges,
  boxOf,
  type Change,
  type EditorField,
  type EditorState,
  inverted,
  isSameField,
} from '../../../views/drafting/editor/model.ts'
import { A4, ANNA, counter, fieldAt, stateOf } from './drafts.ts'

const radio = (id = 'fld_r', y = 100) => fieldAt(id, { x: 50, y, width: 14, height: 14 }, { type: 'radio' })
const scene = (...fields: EditorField[]) => stateOf([A4, A4, A4], ...fields)
const after = (state: EditorState, changes: Change[]): EditorState => ({ ...state, fields: applyChanges(state.fields, changes) })
const boxes = (state: EditorState, id = 'fld_r') => boxesOf(state.fields.get(id)!).map(box => boxOf(state, box))
const three = () => {
  const state = scene(radio())
  return after(state, addChoice(state, 'fld_r', 'Third'))
}

describe('a field of several choices', () => {
  test('begins with two boxes below each other, inside the page also at its lower edge', () => {
    const state = scene(radio(), radio('fld_low', 825))
    const [first, second] = boxes(state)
    expect(second!.x).toBeCloseTo(first!.x, 2)
    expect(second!.y - first!.y).toBeCloseTo(22, 1)
    for (const box of state.fields.get('fld_low')!.boxes) expect(boxError(box)).toBeUndefined()
  })

  test('gets the next choice as far from the last as that is from the one before', () => {
    const state = three()
    expect(boxes(state)[2]!.y - boxes(state)[1]!.y).toBeCloseTo(22, 1)
    const level = after(state, move(state, ['fld_r#2'], 40, -22))
    const [, second, third] = boxes(level)
    const fourth = boxes(after(level, addChoice(level, 'fld_r', 'Fourth')))[3]!
    expect([fourth.x, fourth.y]).toEqual([
      expect.closeTo(2 * third!.x - second!.x, 1),
      expect.closeTo(2 * third!.y - second!.y, 1),
    ])
  })

  test('moves one box alone, all with the id of the field, and to other pages each on its own', () => {
    const state = three()
    const one = after(state, move(state, ['fld_r#1'], 30, 0))
    expect(boxes(one).map(({ x }) => Math.round(x))).toEqual([50, 80, 50])
    const all = after(state, move(state, ['fld_r'], 30, 0))
    expect(boxes(all).map(({ x }) => Math.round(x))).toEqual([80, 80, 80])
    const paged = after(state, moveAcross(state, ['fld_r#2'], 1, 0, 0)).fields.get('fld_r')!
    expect(paged.boxes.map(({ page }) => page)).toEqual([1, 1, 2])
    expect(paged.page).toBe(1)
  })

  test('has the place of its first box, also after that one moved', () => {
    const state = three()
    const { page, x, y, boxes: areas } = after(state, moveAcross(state, ['fld_r#0'], 2, 5, 5)).fields.get('fld_r')!
    expect({ page, x, y }).toMatchObject({ page: areas[0]!.page, x: areas[0]!.x, y: areas[0]!.y })
    expect(page).toBe(3)
  })

  test('loses a choice with its value and its box; two stay, unless all are removed', () => {
    const state = three()
    const chosen = after(state, change(state, ['fld_r'], { value: '2' }))
    const two = after(chosen, remove(chosen, ['fld_r#1'])).fields.get('fld_r')!
    expect([two.options, two.value, two.boxes.length]).toEqual([['1', 'Third'], undefined, 2])
    const kept = scene(two)
    expect(remove(kept, ['fld_r#0'])).toEqual([])
    expect(remove(kept, keysOf(two))).toMatchObject([{ id: 'fld_r', after: undefined }])
  })

  test('has values that differ and are not empty; the prefilled one and conditions follow a new value', () => {
    const named = { ...radio(), name: 'Payment', value: '1' }
    const state = scene(named, fieldAt('fld_t', { x: 1, y: 1, width: 50, height: 20 }, { showIf: { field: 'payment', is: '1' } }))
    expect([isChoiceName(named, 0, ' '), isChoiceName(named, 0, '2'), isChoiceName(named, 0, '1')]).toEqual([false, false, true])
    expect(renameChoice(state, 'fld_r', 0, '2')).toEqual([])
    const renamed = after(state, renameChoice(state, 'fld_r', 0, ' Monthly '))
    expect(renamed.fields.get('fld_r')).toMatchObject({ options: ['Monthly', '2'], value: 'Monthly' })
    expect(renamed.fields.get('fld_t')?.showIf).toEqual({ field: 'payment', is: 'Monthly' })
    expect(newChoice(['Choice 1', 'Choice 3'], n => `Choice ${n}`)).toBe('Choice 4')
  })

  test('is copied whole: with its distances, without its name, and only where all of its pages exist', () => {
    const spread = after(three(), moveAcross(three(), ['fld_r#2'], 1, 0, 0))
    const named = scene({ ...spread.fields.get('fld_r')!, name: 'Payment' })
    const { changes } = copyToPages(named, ['fld_r'], 'all', counter())
    expect(changes.map(({ after: copy }) => copy?.boxes.map(({ page }) => page))).toEqual([[2, 2, 3]])
    const [twin] = duplicate(named, ['fld_r#1'], counter()).map(({ after: copy }) => copy!)
    expect(twin?.name).toBeUndefined()
    const [a, b] = [named.fields.get('fld_r')!, twin!].map(field => boxesOf(field).map(box => boxOf(named, box)))
    for (const [i, box] of a!.entries()) expect(b![i]!.x - box.x).toBeCloseTo(b![0]!.x - a![0]!.x, 1)
  })

  test('has boxes that are aligned and distributed like other fields', () => {
    const state = three()
    const uneven = after(state, move(state, ['fld_r#1'], 25, 3))
    const aligned = after(uneven, align(uneven, ['fld_r'], 'left'))
    expect(new Set(boxes(aligned).map(({ x }) => x.toFixed(2))).size).toBe(1)
    const even = boxes(after(aligned, distribute(aligned, ['fld_r'], 'y')))
    expect(even[2]!.y - even[1]!.y).toBeCloseTo(even[1]!.y - even[0]!.y, 1)
  })

  test('any moves and sizes of any boxes keep them on their pages, and undoing gives back the field exactly', () => {
    const step = fc.record({
      keys: fc.subarray(['fld_r', 'fld_r#0', 'fld_r#1', 'fld_r#2'], { minLength: 1 }),
      pages: fc.integer({ min: -2, max: 2 }),
      dx: fc.double({ min: -900, max: 900, noNaN: true }),
      dy: fc.double({ min: -900, max: 900, noNaN: true }),
      isResized: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), steps => {
        const first = three()
        let state = first
        const done: Change[][] = []
        for (const { keys, pages, dx, dy, isResized } of steps) {
          const changes = isResized ? resize(state, keys, { x: 1, y: -1 }, dx, dy) : moveAcross(state, keys, pages, dx, dy)
          done.push(changes)
          state = after(state, changes)
          for (const box of state.fields.get('fld_r')!.boxes) expect(boxError(box)).toBeUndefined()
        }
        for (const changes of done.reverse()) state = after(state, inverted(changes))
        expect(isSameField(state.fields.get('fld_r'), first.fields.get('fld_r'))).toBe(true)
      }),
    )
  })
})

describe('saving', () => {
  test('sends the choices with their boxes and no place of the field itself, and reads them back the same', () => {
    const field = radio()
    const [edit] = fieldEdits([{ id: field.id, before: undefined, after: field }])
    expect(Object.keys(edit!)).not.toContain('page')
    expect(edit).toMatchObject({
      type: 'radio',
      options: [
        { value: '1', page: 1 },
        { value: '2', page: 1 },
      ],
    })
    const recipients = [{ ...ANNA, fields: [{ ...edit, type: 'radio' as const } as never] }]
    const document = { status: 'draft', title: '', signingOrder: 'parallel' as const, recipients, senderFields: [] }
    expect(isSameField(readDraft({ version: 1, document }).fields.get(field.id), field)).toBe(true)
  })

  test('sends all choices when one box moved, and nothing else', () => {
    const state = three()
    const changes = move(state, ['fld_r#2'], 5, 0)
    const [edit] = fieldEdits(changes)
    expect(Object.keys(edit!)).toEqual(['id', 'options'])
  })

  test('two editors who moved different choices have a conflict of one field; of different fields they merge', () => {
    const state = scene(radio(), radio('fld_s', 300))
    const mine = move(state, ['fld_r#0'], 5, 0)
    const people = new Set([ANNA.id])
    const theirs = after(state, move(state, ['fld_r#1'], 0, 5)).fields
    expect(merge(state.fields, mine, theirs, people)).toMatchObject({ pending: [], conflicts: [{ id: 'fld_r' }] })
    const other = after(state, move(state, ['fld_s#1'], 0, 5)).fields
    const merged = merge(state.fields, mine, other, people)
    expect(merged.conflicts).toEqual([])
    expect(merged.fields.get('fld_r')).toEqual(mine[0]!.after)
    expect(merged.fields.get('fld_s')).toEqual(other.get('fld_s'))
  })
})
