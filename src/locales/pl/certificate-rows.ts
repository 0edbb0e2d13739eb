/** What programs find in an audit certificate by its text, in Polish. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'ltr',
  software: 'Oprogramowanie',
  auditLog: 'Dziennik audytu',
  verifyPage: 'SHA-256 pliku verify.html',
  auditEntry: sequence => `Wpis ${sequence} był najnowszym wpisem o tym dokumencie, gdy został on opieczętowany.`,
}
