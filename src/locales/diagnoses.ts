/** The words for what alerts, checks and backups have found, as they are stored and printed. */
import type { Diagnosis, DiagnosisParams } from '../core/diagnosis.ts'
import { type TextsOf, textOf } from './coded-text.ts'
import { diagnoses as english } from './en/diagnoses.ts'

/** Alerts and backups have sentences; the command line prints clauses after the name of a check. */
export type DiagnosisTexts = TextsOf<DiagnosisParams>

export const englishOfDiagnosis = (found: Diagnosis): string => textOf(english, found)
