/** Asks every time-stamp authority for a time-stamp that is not used. */
import { createHash } from 'node:crypto'
import { ANY_NETWORK } from '../../lib/net-guard.ts'
import { requestTimestamp } from '../../pades/timestamp.ts'
import { TimestampError } from '../../pades/timestamp-error.ts'
import { certificateSummary } from '../../pki/x509.ts'
import type { App } from '../../ports.ts'
import { pemOf } from '../../settings/service-settings.ts'
import { noteTimestampAnswer } from '../../settings/timestamp-answer.ts'
import { readTimestampSettings } from '../../settings/timestamp-settings.ts'

export interface AuthorityAnswer {
  url: string
  /** The time in the time-stamp, and who signed it. */
  answer: { at: Date; subject: string; issuer: string; notAfter: Date } | undefined
  /** Why there is none, a clause that follows the name of the authority. */
  failure: string | undefined
}

export async function askAuthorities(app: App): Promise<AuthorityAnswer[]> {
  const { authorities, roots } = await readTimestampSettings(app)
  const ca = await pemOf(app, roots)
  const digest = createHash('sha256').update(app.random(32)).digest()
  const answers = await Promise.all(
    authorities.map(async authority => {
      try {
        const { send, now, random } = app
        const options = { digest, authority: { ...authority, ca }, allow: ANY_NETWORK, send, now, random }
        const { at, path } = await requestTimestamp(options)
        const [own] = path
        if (!own) throw new TimestampError('sent no certificate')
        const { subject, issuer, notAfter } = certificateSummary(own.der)
        return { url: authority.url, answer: { at, subject, issuer, notAfter }, failure: undefined }
      } catch (error) {
        if (!(error instanceof TimestampError)) throw error
        return { url: authority.url, answer: undefined, failure: error.message }
      }
    }),
  )
  await noteAnswers(app, answers)
  return answers
}

/** As a seal would see it: one authority that answers is enough. */
async function noteAnswers(app: App, answers: readonly AuthorityAnswer[]): Promise<void> {
  const given = answers.find(({ answer }) => answer !== undefined)?.answer
  const failures = answers.map(({ url, failure = '' }) => `${new URL(url).host} ${failure}`)
  if (given) await noteTimestampAnswer(app, { stampedAt: given.at })
  else if (failures.length > 0) await noteTimestampAnswer(app, { failure: failures.join('; ') })
}
