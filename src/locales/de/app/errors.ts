/** Refusals and errors of forms in German, found by their English text; others stay in English. */
import { FEATURE_NAMES } from '../../../core/feature.ts'
import { storedTranslator } from '../../coded-text.ts'
import { remarks as englishRemarks } from '../../en/remarks.ts'
import { violations as english } from '../../en/violations.ts'
import { remarks as germanRemarks } from '../remarks.ts'
import { violations as german } from '../violations.ts'
import { ALERTS, FINDINGS } from './alert-texts.ts'
import { BACKUP_ERRORS } from './backup-errors.ts'
import { BATCH_ERRORS } from './batch-errors.ts'
import { DOCUMENT_ERRORS } from './document-errors.ts'
import { FORMAT_ERRORS } from './format-errors.ts'
import { REASONS } from './reason-texts.ts'
import { SERVICE_ERRORS } from './service-errors.ts'
import { SETTINGS_ERRORS } from './settings-errors.ts'

const ALL = [
  ...BACKUP_ERRORS,
  ...BATCH_ERRORS,
  ...DOCUMENT_ERRORS,
  ...SETTINGS_ERRORS,
  ...SERVICE_ERRORS,
  ...ALERTS,
  ...FINDINGS,
  ...FORMAT_ERRORS,
  ...REASONS,
]
/** The names of features are no words of their own in the catalogue. */
const UPGRADES = new Map(
  FEATURE_NAMES.map(feature => [english.upgrade_unfinished({ feature }), german.upgrade_unfinished({ feature })]),
)

const stored = storedTranslator(
  [
    [english, german],
    [englishRemarks, germanRemarks],
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
  return translated(message) ?? bySentence(message) ?? afterName(message) ?? message
}

/** Parts of a message may be messages: the cause of a failure. */
function translated(message: string): string | undefined {
  for (const [english, german] of ALL) {
    const parts = english.exec(message)
    if (parts) return german.replace(/\$(\d)/g, (_, n) => errors(parts[Number(n)] ?? ''))
  }
  return UPGRADES.get(message) ?? stored(message)
}

/** Several messages in a row. Nothing is changed if a name looks like the end of a sentence. */
function bySentence(message: string): string | undefined {
  const sentences = message.split(/(?<=\.) (?=[A-Z])/)
  if (sentences.length < 2) return undefined
  const german = sentences.map(translated)
  return german.every(each => each !== undefined) ? german.join(' ') : undefined
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
