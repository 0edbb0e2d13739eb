/** All that is said to recipients, by language. A language that lacks a word does not compile. */
import type { Language } from '../core/language.ts'
import { ENGLISH, type MessageCatalogue } from '../core/message.ts'
import { actAr } from './ar/act.ts'
import { mailAr } from './ar/mail.ts'
import { messagesAr } from './ar/messages.ts'
import { signerAr } from './ar/signer.ts'
import { actDe } from './de/act.ts'
import { mailDe } from './de/mail.ts'
import { messagesDe } from './de/messages.ts'
import { signerDe } from './de/signer.ts'
import { type ActWords, actEn } from './en/act.ts'
import { type MailWords, mailEn } from './en/mail.ts'
import { signerEn } from './en/signer.ts'
import { actEs } from './es/act.ts'
import { mailEs } from './es/mail.ts'
import { messagesEs } from './es/messages.ts'
import { signerEs } from './es/signer.ts'
import { actFr } from './fr/act.ts'
import { mailFr } from './fr/mail.ts'
import { messagesFr } from './fr/messages.ts'
import { signerFr } from './fr/signer.ts'
import { actIt } from './it/act.ts'
import { mailIt } from './it/mail.ts'
import { messagesIt } from './it/messages.ts'
import { signerIt } from './it/signer.ts'
import { actNl } from './nl/act.ts'
import { mailNl } from './nl/mail.ts'
import { messagesNl } from './nl/messages.ts'
import { signerNl } from './nl/signer.ts'
import { actPl } from './pl/act.ts'
import { mailPl } from './pl/mail.ts'
import { messagesPl } from './pl/messages.ts'
import { signerPl } from './pl/signer.ts'
import { actPt } from './pt/act.ts'
import { mailPt } from './pt/mail.ts'
import { messagesPt } from './pt/messages.ts'
import { signerPt } from './pt/signer.ts'
import type { SignerWords } from './types.ts'

/** What a language must be able to say. */
export interface Words {
  messages: MessageCatalogue
  act: ActWords
  mail: MailWords
  signer: SignerWords
}

const WORDS: Record<Language, Words> = {
  en: { messages: ENGLISH, act: actEn, mail: mailEn, signer: signerEn },
  de: { messages: messagesDe, act: actDe, mail: mailDe, signer: signerDe },
  fr: { messages: messagesFr, act: actFr, mail: mailFr, signer: signerFr },
  es: { messages: messagesEs, act: actEs, mail: mailEs, signer: signerEs },
  it: { messages: messagesIt, act: actIt, mail: mailIt, signer: signerIt },
  pt: { messages: messagesPt, act: actPt, mail: mailPt, signer: signerPt },
  nl: { messages: messagesNl, act: actNl, mail: mailNl, signer: signerNl },
  pl: { messages: messagesPl, act: actPl, mail: mailPl, signer: signerPl },
  ar: { messages: messagesAr, act: actAr, mail: mailAr, signer: signerAr },
}

export function wordsOf(language: Language): Words {
  return WORDS[language]
}
