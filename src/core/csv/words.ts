/** Words that people write into spreadsheets, in the languages of recipients. Pure. */
import type { Language } from '../language.ts'
import { withoutStacks } from '../text.ts'

/** What matters of a header or an answer: letters and digits, without case or accents. */
export function plainWord(text: string): string {
  return withoutStacks(text)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

type Words = Record<Language, readonly string[]>

const NAMES: Words = {
  en: ['name', 'full name'],
  de: ['Name', 'vollständiger Name', 'Vor- und Nachname'],
  fr: ['nom', 'nom complet', 'nom et prénom', 'prénom et nom'],
  es: ['nombre', 'nombre completo', 'nombre y apellidos'],
  it: ['nome', 'nome completo', 'nome e cognome'],
  pt: ['nome', 'nome completo'],
  nl: ['naam', 'volledige naam'],
  pl: ['imię i nazwisko', 'nazwa', 'nazwisko'],
  ar: ['الاسم', 'الاسم الكامل', 'اسم'],
}

const ADDRESSES: Words = {
  en: ['e-mail', 'mail', 'e-mail address', 'mail address'],
  de: ['E-Mail', 'E-Mail-Adresse', 'Mailadresse', 'Mail'],
  fr: ['e-mail', 'courriel', 'adresse e-mail', 'adresse courriel', 'adresse électronique', 'mél'],
  es: ['correo', 'correo electrónico', 'dirección de correo electrónico', 'dirección de correo'],
  it: ['e-mail', 'posta elettronica', 'indirizzo e-mail', 'indirizzo di posta elettronica'],
  pt: ['e-mail', 'correio eletrónico', 'correio eletrônico', 'endereço de e-mail'],
  nl: ['e-mail', 'e-mailadres', 'mailadres'],
  pl: ['e-mail', 'adres e-mail', 'poczta elektroniczna', 'adres poczty elektronicznej'],
  ar: ['البريد الإلكتروني', 'البريد الالكتروني', 'بريد إلكتروني', 'البريد'],
}

const TITLES: Words = {
  en: ['title', 'document title', 'title of the document'],
  de: ['Titel', 'Titel des Dokuments', 'Dokumenttitel', 'Dokumententitel'],
  fr: ['titre', 'titre du document'],
  es: ['título', 'título del documento'],
  it: ['titolo', 'titolo del documento'],
  pt: ['título', 'título do documento'],
  nl: ['titel', 'titel van het document', 'documenttitel'],
  pl: ['tytuł', 'tytuł dokumentu'],
  ar: ['العنوان', 'عنوان المستند', 'عنوان'],
}

const YES: Words = {
  en: ['true', 'yes', 'y', '1', 'x'],
  de: ['wahr', 'ja', 'j'],
  fr: ['vrai', 'oui', 'o'],
  es: ['verdadero', 'sí', 's'],
  it: ['vero', 'sì', 's'],
  pt: ['verdadeiro', 'sim', 's'],
  nl: ['waar', 'ja', 'j'],
  pl: ['prawda', 'tak', 't'],
  ar: ['نعم', 'صحيح'],
}

const NO: Words = {
  en: ['false', 'no', 'n', '0'],
  de: ['falsch', 'nein', 'n'],
  fr: ['faux', 'non', 'n'],
  es: ['falso', 'no', 'n'],
  it: ['falso', 'no', 'n'],
  pt: ['falso', 'não', 'n'],
  nl: ['onwaar', 'nee', 'n'],
  pl: ['fałsz', 'nie', 'n'],
  ar: ['لا', 'خطأ'],
}

const setOf = (words: Words): ReadonlySet<string> => new Set(Object.values(words).flat().map(plainWord))

export const NAME_WORDS = setOf(NAMES)
export const EMAIL_WORDS = setOf(ADDRESSES)
export const TITLE_WORDS = setOf(TITLES)
const YES_WORDS = setOf(YES)
const NO_WORDS = setOf(NO)
const TICKS: ReadonlySet<string> = new Set(['✓', '✔', '☑', '☒'])

/** `undefined` for any other word: a guess would print the opposite of what was meant. */
export function tickOf(text: string): boolean | undefined {
  const word = plainWord(text)
  if (YES_WORDS.has(word) || TICKS.has(text.trim())) return true
  return NO_WORDS.has(word) || text.trim() === '☐' ? false : undefined
}
