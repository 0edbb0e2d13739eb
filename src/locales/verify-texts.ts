/** The texts of verdicts in every language, without the other texts of a catalogue. */
import type { Language } from '../core/language.ts'
import { verify as ar } from './ar/verify.ts'
import { verify as de } from './de/verify.ts'
import { verify as en } from './en/verify.ts'
import { verify as es } from './es/verify.ts'
import { verify as fr } from './fr/verify.ts'
import { verify as it } from './it/verify.ts'
import { verify as nl } from './nl/verify.ts'
import { verify as pl } from './pl/verify.ts'
import { verify as pt } from './pt/verify.ts'
import type { VerifyTexts } from './verify.ts'

const TEXTS: Record<Language, VerifyTexts> = { en, de, fr, es, it, pt, nl, pl, ar }

export function verifyTextsOf(language: Language): VerifyTexts {
  return TEXTS[language]
}
