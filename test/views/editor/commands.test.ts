/** The editor's commands and history: on random drafts, and where the rules have an edge. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FIELD_TYPES } from '../../../src/core/field/field.ts'
import { minSize, usualSize } from '../../../src/core/field/field-size.ts'
import { boxError } from '../../../src/core/field/geometry.ts'
import { align, distribute, equalise } from '../../../views/drafting/editor/arrange.ts'
import { remove } from '../../../views/drafting/editor/choices.ts'
import {
  add,
  boxAround,
  change,
  drawnBox,
  freeBox,
  move,
  moveAcross,
  newField,
  nextSize,
  reassign,
  resize,
  setBox,
  TooManyFieldsError,
} from '../../../views/drafting/editor/commands.ts'
import { clipOf, copyForPerson, copyToPages, duplicate, paste } from '../../../views/drafting/editor/copies.ts'
import { History, type HistoryData } from '../../../views/drafting/editor/history.ts'
import {
  applyChanges,
  boxOf,
  type Change,
  type EditorState,
  inverted,
  isSameField,
  type PageSize,
  signersWithoutSignature,
  toPercent,
  toPoints,
} from '../../../views/drafting/editor/model.ts'
import { A4, ANNA, BO, CARA, counter, DAN, fieldAt, PEOPLE, stateOf } from './drafts.ts'

/** Larger, smaller and wider than a usual page, up to the largest of PDF. */
const pageSize: fc.Arbitrary<PageSize> = fc.tuple(
  fc.double({ min: 20, max: 14_400, noNaN: true }),
  fc.double({ min: 20, max: 14_400, noNaN: true }),
)
const anyNumber = fc.double({ min: -20_000, max: 20_000, noNaN: true })

type Command = (state: EditorState, newId: () => string) => Change[]

const ids = fc.array(fc.nat(7), { minLength: 1, maxLength: 5 })
const chosen = (state: EditorState, indexes: number[]) => {
  const all = [...state.fields.keys()]
  return all.length === 0 ? [] : [...new Set(indexes.map(i => all[i % all.length]!))]
}

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constantFrom(...FIELD_TYPES), page: fc.nat(9), x: anyNumber, y: anyNumber, person: fc.nat(2) }).map(
    ({ type, page, x, y, person }): Command =>
      (state, newId) => {
        const number = (page % state.pages.length) + 1
        const size = state.pages[number - 1]!
        const box = boxAround(x, y, nextSize(type, size, undefined), size)
        return add(state, [newField(state, { id: newId(), type, recipientId: PEOPLE[person]!.id, page: number }, box)])
      },
  ),
  fc.tuple(ids, anyNumber, anyNumber).map(
    ([i, dx, dy]): Command =>
      state =>
        move(state, chosen(state, i), dx, dy),
  ),
  fc.tuple(ids, fc.integer({ min: -3, max: 3 }), anyNumber, anyNumber).map(
    ([i, pages, dx, dy]): Command =>
      state =>
        moveAcross(state, chosen(state, i), pages, dx, dy),
  ),
  fc.tuple(ids, fc.constantFrom(-1, 0, 1), fc.constantFrom(-1, 0, 1), anyNumber, anyNumber).map(
    ([i, x, y, dx, dy]): Command =>
      state =>
        resize(state, chosen(state, i), { x: x as 0, y: y as 0 }, dx, dy),
  ),
  fc.tuple(ids, anyNumber, anyNumber).map(
    ([i, x, width]): Command =>
      state =>
        setBox(state, chosen(state, i)[0] ?? '', { x, width }),
  ),
  ids.map(
    (i): Command =>
      state =>
        remove(state, chosen(state, i)),
  ),
  fc.tuple(ids, fc.nat(3)).map(
    ([i, person]): Command =>
      state =>
        reassign(state, chosen(state, i), PEOPLE[person]!),
  ),
  fc.tuple(ids, fc.boolean(), fc.option(fc.string(), { nil: undefined })).map(
    ([i, required, label]): Command =>
      state =>
        change(state, chosen(state, i), { required, label, readOnly: required }),
  ),
  fc.tuple(ids, fc.constantFrom('left', 'centre', 'right', 'top', 'middle', 'bottom')).map(
    ([i, to]): Command =>
      state =>
        align(state, chosen(state, i), to),
  ),
  fc.tuple(ids, fc.constantFrom('x', 'y')).map(
    ([i, axis]): Command =>
      state =>
        distribute(state, chosen(state, i), axis),
  ),
  ids.map(
    (i): Command =>
      state =>
        equalise(state, chosen(state, i), ['width', 'height']),
  ),
  ids.map(
    (i): Command =>
      (state, newId) =>
        copyToPages(state, chosen(state, i), 'all', newId).changes,
  ),
  ids.map(
    (i): Command =>
      (state, newId) =>
        copyForPerson(state, chosen(state, i), BO, newId),
  ),
  ids.map(
    (i): Command =>
      (state, newId) =>
        duplicate(state, chosen(state, i), newId),
  ),
  fc.tuple(ids, fc.nat(9)).map(
    ([i, page]): Command =>
      (state, newId) => {
        const copied = chosen(state, i)
        if (copied.length === 0) return []
        const clip = clipOf(state, copied, PEOPLE)
        return paste(state, clip, (page % state.pages.length) + 1, { people: PEOPLE, active: ANNA, newId })
      },
  ),
)

