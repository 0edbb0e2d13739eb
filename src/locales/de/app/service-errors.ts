/** Refusals of accounts, of requests and of the machine in German, by their English text. */
import { ENGLISH } from '../../../core/signing/message.ts'
import { messages } from '../messages.ts'

export const SERVICE_ERRORS: [english: RegExp, german: string][] = [
  ...sharedWithSigners(),

  [/^no time-stamp authority is configured$/, 'Es ist kein Zeitstempeldienst eingerichtet'],
  [/^(\S+) could not be reached: (.*)$/s, '$1 ist nicht erreichbar ($2)'],
  [/^(\S+) answered (\d+)$/, '$1 hat mit $2 geantwortet'],
  [/^(\S+) gave no token \((.*)\)$/s, '$1 hat keinen Zeitstempel ausgestellt ($2)'],
  [/^(\S+) sent an invalid response: (.*)$/s, '$1 hat eine ungültige Antwort gesendet ($2)'],
  [/^The key is neither an RSA nor an ECDSA key\.$/, 'Der Schlüssel ist weder ein RSA- noch ein ECDSA-Schlüssel.'],
  [/^The private key does not belong to the certificate\.$/, 'Der private Schlüssel gehört nicht zum Zertifikat.'],
  [
    /^The file requires more than ten million rounds of key derivation\.$/,
    'Die Datei verlangt mehr als zehn Millionen Durchläufe der Schlüsselableitung.',
  ],
]

/** The messages to recipients that name nothing; some of them also appear on the other pages. */
function sharedWithSigners(): [RegExp, string][] {
  const keys = Object.keys(ENGLISH) as (keyof typeof ENGLISH)[]
  return keys
    .filter(key => ENGLISH[key].length === 0)
    .map(key => {
      const [english, german] = [ENGLISH, messages].map(each => (each[key] as () => string)())
      return [new RegExp(`^${RegExp.escape(english ?? '')}$`), german ?? '']
    })
}
