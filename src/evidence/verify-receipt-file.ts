/** Verifies a receipt that is a file, with the files beside it. */
import { readFile, stat } from 'node:fs/promises'
import { remark } from '../locales/remarks.ts'
import { certificatesOfPem, readCertificate } from '../pki/x509.ts'
import type { VerifyReceiptRequest } from './receipt-report.ts'
import { MAX_STATEMENT_BYTES } from './signed-statement.ts'
import { type ReceiptReport, type RefusedReceipt, verifyReceipt } from './verify-receipt.ts'

const MAX_BESIDE_BYTES = 1024 * 1024 * 1024

/** @throws DerError if the given certificates cannot be read; file system errors */
export async function verifyReceiptFile(request: VerifyReceiptRequest): Promise<ReceiptReport | RefusedReceipt> {
  const { path, packPath, sealedPath, trust, timestampTrust } = request
  const limits: [string | undefined, number][] = [
    [path, MAX_STATEMENT_BYTES],
    [packPath, MAX_BESIDE_BYTES],
    [sealedPath, MAX_BESIDE_BYTES],
  ]
  for (const [file, max] of limits) {
    if (file !== undefined && (await stat(file)).size > max)
      return { verdict: 'unreadable', reason: remark('file_too_large', { max }) }
  }
  const read = (list: string[]) => list.flatMap(certificatesOfPem).map(readCertificate)
  return verifyReceipt(await readFile(path), {
    trust: read(trust),
    timestampTrust: read(timestampTrust),
    now: new Date(),
    pack: packPath === undefined ? undefined : await readFile(packPath),
    sealed: sealedPath === undefined ? undefined : await readFile(sealedPath),
  })
}
