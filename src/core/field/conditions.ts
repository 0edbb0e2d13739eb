/** The rules for the names of fields and for the conditions that refer to them. Pure. */
import type { Document } from '../document/document.ts'
import type { SigningOrder } from '../signing/routing.ts'
import { type Violation, violation } from '../violation.ts'
import { type Field, type FieldType, hasOptions, mayControl } from './field.ts'
import { nameKey } from './visibility.ts'

/** What the rules need of a field, also of one in a request. */
export interface ConditionalField extends Pick<Field, 'type' | 'name' | 'showIf'> {
  options: readonly string[]
  readOnly: boolean
}

/** The fields of the sender or of one recipient. */
export interface FieldOwner {
  /** `undefined`: the sender. */
  order: number | undefined
  fields: readonly ConditionalField[]
}

export type ConditionCode = 'name_in_use' | 'unknown' | 'wrong_kind' | 'not_a_choice' | 'not_known_yet' | 'circular'

/** `owner` and `field` are indexes. */
export interface ConditionError {
  owner: number
  field: number
  member: 'name' | 'showIf.field' | 'showIf.is'
  code: ConditionCode
}

export const CONDITION_VIOLATIONS: Record<ConditionCode, Violation> = {
  name_in_use: violation('field_name_in_use'),
  unknown: violation('condition_unknown'),
  wrong_kind: violation('condition_wrong_kind'),
  not_a_choice: violation('condition_not_a_choice'),
  not_known_yet: violation('condition_not_known_yet'),
  circular: violation('condition_circular'),
}

/** The owners of a document in order, the sender first. */
export function ownersOf({ senderFields, recipients }: Pick<Document, 'senderFields' | 'recipients'>): {
  order: number | undefined
  fields: readonly Field[]
}[] {
  return [{ order: undefined, fields: senderFields }, ...recipients.map(({ order, fields }) => ({ order, fields }))]
}

interface Placed {
  field: ConditionalField
  owner: number
  index: number
}

/** The invalid names and conditions, at most one of each per field. */
export function conditionErrors(owners: readonly FieldOwner[], signingOrder: SigningOrder): ConditionError[] {
  const placed = owners.flatMap((owner, o) => owner.fields.map((field, f) => ({ field, owner: o, index: f })))
  const named = Map.groupBy(placed, ({ field }) => field.name && nameKey(field.name))
  const byName: ReadonlyMap<string | undefined, Placed> = new Map(
    [...named].flatMap(([key, [first]]) => (key && first ? [[key, first]] : [])),
  )
  const repeated = [...named].flatMap(([key, same]) => (key === undefined ? [] : same.slice(1)))
  const conditions = new Conditions(owners, signingOrder, byName)
  return [
    ...repeated.map(({ owner, index }) => ({ owner, field: index, member: 'name', code: 'name_in_use' }) as const),
    ...placed.flatMap(each => {
      const code = conditions.codeOf(each)
      const member = code === 'not_a_choice' ? 'showIf.is' : 'showIf.field'
      return code === undefined ? [] : [{ owner: each.owner, field: each.index, member, code } as const]
    }),
  ]
}

class Conditions {
  readonly #owners: readonly FieldOwner[]
  readonly #signingOrder: SigningOrder
  readonly #byName: ReadonlyMap<string | undefined, Placed>

  constructor(owners: readonly FieldOwner[], signingOrder: SigningOrder, byName: ReadonlyMap<string | undefined, Placed>) {
    this.#owners = owners
    this.#signingOrder = signingOrder
    this.#byName = byName
  }

  codeOf(placed: Placed): ConditionCode | undefined {
    const { showIf } = placed.field
    if (showIf === undefined) return undefined
    const controlling = this.#byName.get(nameKey(showIf.field))
    if (controlling === undefined) return 'unknown'
    if (!mayControl(controlling.field.type)) return 'wrong_kind'
    if (isCircular(placed.field, this.#byName)) return 'circular'
    if (!this.#isKnown(controlling, placed)) return 'not_known_yet'
    return canBe(controlling.field, showIf.is) ? undefined : 'not_a_choice'
  }

  /**
   * Whether the controlling value is known, or entered by the same person, at the owner's turn. A
   * fixed value counts only while its field is shown: what decides about that must be known too.
   */
  #isKnown(controlling: Placed, dependent: Placed): boolean {
    if (!this.#isEntered(controlling, dependent)) return false
    const { showIf } = controlling.field
    const next = showIf && this.#byName.get(nameKey(showIf.field))
    return next === undefined || this.#isKnown(next, dependent)
  }

  #isEntered(controlling: Placed, { owner }: Placed): boolean {
    const [order, before] = [this.#owners[owner]?.order, this.#owners[controlling.owner]?.order]
    if (controlling.owner === owner || before === undefined || controlling.field.readOnly) return true
    return order !== undefined && this.#signingOrder === 'sequential' && before < order
  }
}

function isCircular(field: ConditionalField, byName: ReadonlyMap<string | undefined, Placed>): boolean {
  const passed = new Set<ConditionalField>()
  let current: ConditionalField | undefined = field
  while (current?.showIf) {
    if (passed.has(current)) return true
    passed.add(current)
    current = byName.get(nameKey(current.showIf.field))?.field
  }
  return false
}

const FIXED_ANSWERS: Partial<Record<FieldType, readonly string[]>> = { checkbox: ['true', 'false'] }

function canBe({ type, options }: ConditionalField, value: string): boolean {
  return (FIXED_ANSWERS[type] ?? (hasOptions(type) ? options : [value])).includes(value)
}
