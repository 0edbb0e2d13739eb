/** What programs find in an audit certificate by its text, in French. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Logiciel',
  auditLog: 'Journal d’audit',
  verifyPage: 'SHA-256 de verify.html',
  auditEntry: sequence => `L’entrée ${sequence} était la plus récente concernant ce document lorsqu’il a été scellé.`,
}
