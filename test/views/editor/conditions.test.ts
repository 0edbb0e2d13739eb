/** Names and conditions in the editor: who may control whom, and what a change takes along. */
import { describe, expect, test } from 'bun:test'
import { conditionErrors } from '../../../src/core/field/conditions.ts'
import { mayControl } from '../../../src/core/field/field.ts'
import { SENDER } from '../../../src/core/field/visibility.ts'
import { conditionProblems, controllingFields, Names, rename, showOnlyIf } from '../../../views/drafting/editor/conditions.ts'
import { applyChanges, type EditorField, type Fields, type Person } from '../../../views/drafting/editor/model.ts'
import { A4, ANNA, BO, fieldAt, stateOf } from './drafts.ts'

const OURS: Person = { id: SENDER, name: '', email: '', role: SENDER }
const FIRST = { ...ANNA, order: 1 }
const SECOND = { ...BO, order: 2 }
const people = [FIRST, SECOND, OURS]
const at = { x: 10, y: 10, width: 100, height: 20 }
const field = (id: string, about: Partial<EditorField>) => fieldAt(id, at, about)
const fieldsOf = (...list: EditorField[]): Fields => new Map(list.map(each => [each.id, each]))
const context = (fields: Fields, signingOrder: 'parallel' | 'sequential' = 'sequential') => ({ fields, people, signingOrder })
const idsFor = (fields: Fields, id: string, order?: 'parallel') =>
  controllingFields(context(fields, order), fields.get(id)!, type => type).map(({ field: { id: other } }) => other)

describe('the fields that a condition may name', () => {
  const fields = fieldsOf(
    field('own', { type: 'checkbox', label: 'Pets' }),
    field('mark', { type: 'signature' }),
    field('later', { type: 'text', recipientId: SECOND.id }),
    field('fixed', { type: 'text', recipientId: SECOND.id, value: 'x', readOnly: true }),
    field('sender', { type: 'dropdown', recipientId: SENDER, options: ['a'] }),
    field('target', { type: 'text' }),
    field('last', { type: 'text', recipientId: SECOND.id }),
  )

  test('are of the same person, of the sender, read-only, or of somebody who signs earlier', () => {
    expect(idsFor(fields, 'target')).toEqual(['own', 'fixed', 'sender'])
    expect(idsFor(fields, 'last')).toEqual(['own', 'later', 'fixed', 'sender', 'target'])
    expect(idsFor(fields, 'last', 'parallel')).toEqual(['later', 'fixed', 'sender'])
  })

  test('do not depend on the field, directly or through others', () => {
    const chain = fieldsOf(
      field('a', { name: 'A' }),
      field('b', { name: 'B', showIf: { field: 'a', is: '1' } }),
      field('c', { name: 'C', showIf: { field: 'B', is: '1' } }),
      field('d', { name: 'D' }),
    )
    expect(idsFor(chain, 'a')).toEqual(['d'])
    expect(idsFor(chain, 'c')).toEqual(['a', 'b', 'd'])
  })

  test('are valid by the rules of the service, each of them and no other', () => {
    for (const [id, target] of fields) {
      const allowed = new Set(idsFor(fields, id))
      for (const [otherId, other] of fields) {
        if (otherId === id || !mayControl(other.type)) continue
        const named = new Map(fields).set(otherId, { ...other, name: 'Controls' })
        named.set(id, { ...target, showIf: { field: 'controls', is: other.options[0] ?? 'true' } })
        const owners = [OURS, FIRST, SECOND].map(({ id: owner, order }) => ({
          order,
          fields: [...named.values()].filter(({ recipientId }) => recipientId === owner),
        }))
        expect({ id, otherId, isAllowed: allowed.has(otherId) }).toEqual({
          id,
          otherId,
          isAllowed: conditionErrors(owners, 'sequential').length === 0,
        })
      }
    }
  })
})

describe('names', () => {
  test('are proposed from the label, with a number where they are taken', () => {
    const fields = fieldsOf(field('a', { name: 'Town' }), field('b', { name: 'town 2' }))
    expect(new Names(fields).propose(' Town ')).toBe('Town 3')
  })

  test('that are used twice are reported at the second field, without regard to case', () => {
    const fields = fieldsOf(field('a', { name: 'Town' }), field('b', { name: 'TOWN' }))
    expect([...conditionProblems(context(fields))]).toEqual([['b', [{ member: 'name', code: 'name_in_use' }]]])
  })

  test('change with the conditions that use them; a removed one leaves a condition that is reported', () => {
    const state = stateOf([A4], field('a', { name: 'Town' }), field('b', { showIf: { field: 'town', is: 'Bern' } }))
    const renamed = applyChanges(state.fields, rename(state, 'a', '  City '))
    expect(renamed.get('b')?.showIf).toEqual({ field: 'City', is: 'Bern' })
    const cleared = applyChanges(state.fields, rename(state, 'a', ''))
    expect(conditionProblems(context(cleared)).get('b')).toEqual([{ member: 'showIf', code: 'unknown' }])
  })

  test('come with a condition, in one step, where the controlling field had none', () => {
    const state = stateOf([A4], field('a', { label: 'Town' }), field('b', {}))
    const changes = showOnlyIf(state, ['b'], { controllingId: 'a', name: 'Town', is: 'Bern' })
    expect(changes.map(({ after }) => [after?.id, after?.name, after?.showIf])).toEqual([
      ['a', 'Town', undefined],
      ['b', undefined, { field: 'Town', is: 'Bern' }],
    ])
  })
})

test('a chain of conditions that is twice as long takes at most four times the work', () => {
  const readsOf = (count: number) => {
    let reads = 0
    const counted = (of: ReturnType<typeof field>) =>
      new Proxy(of, {
        get(target, member, self) {
          reads++
          return Reflect.get(target, member, self)
        },
      })
    const many = Array.from({ length: count }, (_, i) =>
      counted(field(`f${i}`, { name: `N${i}`, showIf: i === 0 ? undefined : { field: `n${i - 1}`, is: 'x' } })),
    )
    const fields = fieldsOf(...many)
    reads = 0
    conditionProblems(context(fields))
    controllingFields(context(fields), fields.get(`f${count / 2}`)!, type => type)
    return reads
  }
  expect(readsOf(400) / readsOf(200)).toBeLessThan(4.2)
})
