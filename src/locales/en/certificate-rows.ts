/** What programs find in an audit certificate by its text, in English. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Software',
  auditLog: 'Audit log',
  verifyPage: 'SHA-256 of verify.html',
  auditEntry: sequence => `Entry ${sequence} was the latest entry about this document when it was sealed.`,
}
