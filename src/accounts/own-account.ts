/** What people change of their own account: name, language, password, and which sessions stay. */
import { appendInstanceEvent } from '../audit/log.ts'
import { APP_LANGUAGES } from '../core/language.ts'
import { errorsIn, refuseIfInvalid, validationRefusal } from '../core/refusal.ts'
import { cleanLine } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { sha256Hex } from '../lib/sha256.ts'
import type { App, Origin } from '../ports.ts'
import { mailPerson } from './account-mail.ts'
import { passwordError } from './password-rule.ts'
import { requireSamePassword, sessionsInUse, verifyPassword } from './people.ts'
import { setName } from './people-queries.ts'
import { personNameError } from './person-name.ts'
import * as queries from './queries.ts'
import { newDeviceToken } from './throttle.ts'

export interface ProfileInput {
  name: string
  /** Of the web app. */
  language: string
  /** Of administrators. */
  warningMails: boolean
}

/** Writes nothing if nothing differs. @throws Refusal `validation_failed` */
export async function changeProfile(app: App, user: queries.User, input: ProfileInput, origin: Origin): Promise<void> {
  const language = APP_LANGUAGES.find(each => each === input.language)
  refuseIfInvalid(
    errorsIn([
      ['name', personNameError(app, input.name)],
      ['language', language ? undefined : violation('not_one_of', { values: APP_LANGUAGES })],
    ]),
  )
  const name = cleanLine(input.name)
  await app.write(
    async tx => {
      if (language && language !== user.language) await queries.setUserLanguage(tx, user.id, language)
      if (user.role === 'admin' && input.warningMails !== user.warningMails) {
        await queries.setWarningMails(tx, user.id, input.warningMails)
      }
      if (name === user.name) return
      await setName(tx, user.id, name)
      const change = { data: { userId: user.id }, personal: { from: user.name, to: name } }
      await appendInstanceEvent(tx, app, { type: 'user.renamed', ...change }, origin)
    },
    { wake: false },
  )
}

export interface NewPassword {
  /** Of the session that stays. */
  sessionToken: string
  current: string
  password: string
}

/**
 * Ends all other sessions, and makes all other browsers unknown. Returns the token by which this
 * one stays known. @throws Refusal `validation_failed`, `rate_limited`, `unauthorized`
 */
export async function changePassword(
  app: App,
  user: queries.User,
  { sessionToken, current, password }: NewPassword,
  origin: Origin,
): Promise<{ deviceToken: string }> {
  const session = sha256Hex(sessionToken)
  if (!(await verifyPassword(app, user.email, current, user, { session }))) {
    throw validationRefusal([{ path: 'current', ...violation('not_right') }])
  }
  refuseIfInvalid(errorsIn([['password', await passwordError(password)]]))
  const passwordHash = await app.passwords.hash(password)
  return app.write(async tx => {
    await requireSamePassword(tx, user)
    await queries.setPasswordHash(tx, user.id, passwordHash)
    await queries.dropSessionsOf(tx, user.id, session)
    await queries.confirmSession(tx, session, app.now())
    await appendInstanceEvent(tx, app, { type: 'user.password_changed', data: { userId: user.id } }, origin)
    await mailPerson(tx, app, user, ({ signIn }) => signIn.mails.passwordChanged(app.config.baseUrl))
    return { deviceToken: newDeviceToken(app, { id: user.id, passwordHash }) }
  })
}

/** The sessions of the person that are open, the one used last first. */
export async function listSessions(app: App, userId: string): Promise<queries.ListedSession[]> {
  return sessionsInUse(app, await queries.sessionsOf(app.db, userId))
}

/** `ended`: the hash of a session's token, or all but the present one. Returns the number. */
export async function endSessions(
  app: App,
  user: queries.User,
  ended: { tokenSha256: string } | { allBut: string },
  origin: Origin,
): Promise<number> {
  return app.write(
    async tx => {
      const count = await drop(tx, user.id, ended)
      const data = { userId: user.id, sessions: count }
      if (count > 0) await appendInstanceEvent(tx, app, { type: 'user.sessions_ended', data }, origin)
      return count
    },
    { wake: false },
  )
}

function drop(tx: Tx, userId: string, ended: { tokenSha256: string } | { allBut: string }): Promise<number> {
  return 'allBut' in ended
    ? queries.dropSessionsOf(tx, userId, ended.allBut)
    : queries.dropSessionOf(tx, userId, ended.tokenSha256)
}
