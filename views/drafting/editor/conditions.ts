/** Names of fields, and the conditions under which fields are shown. Pure. */
import { type ConditionalField, type ConditionCode, conditionErrors } from '../../../src/core/field/conditions.ts'
import { type FieldType, hasOptions, MAX_FIELD_NAME, mayControl } from '../../../src/core/field/field.ts'
import { nameKey } from '../../../src/core/field/visibility.ts'
import type { SigningOrder } from '../../../src/core/signing/routing.ts'
import { cleanLine } from '../../../src/core/text.ts'
import { type Change, changesTo, type EditorField, type EditorState, type Fields, type Person } from './model.ts'

/** What conditions depend on besides the fields. */
export interface ConditionContext {
  fields: Fields
  people: readonly Person[]
  signingOrder: SigningOrder
}

interface Owner {
  order: number | undefined
  fields: EditorField[]
}

/** The sender has no place in the order. */
function ownersOf({ fields, people }: ConditionContext): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const { id, role, order = 1 } of people) owners.set(id, { order: role === 'sender' ? undefined : order, fields: [] })
  for (const field of fields.values()) owners.get(field.recipientId)?.fields.push(field)
  return owners
}

export interface ConditionProblem {
  member: 'name' | 'showIf'
  code: ConditionCode
}

/** What is wrong with names and conditions, by field id. */
export function conditionProblems(context: ConditionContext): Map<string, ConditionProblem[]> {
  const owners = [...ownersOf(context).values()]
  const problems = new Map<string, ConditionProblem[]>()
  for (const { owner, field, member, code } of conditionErrors(owners, context.signingOrder)) {
    const id = owners[owner]?.fields[field]?.id
    if (id === undefined) continue
    problems.set(id, [...(problems.get(id) ?? []), { member: member === 'name' ? 'name' : 'showIf', code }])
  }
  return problems
}

/** A field that may control another one, with the name it has or would get. */
export interface Controlling {
  field: EditorField
  name: string
}

/** The fields that the condition of this field may name, in reading order if `fields` is. */
export function controllingFields(
  context: ConditionContext,
  field: EditorField,
  typeName: (type: FieldType) => string,
): Controlling[] {
  const names = new Names(context.fields)
  const candidates = [...context.fields.values()]
    .filter(other => other !== field && mayControl(other.type))
    .map(other => ({ field: other, name: other.name ?? names.propose(other.label ?? typeName(other.type)) }))
  const nameOf = new Map(candidates.map(({ field: { id }, name }) => [id, name]))
  const owners = ownersOf(context)
  const own = [...owners.keys()].indexOf(field.recipientId)
  // Whoever depends on this field leads to itself: so none of them is a candidate.
  const itself = field.name === undefined ? undefined : { field: field.name, is: '' }
  const known = [...owners.values()].map(({ order, fields }) => ({
    order,
    fields: fields.map((other): ConditionalField => {
      const name = nameOf.get(other.id) ?? other.name
      return { ...other, name, showIf: other === field ? itself : other.showIf }
    }),
  }))
  const owner = known[own]
  if (!owner) return []
  const first = owner.fields.length
  owner.fields.push(...candidates.map(({ name }) => ({ ...field, name: undefined, showIf: { field: name, is: '' } })))
  const refused = new Set(
    conditionErrors(known, context.signingOrder)
      .filter(error => error.owner === own && error.member === 'showIf.field')
      .map(error => error.field - first),
  )
  return candidates.filter((_, i) => !refused.has(i))
}

/** Makes names that no field has yet. */
export class Names {
  readonly #taken: Set<string>

  constructor(fields: Fields) {
    this.#taken = new Set([...fields.values()].flatMap(({ name }) => (name === undefined ? [] : [nameKey(name)])))
  }

  /** The label, with a number if a field has that name already. */
  propose(label: string): string {
    const base = cleanLine(label).slice(0, MAX_FIELD_NAME - 5)
    let name = base
    for (let n = 2; this.#taken.has(nameKey(name)); n++) name = `${base} ${n}`
    this.#taken.add(nameKey(name))
    return name
  }
}

/** The values that a condition on this field may ask for; `undefined` for any text. */
export function answersOf({ type, options }: EditorField): readonly string[] | undefined {
  if (type === 'checkbox') return ['true', 'false']
  return hasOptions(type) ? options : undefined
}

/** Names a field. The conditions that refer to it get the new name. */
export function rename(state: EditorState, id: string, entered: string): Change[] {
  const field = state.fields.get(id)
  if (!field) return []
  const name = cleanLine(entered).slice(0, MAX_FIELD_NAME) || undefined
  return changesTo(state, [{ ...field, name }, ...(name === undefined ? [] : referring(state, field, { field: name }))])
}

/** Gives the conditions on this field another name, or another value in place of `was`. */
export function referring(
  state: EditorState,
  { name }: EditorField,
  change: { field: string } | { is: string; was: string },
): EditorField[] {
  if (name === undefined) return []
  const key = nameKey(name)
  return [...state.fields.values()].flatMap(other => {
    const { showIf } = other
    if (showIf === undefined || nameKey(showIf.field) !== key) return []
    if ('field' in change) return [{ ...other, showIf: { ...showIf, field: change.field } }]
    return showIf.is === change.was ? [{ ...other, showIf: { ...showIf, is: change.is } }] : []
  })
}

/** Shows fields only while another one has this value; that one gets a name if it has none. */
export function showOnlyIf(
  state: EditorState,
  ids: readonly string[],
  condition: { controllingId: string; name: string; is: string } | undefined,
): Change[] {
  const fields = ids.flatMap(id => state.fields.get(id) ?? [])
  if (condition === undefined)
    return changesTo(
      state,
      fields.map(field => ({ ...field, showIf: undefined })),
    )
  const { controllingId, name, is } = condition
  const controlling = state.fields.get(controllingId)
  if (!controlling) return []
  const named = controlling.name === undefined ? [{ ...controlling, name }] : []
  return changesTo(state, [...named, ...fields.map(field => ({ ...field, showIf: { field: controlling.name ?? name, is } }))])
}
