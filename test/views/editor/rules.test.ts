/** Snapping, keys and the merge of two people's changes. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { merge } from '../../../views/drafting/editor/history.ts'
import type { EditorField } from '../../../views/drafting/editor/model.ts'
import { type Focus, type Key, keyAction } from '../../../views/drafting/editor/perform.ts'
import { type SnapContext, snapMove, snapResize } from '../../../views/drafting/editor/snap.ts'
import { A4, ANNA, BO, fieldAt } from './drafts.ts'

const context = (about: Partial<SnapContext> = {}): SnapContext => ({ page: A4, others: [], lines: [], threshold: 6, ...about })
const size = { width: 100, height: 20 }

describe('snapping', () => {
  test('takes the nearest rule of each axis and names exactly those', () => {
    const other = { x: 200, y: 300, width: 100, height: 20 }
    const { box, rules } = snapMove({ x: 204, y: 297, ...size }, context({ others: [other] }))
    expect(box).toEqual({ x: 200, y: 300, ...size })
    expect(rules.map(({ axis, kind, at }) => [axis, kind, at])).toEqual([
      ['x', 'edge', 200],
      ['y', 'edge', 300],
    ])
  })

  test('nothing within the distance: the box stays and no rule is drawn', () => {
    const other = { x: 200, y: 300, width: 90, height: 20 }
    const box = { x: 180, y: 350, ...size }
    expect(snapMove(box, context({ others: [other] }))).toEqual({ box, rules: [] })
  })

  test('the distance is in points, so that it is the same on the screen at every zoom', () => {
    const other = { x: 200, y: 600, width: 31, height: 20 }
    const box = { x: 204, y: 100, ...size }
    expect(snapMove(box, context({ others: [other], threshold: 1.5 })).box).toEqual(box)
    expect(snapMove(box, context({ others: [other], threshold: 4 })).box.x).toBe(200)
  })

  test('the lower edge is placed on a detected line under the box, and not on one beside it', () => {
    const lines = [{ y: 500, from: 60, to: 250 }]
    const { box, rules } = snapMove({ x: 100, y: 477, ...size }, context({ lines }))
    expect(box.y).toBe(480)
    expect(rules[0]).toMatchObject({ axis: 'y', kind: 'line', at: 500 })
    expect(snapMove({ x: 300, y: 477, ...size }, context({ lines })).box.y).toBe(477)
  })

  test('the centre of the page and its margins', () => {
    expect(snapMove({ x: 250, y: 500, ...size }, context()).box.x).toBe(247.5)
    expect(snapMove({ x: 33, y: 500, ...size }, context()).box.x).toBe(36)
    expect(snapMove({ x: 455, y: 500, ...size }, context()).rules).toMatchObject([{ kind: 'margin', at: 559, axis: 'x' }])
  })

  test('equal gaps after two fields of a row, both gaps drawn', () => {
    const others = [
      { x: 50, y: 300, width: 60, height: 20 },
      { x: 130, y: 300, width: 60, height: 20 },
    ]
    const { box, rules } = snapMove({ x: 212, y: 308, width: 37, height: 20 }, context({ others }), ['x'])
    expect(box.x).toBe(210)
    expect(rules.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['gap', 110, 130],
      ['gap', 190, 210],
    ])
  })

  test('a resized edge snaps alone; the other edges stay', () => {
    const others = [{ x: 50, y: 600, width: 150, height: 20 }]
    const { box } = snapResize({ x: 100, y: 100, width: 97, height: 20 }, { x: 1, y: 0 }, context({ others }), size)
    expect(box).toEqual({ x: 100, y: 100, width: 100, height: 20 })
  })

  test('never leaves the page and never moves further than the distance', () => {
    const coordinate = fc.double({ min: 0, max: 500, noNaN: true })
    const anyBox = fc.record({ x: coordinate, y: coordinate, width: fc.constant(80), height: fc.constant(30) })
    fc.assert(
      fc.property(anyBox, fc.array(anyBox, { maxLength: 12 }), (box, others) => {
        const snapped = snapMove(box, context({ others })).box
        expect(Math.abs(snapped.x - box.x)).toBeLessThanOrEqual(6)
        expect(Math.abs(snapped.y - box.y)).toBeLessThanOrEqual(6)
        expect(snapped.x).toBeGreaterThanOrEqual(0)
        expect(snapped.x + snapped.width).toBeLessThanOrEqual(A4[0])
      }),
    )
  })
})

describe('keys', () => {
  const key = (name: string, about: Partial<Key> = {}): Key => ({
    key: name,
    code: '',
    shiftKey: false,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    ...about,
  })

  test('arrows nudge by 1 pt, with Shift by 10, and with Alt they resize', () => {
    expect(keyAction(key('ArrowLeft'), 'field')).toEqual({ do: 'nudge', dx: -1, dy: 0 })
    expect(keyAction(key('ArrowDown', { shiftKey: true }), 'field')).toEqual({ do: 'nudge', dx: 0, dy: 10 })
    expect(keyAction(key('ArrowRight', { altKey: true }), 'field')).toEqual({ do: 'resize', dw: 1, dh: 0 })
    expect(keyAction(key('ArrowRight'), 'pages')).toBeUndefined()
  })

  test('digits choose or give a person on every keyboard, by the code of the key', () => {
    expect(keyAction(key('2', { code: 'Digit2' }), 'pages')).toEqual({ do: 'person', index: 1 })
    expect(keyAction(key('"', { code: 'Digit2', shiftKey: true }), 'field')).toEqual({ do: 'reassign', index: 1 })
    expect(keyAction(key('0', { code: 'Digit0' }), 'field')).toEqual({ do: 'fit' })
  })

  test('Tab is always the browser’s, and so are combinations that are not ours', () => {
    for (const focus of ['field', 'pages', 'text', 'elsewhere'] as Focus[]) {
      expect(keyAction(key('Tab'), focus)).toBeUndefined()
      expect(keyAction(key('Tab', { shiftKey: true }), focus)).toBeUndefined()
      expect(keyAction(key('r', { ctrlKey: true }), focus)).toBeUndefined()
      expect(keyAction(key('c', { ctrlKey: true, shiftKey: true }), focus)).toBeUndefined()
    }
  })

  test('outside the pages no character key acts, and in a text nothing but F6 does', () => {
    for (const name of ['1', '+', '-', '0', ' ', 'Enter', 'Delete', 'ArrowLeft'])
      for (const focus of ['text', 'elsewhere'] as Focus[])
        expect(keyAction(key(name, { code: /\d/.test(name) ? `Digit${name}` : '' }), focus)).toBeUndefined()
    for (const name of ['z', 'a', 'c', 'v']) expect(keyAction(key(name, { ctrlKey: true }), 'text')).toBeUndefined()
    expect(keyAction(key('z', { ctrlKey: true }), 'elsewhere')).toEqual({ do: 'undo' })
    expect(keyAction(key('F6'), 'text')).toEqual({ do: 'pane', by: 1 })
  })

  test('redo has two keys', () => {
    expect(keyAction(key('Z', { ctrlKey: true, shiftKey: true }), 'field')).toEqual({ do: 'redo' })
    expect(keyAction(key('y', { metaKey: true }), 'pages')).toEqual({ do: 'redo' })
  })
})

describe('the merge with changes of another person', () => {
  const people = new Set([ANNA.id, BO.id])
  const a = fieldAt('a', { x: 10, y: 10, width: 60, height: 20 })
  const b = fieldAt('b', { x: 10, y: 50, width: 60, height: 20 })
  const labelled = (field: EditorField, label: string) => ({ ...field, label })
  const fields = (...list: EditorField[]) => new Map(list.map(field => [field.id, field]))

  test('changes of different fields are both kept', () => {
    const mine = [{ id: 'a', before: a, after: labelled(a, 'mine') }]
    const merged = merge(fields(a, b), mine, fields(a, labelled(b, 'theirs')), people)
    expect([...merged.fields.values()].map(({ label }) => label)).toEqual(['mine', 'theirs'])
    expect(merged.conflicts).toEqual([])
    expect(merged.theirs).toEqual(['b'])
  })

  test('of the same field theirs stays and mine is offered', () => {
    const mine = [{ id: 'a', before: a, after: labelled(a, 'mine') }]
    const merged = merge(fields(a), mine, fields(labelled(a, 'theirs')), people)
    expect(merged.fields.get('a')?.label).toBe('theirs')
    expect(merged.pending).toEqual([])
    expect(merged.conflicts).toEqual([{ id: 'a', before: labelled(a, 'theirs'), after: labelled(a, 'mine') }])
  })

  test('a field that they removed and I changed is offered, and the other way round', () => {
    expect(merge(fields(a), [{ id: 'a', before: a, after: labelled(a, 'mine') }], fields(), people).conflicts).toHaveLength(1)
    const removed = merge(fields(a), [{ id: 'a', before: a, after: undefined }], fields(labelled(a, 'theirs')), people)
    expect(removed.fields.has('a')).toBe(true)
    expect(removed.conflicts).toHaveLength(1)
  })

  test('a change that had arrived although its answer was lost is not pending any more', () => {
    const mine = labelled(a, 'mine')
    const merged = merge(fields(a), [{ id: 'a', before: a, after: mine }], fields(mine), people)
    expect(merged).toMatchObject({ pending: [], conflicts: [], theirs: [] })
  })

  test('a new field of a person who was removed meanwhile is dropped', () => {
    const added = { ...fieldAt('c', { x: 1, y: 1, width: 60, height: 20 }), recipientId: 'rcp_gone' }
    const merged = merge(fields(a), [{ id: 'c', before: undefined, after: added }], fields(a), people)
    expect(merged).toMatchObject({ pending: [], conflicts: [] })
    expect(merged.fields.has('c')).toBe(false)
  })
})
