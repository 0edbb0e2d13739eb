/** Copies to pages and people, the clipboard, and the steps of undo. */
import { describe, expect, test } from 'bun:test'
import { MAX_FIELDS } from '../../../src/core/document/document-limits.ts'
import { move, TooManyFieldsError } from '../../../views/drafting/editor/commands.ts'
import { clipIn, clipOf, copyForPerson, copyToPages, paste, targetPages } from '../../../views/drafting/editor/copies.ts'
import { History, MAX_STEPS, type StepKind } from '../../../views/drafting/editor/history.ts'
import { applyChanges, isSameField, type PageSize, toPoints } from '../../../views/drafting/editor/model.ts'
import { A4, ANNA, BO, CARA, counter, DAN, fieldAt, PEOPLE, stateOf } from './drafts.ts'

describe('copies', () => {
  const initials = fieldAt('a', { x: 500, y: 780, width: 60, height: 32 }, { type: 'initials', page: 2 })

  test('to all pages, all but the first, all but the last, or a range', () => {
    expect(targetPages('all', 3)).toEqual([1, 2, 3])
    expect(targetPages('butFirst', 3)).toEqual([2, 3])
    expect(targetPages('butLast', 3)).toEqual([1, 2])
    expect(targetPages({ from: 5, to: 2 }, 4)).toEqual([2, 3, 4])
    expect(targetPages('butLast', 1)).toEqual([])
  })

  test('are kept inside smaller pages, skip what is there within 1 pt, and never count twice', () => {
    const pages: PageSize[] = [A4, A4, [300, 300], A4]
    const there = fieldAt('b', { x: 500.9, y: 780, width: 60, height: 32 }, { type: 'initials', page: 1 })
    const beside = fieldAt('c', { x: 502, y: 780, width: 60, height: 32 }, { type: 'initials', page: 4 }, pages)
    const state = stateOf(pages, initials, there, beside)
    const copied = copyToPages(state, ['a'], 'all', counter())
    expect(copied.skipped).toBe(1)
    expect(copied.changes.map(({ after }) => after?.page)).toEqual([3, 4])
    const small = toPoints(copied.changes[0]!.after!, [300, 300])
    expect(small.x).toBeCloseTo(240, 1)
    expect(small.y).toBeCloseTo(268, 1)
    const again = copyToPages({ ...state, fields: applyChanges(state.fields, copied.changes) }, ['a'], 'all', counter('x'))
    expect(again).toEqual({ changes: [], skipped: 3 })
  })

  test('of another person at the same place are no reason to skip', () => {
    const theirs = fieldAt('b', { x: 500, y: 780, width: 60, height: 32 }, { type: 'initials', page: 1, recipientId: BO.id })
    const state = stateOf([A4, A4], initials, theirs)
    expect(copyToPages(state, ['a'], 'all', counter()).changes).toHaveLength(1)
  })

  test('above the limit of fields nothing is copied', () => {
    const pages = Array.from({ length: MAX_FIELDS + 1 }, () => A4)
    const state = stateOf(pages, fieldAt('a', { x: 5, y: 5, width: 60, height: 32 }, { type: 'initials' }, pages))
    expect(() => copyToPages(state, ['a'], 'all', counter())).toThrow(TooManyFieldsError)
    expect(copyToPages(state, ['a'], { from: 1, to: MAX_FIELDS }, counter()).changes).toHaveLength(MAX_FIELDS - 1)
  })

  test('for another person are beside the original, without its value, and only of types the person may have', () => {
    const state = stateOf([A4], fieldAt('a', { x: 72, y: 700, width: 160, height: 48 }, { type: 'signature', label: 'Sign' }))
    const [copy] = copyForPerson(state, ['a'], BO, counter())
    expect(copy?.after).toMatchObject({ recipientId: BO.id, type: 'signature', label: 'Sign' })
    expect(toPoints(copy!.after!, A4).x).toBeCloseTo(244, 1)
    expect(copyForPerson(state, ['a'], CARA, counter())).toEqual([])
    expect(copyForPerson(state, ['a'], DAN, counter())).toEqual([])
  })

  test('are pasted at the same place of another page, and 12 pt beside on the same page', () => {
    const state = stateOf([A4, A4], fieldAt('a', { x: 72, y: 700, width: 160, height: 20 }))
    const clip = clipOf(state, ['a'], PEOPLE)
    const options = { people: PEOPLE, active: ANNA, newId: counter() }
    expect(toPoints(paste(state, clip, 2, options)[0]!.after!, A4)).toMatchObject({ x: expect.closeTo(72, 1) })
    expect(toPoints(paste(state, clip, 1, options)[0]!.after!, A4)).toMatchObject({
      x: expect.closeTo(84, 1),
      y: expect.closeTo(712, 1),
    })
  })

  test('of several choices are pasted with all their boxes, also into a document with fewer pages', () => {
    const at = { x: 10, width: 4, height: 2 }
    const boxes = [
      { page: 2, y: 50, ...at },
      { page: 2, y: 60, ...at },
      { page: 3, y: 10, ...at },
    ]
    const choice = { ...fieldAt('a', { x: 59.5, y: 421, width: 20, height: 20 }, { type: 'radio', page: 2 }), ...boxes[0], boxes }
    const clip = clipOf(stateOf([A4, A4, A4], choice), ['a'], PEOPLE)
    const options = { people: PEOPLE, active: ANNA, newId: counter() }
    const pasted = paste(stateOf([A4, A4]), clip, 1, options)[0]?.after
    expect(pasted?.page).toBe(1)
    expect(pasted?.boxes.map(({ page }) => page)).toEqual([1, 1, 2])
    expect(pasted?.boxes.map(({ y }) => Math.round(y))).toEqual([50, 60, 10])
    expect(paste(stateOf([A4]), clip, 1, options)).toEqual([])
  })

  test('pasted into another document go to the person with the same address, else the same number, else the active one', () => {
    const state = stateOf([A4], fieldAt('a', { x: 72, y: 700, width: 160, height: 20 }, { recipientId: BO.id }))
    const clip = clipOf(state, ['a'], PEOPLE)
    const owner = (people: typeof PEOPLE) =>
      paste(stateOf([A4]), clip, 1, { people, active: people[0]!, newId: counter() })[0]?.after?.recipientId
    expect(
      owner([
        { ...CARA, id: 'rcp_1' },
        { ...ANNA, id: 'rcp_2' },
        { ...BO, id: 'rcp_3' },
      ]),
    ).toBe('rcp_3')
    expect(
      owner([
        { ...ANNA, id: 'rcp_1' },
        { ...CARA, id: 'rcp_2' },
      ]),
    ).toBe('rcp_2')
    expect(owner([{ ...ANNA, id: 'rcp_1' }])).toBe('rcp_1')
  })
})

