/** Stored sentences in German, found by the English catalogues; others stay in English. */
import { FEATURE_NAMES } from '../../../core/feature.ts'
import { ENGLISH, type MessageCatalogue, VALUE_MESSAGES } from '../../../core/signing/message.ts'
import { storedTranslator } from '../../coded-text.ts'
import { diagnoses as englishDiagnoses } from '../../en/diagnoses.ts'
import { reasons as englishReasons } from '../../en/reasons.ts'
import { remarks as englishRemarks } from '../../en/remarks.ts'
import { violations as english } from '../../en/violations.ts'
import { diagnoses } from '../diagnoses.ts'
import { messages } from '../messages.ts'
import { reasons } from '../reasons.ts'
import { remarks as germanRemarks } from '../remarks.ts'
import { violations as german } from '../violations.ts'

/** The names of features are no words of their own in the catalogue. */
const UPGRADES = new Map(
  FEATURE_NAMES.map(feature => [english.upgrade_unfinished({ feature }), german.upgrade_unfinished({ feature })]),
)

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

const stored = storedTranslator(
  [
    [english, german],
    [englishDiagnoses, diagnoses],
    [englishRemarks, germanRemarks],
    [englishReasons, reasons],
    [valueTexts(ENGLISH), valueTexts(messages)],
    [unnamed(ENGLISH), unnamed(messages)],
  ],
  errors,
)

const MORE = / \(and (\d+) more, see details\)$/

/** Reasons hold names from the verified file: a longer one stays English, which bounds the time. */
const MAX_LENGTH = 2000
const MAX_NAMES = 8

export function errors(message: string): string {
  if (message.length > MAX_LENGTH) return message
  const more = MORE.exec(message)
  if (more) return `${errors(message.slice(0, more.index))} (und ${more[1]} weitere)`
  return (
    translated(message) ??
    inParts(message, /(?<=\.) (?=[A-Z])/, ' ') ??
    inParts(message, /; /, '; ') ??
    inParts(message, /, /, ', ') ??
    afterName(message) ??
    message
  )
}

const translated = (message: string): string | undefined => UPGRADES.get(message) ?? stored(message)

/** Several messages in a row. Nothing is changed if a name looks like the end of one. */
function inParts(message: string, between: RegExp, join: string): string | undefined {
  const parts = message.split(between)
  if (parts.length < 2) return undefined
  const german = parts.map(translated)
  return german.every(each => each !== undefined) ? german.join(join) : undefined
}

/** A message after the name of a file or the path of a member. */
function afterName(message: string): string | undefined {
  let at = message.indexOf(': ')
  for (let i = 0; i < MAX_NAMES && at >= 0; i++, at = message.indexOf(': ', at + 1)) {
    const german = translated(message.slice(at + 2))
    if (german !== undefined) return `${message.slice(0, at)}: ${german}`
  }
  return undefined
}
