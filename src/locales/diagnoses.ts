/**
 * What alerts, checks and backups have found, as codes. Each language says them in its catalogue;
 * the English words are stored and printed.
 */
import { type Coded, coderOf } from '../core/coded.ts'
import { type TextsOf, textOf } from './coded-text.ts'
import { diagnoses as english } from './en/diagnoses.ts'

type Catalogue = typeof english

export type DiagnosisCode = keyof Catalogue

/** `reason` and `cause` are what another diagnosis or another program says. */
export type DiagnosisParams = {
  [C in DiagnosisCode]: Parameters<Catalogue[C]> extends [infer Params] ? Params : undefined
}

/** Alerts and backups have sentences; the command line prints clauses after the name of a check. */
export type DiagnosisTexts = TextsOf<DiagnosisParams>

export type Diagnosis = Coded<DiagnosisParams>

export const diagnosis = coderOf<DiagnosisParams>()

export const englishOfDiagnosis = (found: Diagnosis): string => textOf(english, found)
