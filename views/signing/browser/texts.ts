/** Fills in the texts that the page passes to its script, with numbers and lists. */
import type { MediaType } from '../../../src/core/field/field.ts'
import type { PluralForms } from '../../../src/locales/en/signer.ts'

/** Replaces `{name}` by the value of that name. */
export function format(text: string, about: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(about[name] ?? whole))
}

/** The plural form for `n`. */
export function formatCount(forms: PluralForms, n: number, lang: string): string {
  return format(forms[new Intl.PluralRules(lang).select(n)] ?? forms.other, { n: new Intl.NumberFormat(lang).format(n) })
}

/** With digits as they are typed, whatever the language. */
export function numberText(n: number, lang: string): string {
  return new Intl.NumberFormat(`${lang}-u-nu-latn`, { maximumFractionDigits: 10 }).format(n)
}

const TYPE_NAMES: Record<MediaType, string> = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' }

/** "PDF, PNG or JPEG". */
export function typesText(types: readonly MediaType[], lang: string): string {
  return new Intl.ListFormat(lang, { type: 'disjunction' }).format(types.map(type => TYPE_NAMES[type]))
}
