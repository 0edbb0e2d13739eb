/** Says what is stored in English in another language; what no catalogue has stays English. */
import { FEATURE_NAMES } from '../core/feature.ts'
import { ENGLISH, type MessageCatalogue, VALUE_MESSAGES } from '../core/signing/message.ts'
import { storedTranslator } from './coded-text.ts'
import type { DiagnosisTexts } from './diagnoses.ts'
import { diagnoses } from './en/diagnoses.ts'
import { type ReasonTexts, reasons } from './en/reasons.ts'
import { remarks } from './en/remarks.ts'
import { violations } from './en/violations.ts'
import type { RemarkTexts } from './remarks.ts'
import type { ViolationTexts } from './violations.ts'

/** Of another language. */
interface Texts {
  violations: ViolationTexts
  diagnoses: DiagnosisTexts
  remarks: RemarkTexts
  reasons: ReasonTexts
  messages: MessageCatalogue
  /** What follows the first of several errors. */
  more: (count: string) => string
}

interface ValueParams {
  label: string
  /** Characters. */
  count: never
  /** Choices, a bound, or what the entry could be. */
  given: never
  other: never
}

/** Messages about the values of fields, as rows of batches store them. */
function valueTexts(messages: MessageCatalogue): Record<string, (params: ValueParams) => string> {
  const textOf = (key: (typeof VALUE_MESSAGES)[number]) => (params: ValueParams) =>
    messages[key]({ label: params.label, type: 'text' }, key.startsWith('tooLong') ? params.count : params.given, params.other)
  return Object.fromEntries(VALUE_MESSAGES.map(key => [key, textOf(key)]))
}

/** Those to recipients that name nothing: some are also stored or shown elsewhere. */
function unnamed(texts: MessageCatalogue) {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text.length === 0)) as Record<string, () => string>
}

const MORE = / \(and (\d+) more, see details\)$/

/** Reasons hold names from the verified file: a longer one stays English, which bounds the time. */
const MAX_LENGTH = 2000
const MAX_NAMES = 8

export function storedTextIn(to: Texts): (text: string) => string {
  /** The names of features are no words of their own in the catalogue. */
  const upgrades = new Map(
    FEATURE_NAMES.map(feature => [violations.upgrade_unfinished({ feature }), to.violations.upgrade_unfinished({ feature })]),
  )
  const known = storedTranslator(
    [
      [violations, to.violations],
      [diagnoses, to.diagnoses],
      [remarks, to.remarks],
      [reasons, to.reasons],
      [valueTexts(ENGLISH), valueTexts(to.messages)],
      [unnamed(ENGLISH), unnamed(to.messages)],
    ],
    say,
  )
  const translated = (text: string) => upgrades.get(text) ?? known(text)
  function say(text: string): string {
    if (text.length > MAX_LENGTH) return text
    const more = MORE.exec(text)
    if (more) return `${say(text.slice(0, more.index))} ${to.more(more[1] ?? '')}`
    return (
      translated(text) ??
      inParts(translated, text, /(?<=\.) (?=[A-Z])/, ' ') ??
      inParts(translated, text, /; /, '; ') ??
      inParts(translated, text, /, /, ', ') ??
      afterName(translated, text) ??
      text
    )
  }
  return say
}

type Translate = (text: string) => string | undefined

/** Several messages in a row. Nothing is changed if a name looks like the end of one. */
function inParts(translated: Translate, text: string, between: RegExp, join: string): string | undefined {
  const parts = text.split(between)
  if (parts.length < 2) return undefined
  const all = parts.map(translated)
  return all.every(each => each !== undefined) ? all.join(join) : undefined
}

/** A message after the name of a file or the path of a member. */
function afterName(translated: Translate, text: string): string | undefined {
  let at = text.indexOf(': ')
  for (let i = 0; i < MAX_NAMES && at >= 0; i++, at = text.indexOf(': ', at + 1)) {
    const message = translated(text.slice(at + 2))
    if (message !== undefined) return `${text.slice(0, at)}: ${message}`
  }
  return undefined
}
