/** Verifies a file of this machine, in a child process. `verify.ts` verifies octets, anywhere. */
import { open, readFile, stat } from 'node:fs/promises'
import { remark } from '../locales/remarks.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../pki/x509.ts'
import type { UnreadableReport, VerificationReport, VerifyFileRequest } from './report.ts'
import { verifyBytes } from './verify.ts'

const MAX_FILE_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1 << 20

/** True if `bytes` begin with exactly the content of the file at `path`. */
async function isPrefix(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > bytes.length) return false
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, size - at), at)
      if (bytesRead === 0 || Buffer.compare(chunk.subarray(0, bytesRead), bytes.subarray(at, at + bytesRead)) !== 0) return false
      at += bytesRead
    }
    return true
  } finally {
    await file.close()
  }
}

/** Not as a Buffer, whose parts cost more to make. */
async function readOctets(path: string): Promise<Uint8Array> {
  const { buffer, byteOffset, length } = await readFile(path)
  return new Uint8Array(buffer, byteOffset, length)
}

/** @throws DerError if `trust` holds anything but certificates; file system errors */
export async function verifyFile(request: VerifyFileRequest): Promise<VerificationReport | UnreadableReport> {
  const [trust, timestampTrust] = [request.trust, request.timestampTrust ?? []].map(list =>
    list.flatMap(certificatesOfPem).map(readCertificate),
  ) as [Certificate[], Certificate[]]
  const { size } = await stat(request.path)
  if (size > MAX_FILE_BYTES) return { verdict: 'unreadable', reason: remark('file_too_large', { max: MAX_FILE_BYTES }) }
  const bytes = await readOctets(request.path)
  const revocationLists = (request.revocationLists ?? []).map(list => new Uint8Array(Buffer.from(list, 'base64')))
  const now = request.now === undefined ? new Date() : new Date(request.now)
  const report = verifyBytes(bytes, trust, timestampTrust, { now, revocationLists })
  const { originalPath } = request
  if (report.verdict === 'unreadable' || originalPath === undefined || (await isPrefix(originalPath, bytes))) return report
  const reasons = [...report.reasons, remark('original_missing')]
  return { ...report, verdict: 'not-valid', reasons }
}
