/** What programs find in an audit certificate by its text, in Arabic. */
import type { CertificateRows } from '../certificate-rows.ts'

export const certificateRows: CertificateRows = {
  direction: 'rtl',
  software: 'البرنامج',
  auditLog: 'سجل التدقيق',
  verifyPage: 'بصمة verify.html (SHA-256)',
  auditEntry: sequence => `القيد ${sequence} كان أحدث قيود السجل عن هذا المستند عند ختمه.`,
}
