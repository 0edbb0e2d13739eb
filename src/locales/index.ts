/** All that is said to recipients, by language. A language that lacks a word does not compile. */
import type { Language } from '../core/language.ts'
import { ENGLISH, type Sayings } from '../core/message.ts'
import { actAr } from './ar/act.ts'
import { mailAr } from './ar/mail.ts'
import { sayingsAr } from './ar/messages.ts'
import { signerAr } from './ar/signer.ts'
import { actDe } from './de/act.ts'
import { mailDe } from './de/mail.ts'
import { sayingsDe } from './de/messages.ts'
import { signerDe } from './de/signer.ts'
import { type ActWords, actEn } from './en/act.ts'
import { type MailWords, mailEn } from './en/mail.ts'
import { signerEn } from './en/signer.ts'
import { actEs } from './es/act.ts'
import { mailEs } from './es/mail.ts'
import { sayingsEs } from './es/messages.ts'
import { signerEs } from './es/signer.ts'
import { actFr } from './fr/act.ts'
import { mailFr } from './fr/mail.ts'
import { sayingsFr } from './fr/messages.ts'
import { signerFr } from './fr/signer.ts'
import { actIt } from './it/act.ts'
import { mailIt } from './it/mail.ts'
import { sayingsIt } from './it/messages.ts'
import { signerIt } from './it/signer.ts'
import { actNl } from './nl/act.ts'
import { mailNl } from './nl/mail.ts'
import { sayingsNl } from './nl/messages.ts'
import { signerNl } from './nl/signer.ts'
import { actPl } from './pl/act.ts'
import { mailPl } from './pl/mail.ts'
import { sayingsPl } from './pl/messages.ts'
import { signerPl } from './pl/signer.ts'
import { actPt } from './pt/act.ts'
import { mailPt } from './pt/mail.ts'
import { sayingsPt } from './pt/messages.ts'
import { signerPt } from './pt/signer.ts'
import type { SignerWords } from './types.ts'

/** What a language must be able to say. */
export interface Words {
  sayings: Sayings
  act: ActWords
  mail: MailWords
  signer: SignerWords
}

const WORDS: Record<Language, Words> = {
  en: { sayings: ENGLISH, act: actEn, mail: mailEn, signer: signerEn },
  de: { sayings: sayingsDe, act: actDe, mail: mailDe, signer: signerDe },
  fr: { sayings: sayingsFr, act: actFr, mail: mailFr, signer: signerFr },
  es: { sayings: sayingsEs, act: actEs, mail: mailEs, signer: signerEs },
  it: { sayings: sayingsIt, act: actIt, mail: mailIt, signer: signerIt },
  pt: { sayings: sayingsPt, act: actPt, mail: mailPt, signer: signerPt },
  nl: { sayings: sayingsNl, act: actNl, mail: mailNl, signer: signerNl },
  pl: { sayings: sayingsPl, act: actPl, mail: mailPl, signer: signerPl },
  ar: { sayings: sayingsAr, act: actAr, mail: mailAr, signer: signerAr },
}

export function wordsOf(language: Language): Words {
  return WORDS[language]
}