describe('history', () => {
  const state = stateOf([A4], fieldAt('a', { x: 100, y: 100, width: 60, height: 20 }))
  /** Nudges to the right at these times. */
  function nudged(times: number[], kind: StepKind = 'moved') {
    const history = new History()
    let { fields } = state
    for (const atMs of times) {
      const changes = move({ ...state, fields }, ['a'], 1, 0)
      fields = applyChanges(fields, changes)
      history.push({ kind, changes, atMs })
    }
    return { history, fields }
  }
  const undone = ({ history, fields }: ReturnType<typeof nudged>) => {
    let count = 0
    for (let step = history.undo(fields); step; step = history.undo(fields)) {
      fields = applyChanges(fields, step.changes)
      count++
    }
    return { count, isBack: isSameField(fields.get('a'), state.fields.get('a')) }
  }

  test('nudges at most 700 ms apart are one step; later ones and placed fields are steps of their own', () => {
    expect(undone(nudged([0, 700, 1400]))).toEqual({ count: 1, isBack: true })
    expect(undone(nudged([0, 701, 1500]))).toEqual({ count: 3, isBack: true })
    expect(undone(nudged([0, 10], 'pasted'))).toEqual({ count: 2, isBack: true })
  })

  test('has 50 steps', () => {
    const times = Array.from({ length: MAX_STEPS + 10 }, (_, i) => i * 1000)
    expect(undone(nudged(times))).toEqual({ count: MAX_STEPS, isBack: false })
  })

  test('skips a step whose field another person has changed meanwhile, and undoes the one before', () => {
    const history = new History()
    const other = fieldAt('b', { x: 1, y: 1, width: 60, height: 20 })
    history.push({ kind: 'placed', changes: [{ id: 'b', before: undefined, after: other }], atMs: 0 })
    const changes = move(state, ['a'], 5, 0)
    history.push({ kind: 'moved', changes, atMs: 5000 })
    const theirs = new Map([
      ['a', { ...state.fields.get('a')!, label: 'theirs' }],
      ['b', other],
    ])
    expect(history.undo(theirs)?.changes).toEqual([{ id: 'b', before: other, after: undefined }])
    expect(history.canUndo).toBe(false)
  })
})

describe('the clipboard of the browser', () => {
  const clip = clipOf(stateOf([A4], fieldAt('a', { x: 10, y: 10, width: 60, height: 32 })), ['a'], PEOPLE)

  test('gives back what was stored', () => {
    expect(clipIn(JSON.stringify(clip))).toEqual(JSON.parse(JSON.stringify(clip)))
  })

  test('with anything else in it is empty', () => {
    const [field] = clip.fields
    const others = [null, '', '{', 'null', '[]', '{}', '7', '{"fields":7}', '{"fields":[null]}', '{"fields":[{}]}']
    const wrong = [
      { ...field, box: null },
      { ...field, order: '1' },
      { ...field, field: { ...field?.field, options: 'a' } },
      { ...field, field: { ...field?.field, type: 1 } },
    ].map(each => JSON.stringify({ fields: [each] }))
    for (const text of [...others, ...wrong]) expect([text, clipIn(text)]).toEqual([text, undefined])
  })
})
