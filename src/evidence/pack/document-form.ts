/**
 * The form of `document` in audit.json: its members, which are those of the API's `Document`, and
 * their types. Most of them are proven by the log; for the others, the form is all there is.
 */
import { isJsonObject, type JsonObject } from '../../core/logged-facts.ts'

type Type = (value: unknown) => boolean
interface Members {
  readonly [name: string]: Type | Members | readonly [Type | Members]
}
type Form = Type | Members | readonly [Type | Members]

const text: Type = value => typeof value === 'string'
const flag: Type = value => typeof value === 'boolean'
const number: Type = value => typeof value === 'number' && Number.isFinite(value)
const whole: Type = value => Number.isSafeInteger(value)
const time: Type = value => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
const sha256: Type = value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const texts: Type = value => isJsonObject(value) && Object.values(value).every(text)

/** Or null. */
const optional =
  (form: Form): Type =>
  value =>
    value === null || isOf(value, form)

const AREA: Members = { page: whole, x: number, y: number, width: number, height: number }

const FIELD: Members = {
  ...{ id: text, type: text, name: optional(text), showIf: optional({ field: text, is: text }) },
  ...AREA,
  ...{ required: flag, readOnly: flag, label: optional(text), placeholder: optional(text), value: optional(text) },
  options: [value => text(value) || isOf(value, { value: text, ...AREA })],
  ...{ maxLength: optional(whole), min: optional(number), max: optional(number), accept: [text], maxBytes: whole },
  file: optional({ fileName: text, mediaType: text, bytes: whole, sha256 }),
  ...{ fontSize: optional(number), dateFormat: optional(text), align: optional(text), rule: flag, covers: [AREA] },
}

const RECIPIENT: Members = {
  ...{ id: text, email: text, name: text, role: text, status: text, order: whole, locale: optional(text) },
  ...{ hasAccessCode: flag, codeLocked: flag, verify: optional(text), deliverBy: text, emailStatus: text },
  ...{ sentAt: optional(time), viewedAt: optional(time), signedAt: optional(time), declinedAt: optional(time) },
  declineReason: optional(text),
  fields: [FIELD],
}

/** A document. Releases before wrote fewer members. */
const DOCUMENT: Members = {
  ...{ id: text, title: text, fileName: text, status: text, pageCount: whole, message: optional(text), signingOrder: text },
  ...{ locale: optional(text), redirectUrl: optional(text), allowDelegation: flag, expiresInDays: whole },
  reminders: optional({ firstAfterDays: whole, everyDays: whole, max: whole }),
  ...{ createdAt: time, updatedAt: time, sentAt: optional(time), completedAt: optional(time), expiresAt: optional(time) },
  ...{ sealingError: optional(text), metadata: texts, labels: [text], sealLevel: optional(text), heldSince: optional(time) },
  sha256: { original: sha256, sealed: optional(sha256) },
  files: [{ fileName: text, sha256, pageCount: whole }],
  senderFields: [FIELD],
  recipients: [RECIPIENT],
}

export interface FormProblems {
  /** Paths of members of another type, such as `recipients[0].fields[1].x`. */
  wrong: string[]
  /** Paths of members that this release does not know. */
  unknown: string[]
}

export function documentFormProblems(document: unknown): FormProblems {
  const found: FormProblems = { wrong: [], unknown: [] }
  check(document, DOCUMENT, '', found)
  return found
}

function isOf(value: unknown, form: Form): boolean {
  const { wrong, unknown } = check(value, form, '', { wrong: [], unknown: [] })
  return wrong.length === 0 && unknown.length === 0
}

function check(value: unknown, form: Form, path: string, found: FormProblems): FormProblems {
  if (typeof form !== 'function' && !isList(form) && isJsonObject(value)) checkMembers(value, form, path, found)
  else if (typeof form !== 'function' && isList(form) && Array.isArray(value))
    for (const [i, item] of value.entries()) check(item, form[0], `${path}[${i}]`, found)
  else if (typeof form !== 'function' || !form(value)) found.wrong.push(path)
  return found
}

function checkMembers(value: JsonObject, form: Members, path: string, found: FormProblems): void {
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    const expected = Object.hasOwn(form, name) ? form[name] : undefined
    if (expected === undefined) found.unknown.push(inner)
    else check(member, expected, inner, found)
  }
}

const isList = (form: Members | readonly [Type | Members]): form is readonly [Type | Members] => Array.isArray(form)
