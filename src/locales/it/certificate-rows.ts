/** What programs find in an audit certificate by its text, in Italian. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Software',
  auditLog: 'Registro di audit',
  verifyPage: 'SHA-256 di verify.html',
  auditEntry: sequence => `La voce ${sequence} era la più recente su questo documento quando è stato sigillato.`,
}
