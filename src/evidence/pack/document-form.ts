/**
 * The form of `document` in audit.json: its members, which are those of the API's `Document`, and
 * their types. Most of them are proven by the log; for the others, the form is all there is.
 */
import { DOCUMENT_STATE, DRAFT_MEMBERS, RECIPIENT_MEMBERS, RECIPIENT_STATE } from '../../core/document/document-members.ts'
import { isJsonObject } from '../../core/document/logged-facts.ts'
import { FIELD_MEMBERS } from '../../core/field/field.ts'
import type { Kind, Members } from '../../core/members.ts'

export interface FormProblems {
  /** Paths of members of another type, such as `recipients[0].fields[1].x`. */
  wrong: string[]
  /** Paths of members that this release does not know. */
  unknown: string[]
}

/** Adds what is wrong with the value at the path. */
type Form = (value: unknown, path: string, found: FormProblems) => void

const valueThat =
  (isRight: (value: unknown) => boolean): Form =>
  (value, path, { wrong }) => {
    if (!isRight(value)) wrong.push(path)
  }

const matching = (pattern: RegExp) => valueThat(value => typeof value === 'string' && pattern.test(value))

const text = matching(/^/)
const flag = valueThat(value => typeof value === 'boolean')
const number = valueThat(Number.isFinite)
const whole = valueThat(Number.isSafeInteger)
const time = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const sha256 = matching(/^[0-9a-f]{64}$/)

/** Or null. */
const optional =
  (form: Form): Form =>
  (value, path, found) => {
    if (value !== null) form(value, path, found)
  }

const list =
  (form: Form): Form =>
  (value, path, found) => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) form(item, `${path}[${i}]`, found)
    else found.wrong.push(path)
  }

/** An object. `formOf`: of the member with a name; undefined for one that is not known. */
const object =
  (formOf: (name: string) => Form | undefined): Form =>
  (value, path, found) => {
    if (!isJsonObject(value)) {
      found.wrong.push(path)
      return
    }
    for (const [name, member] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`
      const form = formOf(name)
      if (form) form(member, inner, found)
      else found.unknown.push(inner)
    }
  }

const members = (forms: Readonly<Record<string, Form>>) => object(name => (Object.hasOwn(forms, name) ? forms[name] : undefined))

const AREA = { page: whole, x: number, y: number, width: number, height: number }

const CHOICE = members({ value: text, ...AREA })

const FORMS: Partial<Record<Kind, Form>> = {
  line: text,
  text,
  flag,
  number,
  whole,
  'one of': text,
  'some of': list(text),
  time,
}

/** Of the plain members of a table. */
function formsOf(table: Members): Record<string, Form> {
  const forms = Object.entries(table).flatMap(([name, { is, isOptional }]) => {
    const form = FORMS[is]
    return form ? [[name, isOptional ? optional(form) : form]] : []
  })
  return Object.fromEntries(forms)
}

const FIELD = members({
  ...{ id: text, type: text },
  ...formsOf(FIELD_MEMBERS),
  showIf: optional(members({ field: text, is: text })),
  options: list((value, path, found) => (typeof value === 'string' ? undefined : CHOICE(value, path, found))),
  ...{ maxBytes: whole, rule: flag },
  file: optional(members({ fileName: text, mediaType: text, bytes: whole, sha256 })),
  covers: list(members(AREA)),
})

const RECIPIENT = members({
  id: text,
  ...formsOf(RECIPIENT_MEMBERS),
  ...formsOf(RECIPIENT_STATE),
  ...{ hasAccessCode: flag, codeLocked: flag },
  fields: list(FIELD),
})

/** Releases before wrote fewer members. */
const DOCUMENT = members({
  ...{ id: text, status: text },
  ...formsOf(DRAFT_MEMBERS),
  ...formsOf(DOCUMENT_STATE),
  reminders: optional(members({ firstAfterDays: whole, everyDays: whole, max: whole })),
  ...{ metadata: object(() => text), labels: list(text), heldSince: optional(time) },
  sha256: members({ original: sha256, sealed: optional(sha256) }),
  files: list(members({ fileName: text, sha256, pageCount: whole })),
  senderFields: list(FIELD),
  recipients: list(RECIPIENT),
})

export function documentFormProblems(document: unknown): FormProblems {
  const found: FormProblems = { wrong: [], unknown: [] }
  DOCUMENT(document, '', found)
  return found
}
