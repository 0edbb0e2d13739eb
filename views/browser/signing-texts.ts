/** The texts the page hands its script, with what they are about put in. No text of its own. */
import type { PluralForms } from '../../src/locales/en/signer.ts'

/** The text with `{name}` replaced by what `about` holds under that name. */
export function format(text: string, about: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(about[name] ?? whole))
}

/** The sentence for `n` things in this language. */
export function formatCount(forms: PluralForms, n: number, lang: string): string {
  return format(forms[new Intl.PluralRules(lang).select(n)] ?? forms.other, { n: new Intl.NumberFormat(lang).format(n) })
}
