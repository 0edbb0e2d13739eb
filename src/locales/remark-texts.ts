/** The words of remarks, without the other texts of the web app. */
import type { AppLanguage } from '../core/language.ts'
import { remarks as de } from './de/remarks.ts'
import { remarks as en } from './en/remarks.ts'
import type { RemarkTexts } from './remarks.ts'

const TEXTS: Record<AppLanguage, RemarkTexts> = { en: en as RemarkTexts, de }

export function remarkTextsOf(language: AppLanguage): RemarkTexts {
  return TEXTS[language]
}
