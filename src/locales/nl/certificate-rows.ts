/** What programs find in an audit certificate by its text, in Dutch. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Software',
  auditLog: 'Auditlog',
  verifyPage: 'SHA-256 van verify.html',
  auditEntry: sequence => `Regel ${sequence} was de nieuwste over dit document toen het werd verzegeld.`,
}
