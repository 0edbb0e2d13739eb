/** Why a row was refused, for people who do not know the paths of a request. Pure. */
import type { Document } from '../core/document/document.ts'
import type { Refusal } from '../core/refusal.ts'
import type { BatchRow } from '../core/template/batch.ts'
import { roleKey } from '../core/template/role-names.ts'
import { englishOf, englishOfRefusal } from '../locales/violations.ts'

/** A path of the row before what it is called. The German page translates these. */
const PARTS: [path: RegExp, name: string][] = [
  [/^email$/, 'E-mail address'],
  [/^name$/, 'Name'],
  [/^locale$/, 'Language'],
  [/^title$/, 'Title'],
  [/^message$/, 'Message'],
  [/^expires(At|InDays)$/, 'Date of expiry'],
]

/** The first reason alone: one sentence that names the role and the entry. */
export function refusalOfRow(refusal: Refusal, { use }: BatchRow, template: Document | undefined): string {
  const [first] = refusal.details
  if (!first) return englishOfRefusal(refusal)
  const [, index, rest = first.path] = /^recipients\[(\d+)\]\.?(.*)$/s.exec(first.path) ?? []
  const role = index === undefined ? undefined : roleName(use?.recipients[Number(index)]?.role, template)
  const field = /^values\.(.*?)(?:\.(?:value|readOnly))?$/s.exec(rest)?.[1]
  const part = field ?? PARTS.find(([path]) => path.test(rest))?.[1]
  return [role, part, englishOf(first)].filter(text => text !== undefined).join(': ')
}

function roleName(given: string | undefined, template: Document | undefined): string | undefined {
  if (given === undefined) return undefined
  const role = template?.recipients.find(({ id, name }) => id === given || roleKey(name) === roleKey(given))
  return role?.name ?? given
}
