/** Applies changes of fields to the recipients of a draft. Pure. */
import { newField, newSenderField, pageErrorsOf } from '../document/create-document.ts'
import type { Document, Recipient } from '../document/document.ts'
import type { ErrorList, ValidationDeps } from '../document/new-document.ts'
import type { Field } from '../field/field.ts'
import { inputOf, type NewField, validateField, withoutNulls, withType } from '../field/new-field.ts'
import { type PlacedField, placedFields, SENDER } from '../field/visibility.ts'
import { errorsIn, refuseIfInvalid } from '../refusal.ts'
import type { Role } from '../signing/routing.ts'
import { type Violation, violation } from '../violation.ts'
import { isSame } from './draft-changes.ts'

export interface EditDeps extends ValidationDeps {
  newId(prefix: 'rcp' | 'fld'): string
  hashAccessCode(recipientId: string, code: string): string
  /** Of a recipient that is added. */
  newLinkVersion(): number
  /** Whether another document has a recipient or field with this id. */
  isTaken(id: string): boolean
}

/** A new id that a client has made: the prefix and a ULID in lower case. */
export function newIdError(
  prefix: 'rcp' | 'rol' | 'fld',
  id: string,
  { isTaken }: Pick<EditDeps, 'isTaken'>,
): Violation | undefined {
  if (!new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(id)) return violation('malformed_id', { prefix })
  return isTaken(id) ? violation('id_in_use') : undefined
}

/** Adds, changes or removes one field. Members left out keep their value; `null` clears. */
export type FieldEdit = {
  /** Of a field of the draft; an unknown one is the id of a new field. */
  id?: string
  /** The field goes to this recipient, or to the sender. Required for a new field. */
  recipientId?: string
  /** Only `id` is given beside it. Removing a field that does not exist changes nothing. */
  remove?: true
} & { [Member in keyof NewField]?: NewField[Member] | null }

type Fields = Pick<Document, 'recipients' | 'senderFields'>

/** `recipients`: as edited. Fields of a missing one go with it, unless they are moved. */
export function editFields(
  document: Document,
  recipients: Recipient[],
  edits: FieldEdit[],
  errors: ErrorList,
  deps: EditDeps,
): Fields {
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
  readonly #before: Map<string, PlacedField>
  /** By field id; `undefined` for a removed field. */
  readonly #changed = new Map<string, PlacedField | undefined>()

  constructor(document: Document, recipients: Recipient[], errors: ErrorList, deps: EditDeps) {
    this.#document = document
    this.#recipients = recipients
    this.#errors = errors
    this.#deps = deps
    this.#before = new Map(placedFields(document).map(placed => [placed.field.id, placed] as const))
  }

  add(path: string, edit: FieldEdit): void {
    const id = edit.id ?? this.#deps.newId('fld')
    if (this.#changed.has(id)) this.#errors.add(`${path}.id`, violation('given_twice'))
    else if (edit.remove) this.#changed.set(id, undefined)
    else this.#put(path, id, edit)
  }

  #put(path: string, id: string, { id: _, recipientId, remove: __, ...members }: FieldEdit): void {
    const before = this.#before.get(id)
    const input = before ? merge(before.field, members) : this.#newInput(path, id, members)
    if (input === undefined) return
    const ownerId = recipientId ?? before?.recipientId
    const owner = this.#roleOf(ownerId)
    if (ownerId === undefined || owner === undefined) {
      this.#errors.add(`${path}.recipientId`, violation(ownerId === undefined ? 'required' : 'unknown_recipient'))
      return
    }
    const errorsBefore = this.#errors.all.length
    validateField(path, input, owner, this.#errors, true)
    this.#errors.addAll(pageErrorsOf(path, input, this.#document.pageCount))
    if (this.#errors.all.length > errorsBefore) return
    const field = ownerId === SENDER ? newSenderField(id, input) : newField(id, input)
    const isUnchanged = before !== undefined && before.recipientId === ownerId && isSame(before.field, field)
    this.#changed.set(id, isUnchanged ? before : { field, recipientId: ownerId })
  }

  #roleOf(ownerId: string | undefined): Role | typeof SENDER | undefined {
    return ownerId === SENDER ? SENDER : this.#recipients.find(r => r.id === ownerId)?.role
  }

  /** The members of a new field; `undefined` after an error. */
  #newInput(path: string, id: string, members: FieldMembers): NewField | undefined {
    if (members.type === undefined) {
      this.#errors.add(`${path}.id`, violation('unknown_field'))
      return undefined
    }
    this.#errors.add(`${path}.id`, newIdError('fld', id, this.#deps))
    return withoutNulls(members) as NewField
  }

  /** New fields, and those that go to another owner, come last. */
  apply(): Fields {
    const arriving = Map.groupBy(
      [...this.#changed.values()].filter(
        (placed): placed is PlacedField =>
          placed !== undefined && this.#before.get(placed.field.id)?.recipientId !== placed.recipientId,
      ),
      placed => placed.recipientId,
    )
    const next = (ownerId: string, before: Field[]): Field[] => {
      const kept = before.filter(f => this.#stays(f, ownerId)).map(f => this.#changed.get(f.id)?.field ?? f)
      const fields = [...kept, ...(arriving.get(ownerId) ?? []).map(({ field }) => field)]
      return fields.length === before.length && fields.every((f, i) => f === before[i]) ? before : fields
    }
    const recipients = this.#recipients.map(recipient => {
      const fields = next(recipient.id, recipient.fields)
      return fields === recipient.fields ? recipient : { ...recipient, fields }
    })
    const senderFields = next(SENDER, this.#document.senderFields)
    this.#refuseTooMany({ recipients, senderFields })
    return { recipients, senderFields }
  }

  #stays({ id }: Field, ownerId: string): boolean {
    return !this.#changed.has(id) || this.#changed.get(id)?.recipientId === ownerId
  }

  #refuseTooMany(fields: Fields): void {
    const { fields: max } = this.#deps.limits
    const count = placedFields(fields).length
    if (count > max) refuseIfInvalid(errorsIn([['fields', violation('too_many_fields_in_all', { max, count })]]))
  }
}

type FieldMembers = Omit<FieldEdit, 'id' | 'recipientId' | 'remove'>

/** What does not fit a changed type is dropped, unless the edit gives it. */
function merge(field: Field, members: FieldMembers): NewField {
  const type = members.type ?? field.type
  const base = type === field.type ? inputOf(field) : withType(field, type)
  return withoutNulls({ ...base, ...members }) as NewField
}
