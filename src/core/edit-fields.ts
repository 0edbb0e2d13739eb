/** Applies changes of fields to the recipients of a draft. Pure. */
import { newField } from './create-document.ts'
import type { Document, Recipient } from './document.ts'
import { isSame } from './draft-changes.ts'
import { excessMembers, type Field, type FieldType, isPrefillable } from './field.ts'
import { type ErrorList, type NewField, type ValidationDeps, validateField } from './new-document.ts'
import { refuseIfInvalid } from './refusal.ts'

export interface EditDeps extends ValidationDeps {
  newId(prefix: 'rcp' | 'fld'): string
  hashAccessCode(recipientId: string, code: string): string
  /** Of a recipient that is added. */
  newLinkVersion(): number
  /** Whether another document has a recipient or field with this id. */
  isTaken(id: string): boolean
}

/** A new id that a client has made: the prefix and a ULID in lower case. */
export function newIdError(prefix: 'rcp' | 'fld', id: string, { isTaken }: Pick<EditDeps, 'isTaken'>): string | undefined {
  if (!new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(id)) return `must be ${prefix}_ and a ULID in lower case`
  return isTaken(id) ? 'is in use already: make a new one' : undefined
}

/** Adds, changes or removes one field. Members left out keep their value; `null` clears. */
export type FieldEdit = {
  /** Of a field of the draft; an unknown one is the id of a new field. */
  id?: string
  /** The field goes to this recipient. Required for a new field. */
  recipientId?: string
  /** Only `id` is given beside it. Removing a field that does not exist changes nothing. */
  remove?: true
} & { [Member in keyof NewField]?: NewField[Member] | null }

interface Placed {
  field: Field
  recipientId: string
}

/** `recipients`: as edited. Fields of a missing one go with it, unless they are moved. */
export function editFields(
  document: Document,
  recipients: Recipient[],
  edits: FieldEdit[],
  errors: ErrorList,
  deps: EditDeps,
): Recipient[] {
  const changes = new FieldChanges(document, recipients, errors, deps)
  edits.forEach((edit, i) => {
    changes.add(`fields[${i}]`, edit)
  })
  return changes.apply()
}

class FieldChanges {
  readonly #document: Document
  readonly #recipients: Recipient[]
  readonly #errors: ErrorList
  readonly #deps: EditDeps
  readonly #before: Map<string, Placed>
  /** By field id; `undefined` for a removed field. */
  readonly #changed = new Map<string, Placed | undefined>()

  constructor(document: Document, recipients: Recipient[], errors: ErrorList, deps: EditDeps) {
    this.#document = document
    this.#recipients = recipients
    this.#errors = errors
    this.#deps = deps
    this.#before = new Map(
      document.recipients.flatMap(r => r.fields.map(field => [field.id, { field, recipientId: r.id }] as const)),
    )
  }

  add(path: string, edit: FieldEdit): void {
    const id = edit.id ?? this.#deps.newId('fld')
    if (this.#changed.has(id)) this.#errors.add(`${path}.id`, 'is given twice')
    else if (edit.remove) this.#changed.set(id, undefined)
    else this.#put(path, id, edit)
  }

  #put(path: string, id: string, { id: _, recipientId, remove: __, ...members }: FieldEdit): void {
    const before = this.#before.get(id)
    const input = before ? merge(before.field, members) : this.#newInput(path, id, members)
    if (input === undefined) return
    const ownerId = recipientId ?? before?.recipientId
    const owner = this.#recipients.find(r => r.id === ownerId)
    if (owner === undefined) {
      this.#errors.add(
        `${path}.recipientId`,
        ownerId === undefined ? 'is required' : 'must be the id of a recipient of the draft',
      )
      return
    }
    const errorsBefore = this.#errors.all.length
    validateField(path, input, owner.role, this.#errors, true)
    const { pageCount } = this.#document
    const pages = pageCount === 1 ? 'has 1 page' : `has ${pageCount} pages`
    if (input.page > pageCount) this.#errors.add(`${path}.page`, `must be within the document: it ${pages}`)
    if (this.#errors.all.length > errorsBefore) return
    const field = newField(id, input)
    const isUnchanged = before !== undefined && before.recipientId === owner.id && isSame(before.field, field)
    this.#changed.set(id, isUnchanged ? before : { field, recipientId: owner.id })
  }

  /** The members of a new field; `undefined` after an error. */
  #newInput(path: string, id: string, members: FieldMembers): NewField | undefined {
    if (members.type === undefined) {
      this.#errors.add(`${path}.id`, 'is not a field of this draft; a new field needs a type')
      return undefined
    }
    this.#errors.add(`${path}.id`, newIdError('fld', id, this.#deps))
    const missing = (['page', 'x', 'y', 'width', 'height'] as const).filter(member => typeof members[member] !== 'number')
    for (const member of missing) this.#errors.add(`${path}.${member}`, 'is required')
    return missing.length > 0 ? undefined : (withoutNulls(members) as NewField)
  }

  /** New fields, and those that go to another recipient, come last. */
  apply(): Recipient[] {
    const changed = this.#changed
    const stays = (field: Field, owner: string) => !changed.has(field.id) || changed.get(field.id)?.recipientId === owner
    const arriving = Map.groupBy(
      [...changed.values()].filter(
        (placed): placed is Placed =>
          placed !== undefined && this.#before.get(placed.field.id)?.recipientId !== placed.recipientId,
      ),
      placed => placed.recipientId,
    )
    const next = this.#recipients.map(recipient => {
      const kept = recipient.fields.filter(f => stays(f, recipient.id)).map(f => changed.get(f.id)?.field ?? f)
      const fields = [...kept, ...(arriving.get(recipient.id) ?? []).map(({ field }) => field)]
      const isUnchanged = fields.length === recipient.fields.length && fields.every((f, i) => f === recipient.fields[i])
      return isUnchanged ? recipient : { ...recipient, fields }
    })
    this.#refuseTooMany(next)
    return next
  }

  #refuseTooMany(recipients: Recipient[]): void {
    const { fields: max } = this.#deps.limits
    const count = recipients.reduce((sum, { fields }) => sum + fields.length, 0)
    const message = `would be ${count} in all: a document has at most ${max}`
    if (count > max) refuseIfInvalid([{ path: 'fields', message }])
  }
}

type FieldMembers = Omit<FieldEdit, 'id' | 'recipientId' | 'remove'>

/** The request that would make this field. */
export function inputOf({ id: _, options, ...members }: Field): NewField {
  return withoutNulls({ ...members, ...(options.length > 0 ? { options } : {}) }) as NewField
}

/** What does not fit a changed type is dropped, unless the edit gives it. */
function merge(field: Field, members: FieldMembers): NewField {
  const type: FieldType = members.type ?? field.type
  const base = inputOf({ ...field, type })
  for (const member of excessMembers(base)) delete base[member]
  if (!isPrefillable(type)) delete base.value
  return withoutNulls({ ...base, ...members }) as NewField
}

/** An optional member of a request is absent, never undefined or null. */
function withoutNulls(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))
}
