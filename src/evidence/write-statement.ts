/** Writes signed statements, which `signed-statement.ts` and `openssl cms -verify` verify. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../core/document/logged-facts.ts'
import { createSignedData } from '../pades/cms.ts'
import type { SealKey } from '../pki/key.ts'
import { STATEMENT_HEADERS } from './signed-statement.ts'

export interface StatementToSign {
  /** Of the boundary: it does not depend on the content. */
  name: string
  content: JsonObject
  key: SealKey
  /** Returns the CMS with a time-stamp, or as it is. */
  timestamp(cms: Uint8Array): Promise<Uint8Array>
}

/** An S/MIME message, with CRLF. @throws any error of the key and of `timestamp` */
export async function writeStatement({ name, content, key, timestamp }: StatementToSign): Promise<string> {
  const json = JSON.stringify(content, null, 2)
  const [type, encoding] = STATEMENT_HEADERS
  const headers = /^[ -~\n]*$/.test(json) ? [type] : [type, encoding]
  const signed = [...headers, '', ...json.split('\n')].join('\r\n')
  const cms = await createSignedData({ digest: createHash('sha256').update(signed).digest(), key })
  const boundary = `signet-${name}`
  const encoded = Buffer.from(await timestamp(cms)).toString('base64')
  return [
    'MIME-Version: 1.0',
    `Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    signed,
    `--${boundary}`,
    'Content-Type: application/pkcs7-signature; name="smime.p7s"',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename="smime.p7s"',
    '',
    ...(encoded.match(/.{1,64}/g) ?? []),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}
