/** What programs find in an audit certificate by its text, in Portuguese. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Software',
  auditLog: 'Registo de auditoria',
  auditEntry: sequence => `A entrada ${sequence} era a mais recente sobre este documento quando ele foi selado.`,
}
