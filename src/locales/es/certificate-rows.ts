/** What programs find in an audit certificate by its text, in Spanish. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Programa',
  auditLog: 'Registro de auditoría',
  verifyPage: 'SHA-256 de verify.html',
  auditEntry: sequence => `La entrada ${sequence} era la más reciente sobre este documento cuando se selló.`,
}
