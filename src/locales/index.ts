/**
 * The message catalogue of every language. To add one, create a folder here, add its code to
 * `core/language.ts`, then import and list it below.
 */
import type { Language } from '../core/language.ts'
import { ar } from './ar/catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { de } from './de/catalogue.ts'
import { en } from './en/catalogue.ts'
import { es } from './es/catalogue.ts'
import { fr } from './fr/catalogue.ts'
import { it } from './it/catalogue.ts'
import { nl } from './nl/catalogue.ts'
import { pl } from './pl/catalogue.ts'
import { pt } from './pt/catalogue.ts'

const CATALOGUES: Record<Language, Catalogue> = { en, de, fr, es, it, pt, nl, pl, ar }

export function catalogueOf(language: Language): Catalogue {
  return CATALOGUES[language]
}
