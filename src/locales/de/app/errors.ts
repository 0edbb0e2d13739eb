/** Refusals and errors of forms in German, found by their English text; others stay in English. */
import { violations as english } from '../../en/violations.ts'
import { storedTranslator } from '../../stored-violations.ts'
import { violations as german } from '../violations.ts'
import { ALERTS, FINDINGS } from './alert-texts.ts'
import { BACKUP_ERRORS } from './backup-errors.ts'
import { BATCH_ERRORS } from './batch-errors.ts'
import { DOCUMENT_ERRORS } from './document-errors.ts'
import { FORMAT_ERRORS } from './format-errors.ts'
import { IDENTITY_ERRORS } from './identity-errors.ts'
import { PDF_ERRORS } from './pdf-errors.ts'
import { PEOPLE_ERRORS } from './people-errors.ts'
import { REASONS } from './reason-texts.ts'
import { SERVICE_ERRORS } from './service-errors.ts'
import { SETTINGS_ERRORS } from './settings-errors.ts'
import { SIGN_IN_ERRORS } from './sign-in-errors.ts'
import { TEMPLATE_ERRORS } from './template-errors.ts'
import { UPLOAD_ERRORS } from './upload-errors.ts'
import { VERIFY_ERRORS } from './verify-errors.ts'

/** What follows the name of a field, and whole sentences. `$1` is a part of the English text. */
const TEXTS: [english: RegExp, german: string][] = [
  [/^must be a whole number of days from (\d+) to (\d+)$/, 'muss eine ganze Zahl von $1 bis $2 sein'],
  [/^is not right$/, 'ist nicht richtig'],
  [/^must be entered again: .*$/, 'muss noch einmal eingegeben werden: Die letzte Eingabe ist eine Weile her'],
  [/^E-mail address or password is not right\.$/, 'E-Mail-Adresse oder Passwort ist nicht richtig.'],
  [/^There is nothing at this address\.$/, 'Unter dieser Adresse gibt es nichts.'],
  [
    /^must have at least (\d+) characters; a few random words make a good password$/,
    'muss mindestens $1 Zeichen haben; einige zufällige Wörter ergeben ein gutes Passwort',
  ],
  [/^is one of the most common passwords: choose another$/, 'gehört zu den häufigsten Passwörtern: Bitte wählen Sie ein anderes'],
  [/^there is already an account with this address$/, 'Es gibt bereits ein Konto mit dieser Adresse'],
  [/^must be a zone such as Europe\/Berlin$/, 'muss eine Zeitzone sein, zum Beispiel Europe/Berlin'],
  [/^is already the address of (.*)$/, 'ist bereits die Adresse von $1'],
  [/^must be a PNG or a JPEG: .*$/, 'muss ein PNG oder JPEG sein: Bitte exportieren Sie das Logo in einem dieser Formate'],
  [/^must have at most (\d+) MB: make the picture smaller$/, 'darf höchstens $1 MB haben: Bitte verkleinern Sie das Bild'],
  [
    /^must have at most (\d+) pixels on each side: .*$/,
    'darf an jeder Seite höchstens $1 Pixel haben: Bitte verkleinern Sie es (800 Pixel genügen für Papier)',
  ],
  [/^Too many sign-ins from this address\. .*$/, 'Von dieser Adresse gab es zu viele Anmeldungen. Bitte warten Sie eine Minute.'],
  [/^Auditors can read documents, but not change them\.$/, 'Prüfer können Dokumente lesen, aber nicht ändern.'],
  [/^Only administrators and auditors can open this page\.$/, 'Diese Seite können nur Administratoren und Prüfer öffnen.'],
  [
    /^Only administrators can see and change these settings\.$/,
    'Diese Einstellungen kann nur die Administration sehen und ändern.',
  ],
  [/^Document not found\.$/, 'Das Dokument wurde nicht gefunden.'],
  [
    /^Data cannot be stored right now\. .*$/,
    'Im Moment kann nichts gespeichert werden. Von dieser Eingabe wurde nichts gespeichert. Bitte versuchen Sie es in einer Minute noch einmal.',
  ],
  [
    /^The service cannot reach its data at the moment\. .*$/,
    'Der Dienst erreicht seine Daten im Moment nicht. Es wurde nichts gespeichert. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
  ],
  [
    /^The connection was lost before the service could confirm the change\. .*$/,
    'Die Verbindung brach ab, bevor der Dienst die Änderung bestätigen konnte. Sie wurde vielleicht gespeichert: Bitte sehen Sie nach, bevor Sie sie wiederholen.',
  ],
  [
    /^Internal error\. Try again, or give your administrator request ID (\S+)\.$/,
    'Interner Fehler. Bitte versuchen Sie es noch einmal, oder nennen Sie Ihrer Administration die Anfragenummer $1.',
  ],
]

const ALL = [
  ...TEXTS,
  ...BACKUP_ERRORS,
  ...BATCH_ERRORS,
  ...TEMPLATE_ERRORS,
  ...DOCUMENT_ERRORS,
  ...SETTINGS_ERRORS,
  ...PEOPLE_ERRORS,
  ...SIGN_IN_ERRORS,
  ...IDENTITY_ERRORS,
  ...UPLOAD_ERRORS,
  ...SERVICE_ERRORS,
  ...ALERTS,
  ...FINDINGS,
  ...VERIFY_ERRORS,
  ...PDF_ERRORS,
  ...FORMAT_ERRORS,
  ...REASONS,
]
const violation = storedTranslator(english, german)

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
  return violation(message)
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
