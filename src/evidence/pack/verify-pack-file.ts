/** Verifies an evidence pack that is a file. */
import { readFile, stat } from 'node:fs/promises'
import { remark } from '../../locales/remarks.ts'
import { certificatesOfPem, readCertificate } from '../../pki/x509.ts'
import type { PackReport, UnreadablePack, VerifyPackRequest } from './report.ts'
import { verifyPack } from './verify-pack.ts'

const MAX_PACK_BYTES = 1024 * 1024 * 1024

/** @throws DerError if the given certificates cannot be read; file system errors */
export async function verifyPackFile({
  path,
  trust,
  timestampTrust,
  now,
}: VerifyPackRequest): Promise<PackReport | UnreadablePack> {
  const { size } = await stat(path)
  if (size > MAX_PACK_BYTES) return { verdict: 'unreadable', reason: remark('file_too_large', { max: MAX_PACK_BYTES }) }
  const read = (list: string[]) => list.flatMap(certificatesOfPem).map(readCertificate)
  return verifyPack(await readFile(path), {
    trust: read(trust),
    timestampTrust: read(timestampTrust),
    now: now === undefined ? new Date() : new Date(now),
  })
}
