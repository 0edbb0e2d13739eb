/** All that is said to recipients, by language. A language that lacks a word does not compile. */
import type { Language } from '../core/language.ts'
import { ENGLISH, type Sayings } from '../core/saying.ts'
import { actAr } from './act-ar.ts'
import { actDe } from './act-de.ts'
import { type ActWords, actEn } from './act-en.ts'
import { actEs } from './act-es.ts'
import { actFr } from './act-fr.ts'
import { actIt } from './act-it.ts'
import { actNl } from './act-nl.ts'
import { actPl } from './act-pl.ts'
import { actPt } from './act-pt.ts'
import { mailAr } from './mail-ar.ts'
import { mailDe } from './mail-de.ts'
import { type MailWords, mailEn } from './mail-en.ts'
import { mailEs } from './mail-es.ts'
import { mailFr } from './mail-fr.ts'
import { mailIt } from './mail-it.ts'
import { mailNl } from './mail-nl.ts'
import { mailPl } from './mail-pl.ts'
import { mailPt } from './mail-pt.ts'
import { sayingsAr } from './sayings-ar.ts'
import { sayingsDe } from './sayings-de.ts'
import { sayingsEs } from './sayings-es.ts'
import { sayingsFr } from './sayings-fr.ts'
import { sayingsIt } from './sayings-it.ts'
import { sayingsNl } from './sayings-nl.ts'
import { sayingsPl } from './sayings-pl.ts'
import { sayingsPt } from './sayings-pt.ts'
import type { SignerWords } from './signer.ts'
import { signerAr } from './signer-ar.ts'
import { signerDe } from './signer-de.ts'
import { signerEn } from './signer-en.ts'
import { signerEs } from './signer-es.ts'
import { signerFr } from './signer-fr.ts'
import { signerIt } from './signer-it.ts'
import { signerNl } from './signer-nl.ts'
import { signerPl } from './signer-pl.ts'
import { signerPt } from './signer-pt.ts'

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
