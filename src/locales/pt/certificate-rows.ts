/** What programs find in an audit certificate by its text, in Portuguese. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Software',
  auditLog: 'Registo de auditoria',
  verifyPage: 'SHA-256 de verify.html',
  auditEntry: sequence => `A entrada ${sequence} era a mais recente sobre este documento quando ele foi selado.`,
}