const start = fc.array(pageSize, { minLength: 1, maxLength: 4 }).map(pages => stateOf(pages))

function run(state: EditorState, commands: Command[], onDone: (before: EditorState, changes: Change[]) => void): EditorState {
  const newId = counter()
  let now = state
  for (const each of commands) {
    let changes: Change[] = []
    try {
      changes = each(now, newId)
    } catch (error) {
      if (!(error instanceof TooManyFieldsError)) throw error
    }
    onDone(now, changes)
    now = { pages: now.pages, fields: applyChanges(now.fields, changes) }
  }
  return now
}

const plain = ({ fields }: EditorState) => [...fields].sort(([a], [b]) => (a < b ? -1 : 1))
const commands = fc.array(command, { minLength: 1, maxLength: 25 })

describe('any commands on any draft', () => {
  test('undoing a command gives back exactly the fields before it', () => {
    fc.assert(
      fc.property(start, commands, (state, list) => {
        run(state, list, (before, changes) => {
          const done = applyChanges(before.fields, changes)
          expect(plain({ ...before, fields: applyChanges(done, inverted(changes)) })).toEqual(plain(before))
        })
      }),
      { numRuns: 300 },
    )
  })

  test('no command leaves a field off its page, or a box that the server would refuse', () => {
    fc.assert(
      fc.property(start, commands, (state, list) => {
        run(state, list, (before, changes) => {
          for (const { after } of changes) {
            if (!after) continue
            expect(before.pages[after.page - 1]).toBeDefined()
            expect(boxError(after)).toBeUndefined()
          }
        })
      }),
      { numRuns: 300 },
    )
  })

  test('the history leads back to the beginning and forward to the end, also after it was stored', () => {
    fc.assert(
      fc.property(start, fc.array(command, { minLength: 1, maxLength: 20 }), (state, list) => {
        let history = new History()
        let now = 0
        const end = run(state, list, (_, changes) => {
          now += 1000
          history.push({ kind: 'placed', changes, atMs: now })
        })
        history = new History(JSON.parse(JSON.stringify(history.data)) as HistoryData)
        let fields = end.fields
        for (let step = history.undo(fields); step; step = history.undo(fields)) fields = applyChanges(fields, step.changes)
        expect(fields.size).toBe(0)
        for (let step = history.redo(fields); step; step = history.redo(fields)) fields = applyChanges(fields, step.changes)
        expect(fields.size).toBe(end.fields.size)
        for (const [id, field] of fields) expect(isSameField(field, end.fields.get(id))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('percent and points agree within 0.03 pt, also on the largest page of PDF', () => {
    const box = fc.record({ x: anyNumber, y: anyNumber, width: anyNumber.map(Math.abs), height: anyNumber.map(Math.abs) })
    fc.assert(
      fc.property(pageSize, box, (page, wanted) => {
        const once = toPercent(wanted, page)
        const points = toPoints(once, page)
        const again = toPercent(points, page)
        expect(again).toEqual(once)
        const fits = wanted.x >= 0 && wanted.y >= 0 && wanted.x + wanted.width <= page[0] && wanted.y + wanted.height <= page[1]
        if (!fits) return
        for (const member of ['x', 'y', 'width', 'height'] as const)
          expect(Math.abs(points[member] - wanted[member])).toBeLessThan(0.03)
      }),
    )
  })
})

describe('sizes', () => {
  test('a narrow page has proportionally smaller fields, and a tiny page none larger than itself', () => {
    expect(usualSize('signature', A4)).toEqual({ width: 160, height: 48 })
    expect(usualSize('signature', [297.5, 400])).toEqual({ width: 80, height: 24 })
    expect(minSize('text', [10, 5])).toEqual({ width: 36 * (10 / 595), height: 12 * (10 / 595) })
    expect(nextSize('text', [30, 10], { width: 160, height: 20 })).toEqual({ width: 30, height: 10 })
  })

  test('the next field of a type has the size of the last one', () => {
    expect(nextSize('text', A4, { width: 77, height: 30 })).toEqual({ width: 77, height: 30 })
    expect(nextSize('text', A4, undefined)).toEqual({ width: 160, height: 20 })
  })

  test('a drawn box grows to the smallest size, away from where the drawing began', () => {
    expect(drawnBox({ x: 100, y: 100 }, { x: 105, y: 103 }, 'signature', A4)).toEqual({ x: 100, y: 100, width: 60, height: 20 })
    expect(drawnBox({ x: 100, y: 100 }, { x: 95, y: 97 }, 'signature', A4)).toEqual({ x: 40, y: 80, width: 60, height: 20 })
    expect(drawnBox({ x: 100, y: 100 }, { x: 300, y: 180 }, 'text', A4)).toEqual({ x: 100, y: 100, width: 200, height: 80 })
  })
})

describe('moving', () => {
  test('fields that move together stop together at the edge and keep their distance', () => {
    const state = stateOf(
      [A4],
      fieldAt('a', { x: 10, y: 10, width: 50, height: 20 }),
      fieldAt('b', { x: 100, y: 50, width: 50, height: 20 }),
    )
    const moved = applyChanges(state.fields, move(state, ['a', 'b'], -100, 5))
    const after = { ...state, fields: moved }
    expect(boxOf(after, moved.get('a')!).x).toBeCloseTo(0, 2)
    expect(boxOf(after, moved.get('b')!).x).toBeCloseTo(90, 2)
    expect(boxOf(after, moved.get('b')!).y).toBeCloseTo(55, 2)
  })

  test('a field at the edge does not change, so nothing is saved and nothing can be undone', () => {
    const state = stateOf([A4], fieldAt('a', { x: 0, y: 0, width: 50, height: 20 }))
    expect(move(state, ['a'], -1, -1)).toEqual([])
  })

  test('to the adjacent page the place is the same; beyond the last page nothing moves', () => {
    const state = stateOf([A4, [300, 300]], fieldAt('a', { x: 500, y: 700, width: 60, height: 20 }, {}, [A4, [300, 300]]))
    const [moved] = moveAcross(state, ['a'], 1, 0, 0)
    expect(moved?.after).toMatchObject({ page: 2 })
    expect(toPoints(moved!.after!, [300, 300]).x).toBeCloseTo(240, 1)
    expect(moveAcross(state, ['a'], 2, 0, 0)).toEqual([])
    expect(moveAcross(state, ['a'], -1, 0, 0)).toEqual([])
  })

  test('resizing stops at the smallest size with the opposite edge in place', () => {
    const state = stateOf([A4], fieldAt('a', { x: 100, y: 100, width: 160, height: 48 }, { type: 'signature' }))
    const [left] = resize(state, ['a'], { x: -1, y: 0 }, 500, 0)
    const box = toPoints(left!.after!, A4)
    expect(box.width).toBeCloseTo(60, 1)
    expect(box.x + box.width).toBeCloseTo(260, 1)
    const [right] = resize(state, ['a'], { x: 1, y: 1 }, 9999, 9999)
    expect(toPoints(right!.after!, A4).width).toBeCloseTo(495, 1)
  })
})

describe('a place for a new field by key', () => {
  test('is the middle of what is in sight, and the next free one below in steps of 12 pt', () => {
    const sight = { x: 0, y: 100, width: 595, height: 400 }
    const size = { width: 160, height: 20 }
    const empty = stateOf([A4])
    expect(freeBox(empty, 1, sight, size)).toEqual({ x: 217.5, y: 290, width: 160, height: 20 })
    const taken = stateOf([A4], fieldAt('a', { x: 217.5, y: 290, width: 160, height: 20 }))
    expect(freeBox(taken, 1, sight, size)).toEqual({ x: 217.5, y: 314, width: 160, height: 20 })
  })

  test('on a full page it is at least never exactly on another field', () => {
    const full = stateOf(
      [A4],
      fieldAt('a', { x: 0, y: 0, width: 595, height: 842 }),
      fieldAt('b', { x: 217.5, y: 411, width: 160, height: 20 }),
    )
    const box = freeBox(full, 1, { x: 0, y: 0, width: 595, height: 842 }, { width: 160, height: 20 })
    expect(box).toEqual({ x: 229.5, y: 423, width: 160, height: 20 })
  })
})

describe('people', () => {
  test('only a person who may have a field receives it', () => {
    const state = stateOf(
      [A4],
      fieldAt('a', { x: 1, y: 1, width: 90, height: 30 }, { type: 'signature' }),
      fieldAt('b', { x: 1, y: 60, width: 90, height: 30 }),
    )
    expect(reassign(state, ['a', 'b'], CARA).map(({ id }) => id)).toEqual(['b'])
    expect(reassign(state, ['a', 'b'], DAN)).toEqual([])
  })

  test('a signer without a signature field is named; approvers and readers are not', () => {
    const state = stateOf([A4], fieldAt('a', { x: 1, y: 1, width: 90, height: 30 }, { type: 'signature' }))
    expect(signersWithoutSignature(state.fields, PEOPLE)).toEqual([BO])
  })
})

describe('properties', () => {
  test('a read-only field keeps its value; without a value it is not read-only', () => {
    const state = stateOf([A4], fieldAt('a', { x: 1, y: 1, width: 90, height: 30 }))
    expect(change(state, ['a'], { readOnly: true })).toEqual([])
    expect(change(state, ['a'], { readOnly: true, value: 'Bern' })[0]?.after).toMatchObject({ readOnly: true, value: 'Bern' })
  })

  test('members of another type are cleared when the type changes', () => {
    const state = stateOf(
      [A4],
      fieldAt('a', { x: 1, y: 1, width: 90, height: 30 }, { type: 'dropdown', options: ['A'], value: 'A' }),
    )
    expect(change(state, ['a'], { type: 'signature' })[0]?.after).toMatchObject({ options: [], value: undefined })
    const printed = stateOf([A4], fieldAt('b', { x: 0, y: 0, width: 90, height: 20 }, { fontSize: 9, align: 'right' }))
    expect(change(printed, ['b'], { type: 'checkbox' })[0]?.after).toMatchObject({ fontSize: undefined, align: undefined })
  })
})

describe('arranging', () => {
  const three = () =>
    stateOf(
      [A4],
      fieldAt('a', { x: 10, y: 10, width: 50, height: 20 }),
      fieldAt('b', { x: 100, y: 50, width: 100, height: 20 }),
      fieldAt('c', { x: 300, y: 90, width: 50, height: 40 }),
    )
  const boxes = (state: EditorState, changes: Change[]) => {
    const fields = applyChanges(state.fields, changes)
    return ['a', 'b', 'c'].map(id => boxOf({ ...state, fields }, fields.get(id)!))
  }

  test('aligns to the outermost edge', () => {
    const state = three()
    const right = boxes(state, align(state, ['a', 'b', 'c'], 'right')).map(({ x, width }) => Math.round(x + width))
    expect(right).toEqual([350, 350, 350])
    const middle = boxes(state, align(state, ['a', 'b', 'c'], 'middle')).map(({ y, height }) => Math.round(y + height / 2))
    expect(middle).toEqual([70, 70, 70])
  })

  test('distributes with equal gaps, the outermost two in place', () => {
    const state = three()
    const [a, b, c] = boxes(state, distribute(state, ['c', 'a', 'b'], 'x'))
    expect(b!.x - (a!.x + a!.width)).toBeCloseTo(c!.x - (b!.x + b!.width), 1)
    expect([a!.x, c!.x].map(Math.round)).toEqual([10, 300])
  })

  test('makes all as wide as the one that was selected first', () => {
    const state = three()
    expect(boxes(state, equalise(state, ['b', 'a', 'c'], ['width'])).map(({ width }) => Math.round(width))).toEqual([
      100, 100, 100,
    ])
  })
})
