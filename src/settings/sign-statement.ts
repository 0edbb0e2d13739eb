/** Time-stamps of the authorities that are set, and statements signed by the seal key with them. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../core/document/logged-facts.ts'
import { writeStatement } from '../evidence/write-statement.ts'
import { ANY_NETWORK } from '../lib/net-guard.ts'
import { signatureValueOf, withTimestamp } from '../pades/cms.ts'
import { firstTimestamp, type Timestamp, TimestampError } from '../pades/timestamp.ts'
import type { Certificate } from '../pki/x509.ts'
import type { App } from '../ports.ts'
import { pemOf } from './service-settings.ts'
import { noteTimestampAnswer, readTimestampSettings } from './timestamp-settings.ts'

/** A token over a SHA-256 from the first authority that gives one. @throws TimestampError */
export async function requestToken(app: App, digest: Uint8Array): Promise<Timestamp> {
  const { authorities, roots } = await readTimestampSettings(app)
  const ca = await pemOf(app, roots)
  try {
    const stamp = await firstTimestamp(
      authorities.map(authority => ({ ...authority, ca })),
      // The administrator names the authorities, which may be in a private network.
      { digest, allow: ANY_NETWORK, send: app.send, now: app.now, random: app.random },
    )
    await noteTimestampAnswer(app, { stampedAt: stamp.at })
    return stamp
  } catch (error) {
    if (error instanceof TimestampError) await noteTimestampAnswer(app, { failure: error.message })
    throw error
  }
}

/** The CMS with a time-stamp over its signature value. @throws TimestampError */
export async function timestampCms(app: App, cms: Uint8Array): Promise<{ cms: Uint8Array; path: Certificate[] }> {
  const { token, path } = await requestToken(app, createHash('sha256').update(signatureValueOf(cms)).digest())
  return { cms: withTimestamp(cms, token), path }
}

/**
 * An S/MIME message by the seal key, with a time-stamp if an authority is set and gives one:
 * without it the signature still counts. @throws any error of the key
 */
export async function signStatement(app: App, name: string, content: JsonObject): Promise<string> {
  const { authorities } = await readTimestampSettings(app)
  const timestamp = async (cms: Uint8Array) => {
    if (authorities.length === 0) return cms
    try {
      return (await timestampCms(app, cms)).cms
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error
      app.log('warn', 'a statement was signed without a time-stamp', { why: error.message })
      return cms
    }
  }
  return writeStatement({ name, content, key: await app.sealKey(), timestamp })
}
