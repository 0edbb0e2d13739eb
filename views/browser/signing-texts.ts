/** Fills in the texts that the page passes to its script. */
import type { PluralForms } from '../../src/locales/en/signer.ts'

/** Replaces `{name}` by the value of that name. */
export function format(text: string, about: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(about[name] ?? whole))
}

/** The plural form for `n`. */
export function formatCount(forms: PluralForms, n: number, lang: string): string {
  return format(forms[new Intl.PluralRules(lang).select(n)] ?? forms.other, { n: new Intl.NumberFormat(lang).format(n) })
}
