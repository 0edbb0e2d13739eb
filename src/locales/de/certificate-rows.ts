/** What programs find in an audit certificate by its text, in German. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Software',
  auditLog: 'Audit-Protokoll',
  verifyPage: 'SHA-256 von verify.html',
  auditEntry: sequence => `Eintrag ${sequence} war der neueste zu diesem Dokument, als es gesiegelt wurde.`,
}
