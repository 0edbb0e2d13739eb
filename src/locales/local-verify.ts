/**
 * The texts of the page that verifies files on the device of its reader: verify.html, and the page
 * of a service where a script runs. Those of the verdicts on a PDF are in `verify.ts`.
 */
import type { Language } from '../core/language.ts'
import { localVerify as ar } from './ar/local-verify.ts'
import { localVerify as de } from './de/local-verify.ts'
import { localVerify as en } from './en/local-verify.ts'
import { localVerify as es } from './es/local-verify.ts'
import { localVerify as fr } from './fr/local-verify.ts'
import { localVerify as it } from './it/local-verify.ts'
import { localVerify as nl } from './nl/local-verify.ts'
import { localVerify as pl } from './pl/local-verify.ts'
import { localVerify as pt } from './pt/local-verify.ts'

/** Why a file was not verified. */
export type FileProblem =
  | 'empty'
  | 'tooLarge'
  | 'unknownKind'
  | 'locked'
  | 'damagedPack'
  | 'wrongCertificate'
  | 'unreadable'
  | 'memory'
  | 'stopped'
  | 'tooLong'

export type ReceiptVerdictKey =
  | 'valid'
  /** The evidence pack beside it still has the entry. */
  | 'validWithLog'
  | 'notValid'
  | 'unknown'
  | 'notChecked'

/** What a receipt says. `title`: in quotation marks. */
export interface ReceiptFacts {
  organisation: string
  name: string
  title: string
  time: string
}

export type PackVerdictKey = 'valid' | 'validByPack' | 'notValid' | 'unknown' | 'notChecked'

/** A heading, then a sentence. */
interface Words {
  heading: string
  sentence: string
}

export interface LocalVerifyTexts {
  lead: string
  /** Label of the place for the files. */
  files: string
  choose: string
  drop: string
  /** Nothing of the file leaves the device: verify.html, and the page of a service. */
  stays: string
  staysHere(organisation: string): string
  /** A link to verify.html, on the page of a service. */
  keep: string
  language: string
  reading(name: string, percent: number): string
  checking(name: string, seconds: number): string
  cancel: string
  cancelled: string
  clear: string
  print: string
  problems: Record<FileProblem, Words>
  trust: {
    /** Names the source of trust of one result. */
    label: string
    given(names: string): string
    pack: string
    instance(organisation: string): string
    none: string
    /** The list of the certificates that the reader has given. */
    heading: string
    hint: string
    purpose(name: string): string
    signers: string
    timestamps: string
    remove(name: string): string
    fingerprint: string
  }
  pack: {
    verdicts: Record<PackVerdictKey, { heading: string; sentence(title: string): string; advice: readonly string[] }>
    /** Who says who signed. */
    source: string
    /** A person whose name was erased. */
    erased: string
    /** What the log says beside the time of a signature; clauses. */
    person: {
      openedFromApp: string
      from(address: string): string
      consent(version: string): string
      /** Their own device signed too; and where it did not verify its user. */
      deviceKey: string
      deviceKeyUnverified: string
      /** An entry that the seal covers, and one that it does not. */
      sealedEntry(number: number): string
      entry(number: number): string
    }
    checks: string
    outcomes: Record<'passed' | 'failed' | 'not-checked' | 'note', string>
    sealedFile: string
  }
  receipt: {
    verdicts: Record<ReceiptVerdictKey, { heading: string; sentence(facts: ReceiptFacts): string; advice: readonly string[] }>
    /** Who says who signed. */
    source: string
    /** Names the part of the details that is about its own signature. */
    itself: string
  }
  /** In place of the advice of `valid`, which speaks of a service. */
  validAdvice: string
  about: {
    heading: string
    version(version: string): string
    check: string
    limits: string
  }
  record: {
    ask(organisation: string): string
    /** What is sent, and what is not. */
    sends: string
    known(organisation: string, time: string): string
    unknown: string
    failed: string
    upload: string
  }
}

const TEXTS: Record<Language, LocalVerifyTexts> = { en, de, fr, es, it, pt, nl, pl, ar }

export function localVerifyTextsOf(language: Language): LocalVerifyTexts {
  return TEXTS[language]
}
