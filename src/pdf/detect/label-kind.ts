/** What a label beside a blank asks for, in the languages of the page and in English. */
import { LANGUAGES, type Language } from '../../core/language.ts'
import { LABEL_WORDS, type LabelWords } from './label-words.ts'

export type LabelKind = 'signature' | 'initials' | 'date' | 'name' | 'email' | 'place' | 'text'

export interface LabelMeaning {
  /** Several for a blank such as "Place, date, signature", in the order of the label. */
  kinds: LabelKind[]
  /** The words for the signer, such as "Tenant". */
  partyName: string | undefined
  /** It names a signer and says nothing about signing. */
  isPartyOnly: boolean
}

const MAX_WORDS = 7
const MAX_DATE_WORDS = 4
const MAX_EMAIL_WORDS = 3
const MAX_PARTY_WORDS = 4
/** Of program code and of reference numbers. A slash separates the parts of a label. */
const FOREIGN = /[<>{}=@#]|\d{3}/

/** Without case, accents, punctuation and Arabic marks; words separated by one blank. */
export function normalizeLabel(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/e-mail/g, 'email')
    .replace(/ł/g, 'l')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map(normalizeArabic)
    .join(' ')
}

/** With or without article and conjunction. Extraction swaps an alef beside a lam. */
function normalizeArabic(word: string): string {
  if (!/\p{Script=Arabic}/u.test(word)) return word
  const stem = word.length > 4 ? word.replace(/^و/, '') : word
  return (stem.length > 4 ? stem.replace(/^ب?ال/, '') : stem).replace(/(?<=ل)ا|ا(?=ل)/g, '')
}

const PHRASE_LISTS = [
  'signature',
  'date',
  'name',
  'initials',
  'place',
  'email',
  'party',
  'filler',
  'office',
  'dateEnding',
] as const
type PhraseList = (typeof PHRASE_LISTS)[number]
type Vocabulary = Record<PhraseList, readonly string[]>

function toVocabulary(words: LabelWords): Vocabulary {
  return Object.fromEntries(PHRASE_LISTS.map(name => [name, words[name].map(normalizeLabel)])) as unknown as Vocabulary
}

const VOCABULARIES = Object.fromEntries(LANGUAGES.map(language => [language, toVocabulary(LABEL_WORDS[language])])) as Record<
  Language,
  Vocabulary
>

/** Between the parts of a label: "Name / Signature", "Ort und Datum". */
const SEPARATOR = /\s*[,/&|;+،]\s*|\s+(?:and|und|et|y|e|en|i|oraz|و)\s+/iu

export class LabelReader {
  readonly #lists = new Map<PhraseList, readonly string[]>()

  constructor(languages: readonly Language[]) {
    const vocabularies = [...new Set<Language>(['en', ...languages])].map(language => VOCABULARIES[language])
    for (const name of PHRASE_LISTS) this.#lists.set(name, [...new Set(vocabularies.flatMap(words => words[name]))])
  }

  /** Undefined for a label that asks for nothing a signer fills in. */
  read(label: string): LabelMeaning | undefined {
    const text = label.replace(/[:：]\s*$/, '').trim()
    const words = normalizeLabel(text)
    if (words === '' || FOREIGN.test(text) || countWords(words) > MAX_WORDS) return undefined
    const parts = text.split(SEPARATOR).map(part => this.#kindOf(normalizeLabel(part)))
    const known = parts.filter(kind => kind !== undefined)
    const distinct = [...new Set(known)]
    const partyName = this.#partyName(text)
    if (this.#endsInDate(text)) return { kinds: ['date'], partyName: undefined, isPartyOnly: false }
    if (known.length === parts.length && distinct.length > 1 && distinct.every(kind => COMBINED.has(kind))) {
      return { kinds: distinct, partyName, isPartyOnly: false }
    }
    const kind = this.#kindOf(words)
    return kind && { kinds: [kind], partyName, isPartyOnly: kind === 'signature' && !this.#isForSigning(words) }
  }

  /** Whether the text says that what follows is filled in by an office. */
  isOfficeNote(text: string): boolean {
    return this.#has(normalizeLabel(text), 'office')
  }

  #kindOf(words: string): LabelKind | undefined {
    if (this.#isAbout(words, 'initials', ['party', 'date'])) return 'initials'
    if (this.#has(words, 'date')) return this.#dateKind(words)
    if (this.#isAbout(words, 'name', ['party'])) return 'name'
    if (this.#has(words, 'email') && countWords(words) <= MAX_EMAIL_WORDS) return 'email'
    if (this.#isForSigning(words)) return 'signature'
    if (this.#isAbout(words, 'place', [])) return 'place'
    return this.#isAbout(words, 'party', []) ? 'signature' : undefined
  }

  #isForSigning(words: string): boolean {
    return this.#has(words, 'signature') || words === 'by'
  }

  /** A date of birth, of delivery and the like is entered, not the day of signing. */
  #dateKind(words: string): LabelKind | undefined {
    if (this.#isAbout(words, 'date', ['signature', 'place', 'party'])) return 'date'
    return countWords(words) <= MAX_DATE_WORDS ? 'text' : undefined
  }

  /** Has a word of the list, and no others than these and fillers. */
  #isAbout(words: string, list: PhraseList, others: readonly PhraseList[]): boolean {
    return this.#has(words, list) && this.#without(words, [list, 'filler', ...others]) === ''
  }

  #phrases(list: PhraseList): readonly string[] {
    return this.#lists.get(list) ?? []
  }

  #has(words: string, list: PhraseList): boolean {
    return this.#phrases(list).some(phrase => ` ${words} `.includes(` ${phrase} `))
  }

  /** Longer phrases first: "service provider" before "provider". */
  #without(words: string, lists: readonly PhraseList[]): string {
    const phrases = lists.flatMap(list => this.#phrases(list)).sort((a, b) => b.length - a.length)
    let rest = ` ${words.replaceAll(' ', '  ')} `
    for (const phrase of phrases) rest = rest.replaceAll(` ${phrase.replaceAll(' ', '  ')} `, ' ')
    return rest.trim()
  }

  #endsInDate(text: string): boolean {
    const ending = /[,،]\s*([^,،]+)$/.exec(text)?.[1]
    return ending !== undefined && this.#phrases('dateEnding').includes(normalizeLabel(ending))
  }

  /** The words that remain without those of the kinds, as written. */
  #partyName(text: string): string | undefined {
    const isParty = (word: string) => {
      const words = normalizeLabel(word)
      return words !== '' && words !== 'by' && this.#without(words, NO_PARTY) !== ''
    }
    const words = text
      .normalize('NFKC')
      .split(/[\s,/&()]+/)
      .filter(isParty)
    return words.length > 0 && words.length <= MAX_PARTY_WORDS ? words.join(' ') : undefined
  }
}

const NO_PARTY: readonly PhraseList[] = ['signature', 'date', 'name', 'initials', 'place', 'email', 'filler']
const countWords = (words: string): number => words.split(' ').length
const COMBINED: ReadonlySet<LabelKind> = new Set<LabelKind>(['place', 'date', 'signature', 'name'])
