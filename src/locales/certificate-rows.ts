/**
 * Texts of the audit certificate by which programs find its facts. A text that a release printed is
 * never replaced: sealed files keep it.
 */
import type { Language } from '../core/language.ts'
import { certificateRows as ar } from './ar/certificate-rows.ts'
import { certificateRows as de } from './de/certificate-rows.ts'
import { certificateRows as en } from './en/certificate-rows.ts'
import { certificateRows as es } from './es/certificate-rows.ts'
import { certificateRows as fr } from './fr/certificate-rows.ts'
import { certificateRows as it } from './it/certificate-rows.ts'
import { certificateRows as nl } from './nl/certificate-rows.ts'
import { certificateRows as pl } from './pl/certificate-rows.ts'
import { certificateRows as pt } from './pt/certificate-rows.ts'

export interface CertificateRows {
  direction: 'ltr' | 'rtl'
  /** Labels of rows. */
  software: string
  auditLog: string
  /** Its value is the SHA-256 of verify.html. */
  verifyPage: string
  /** Below the hash of the newest entry. */
  auditEntry(sequence: number): string
}

const TEXTS: Record<Language, CertificateRows> = { en, de, fr, es, it, pt, nl, pl, ar }

/** In each language. */
export const CERTIFICATE_ROWS: readonly CertificateRows[] = Object.values(TEXTS)
