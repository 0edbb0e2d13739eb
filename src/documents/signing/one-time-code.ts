/** One-time codes: makes one for a browser, and checks what is entered there. */
import { type Document, isCodeLocked, type Recipient, recipientOf } from '../../core/document/document.ts'
import { errorAt, Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { localized } from '../../core/signing/message.ts'
import {
  codeEntered,
  codeFailure,
  codeWaitS,
  currentCode,
  isForgotten,
  MAX_CODE_TRIES,
  type OneTimeCode,
  requestCode,
  tryCode,
} from '../../core/signing/one-time-code.ts'
import { violation } from '../../core/violation.ts'
import type { Db, Tx } from '../../db/open.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { isSameSecret, oneTimeCode, randomToken } from '../../lib/token.ts'
import type { App, Client } from '../../ports.ts'
import { takesCodes } from '../../webhooks/deliver.ts'
import { subscribedWebhooks } from '../../webhooks/queries.ts'
import { load, record } from '../record.ts'
import { codeDeletions, codeInsertion, codesOf, codeUpdate } from './form-queries.ts'
import { recipientOrigin, requireUnchangedLink, type SigningContext } from './link.ts'

/**
 * Sends a code that is valid in the browser with this token. Throws `rate_limited` with the time to
 * wait, and `forbidden` after too many wrong codes.
 */
export async function sendCode(
  app: App,
  { document, recipient }: SigningContext,
  browser: string,
  client: Client,
): Promise<void> {
  const origin = recipientOrigin(recipient, client)
  const id = randomToken(app.random)
  await app.write(async tx => {
    const current = await load(tx, origin.actor, document.id)
    const { linkVersion, verify } = requireUnchangedLink(current, recipient)
    const now = app.now()
    const codes = await codesOf(tx, recipient.id)
    const code: OneTimeCode = {
      id,
      recipientId: recipient.id,
      linkVersion,
      browserHash: sha256Hex(browser),
      attempts: 0,
      createdAt: now,
      usedAt: undefined,
    }
    const transition = requestCode(current, recipient.id, code, codeWaitS(codes, { linkVersion }, now))
    if (verify === 'webhook_code' && !(await hasCodeWebhook(tx, current)))
      throw new Refusal('invalid_state', localized('oneTimeCodeUndeliverable'))
    const forgotten = codes.filter(each => isForgotten(each, now))
    await record(tx, app, current, transition, origin, { others: [...codeDeletions(tx, forgotten), ...codeInsertion(tx, code)] })
  })
}

/**
 * Counts and compares in one transaction, whose result nobody learns before the commit: of many
 * tries at once no more are compared than in a row, and a crash gives no free guess.
 */
export async function checkOneTimeCode(
  app: App,
  { document, recipient }: SigningContext,
  entered: string,
  browser: string | undefined,
  client: Client,
): Promise<void> {
  const digits = codeEntered(entered)
  // What cannot be a code is no try, unless there are none left.
  if (digits === undefined && !isCodeLocked(recipient)) refuse('oneTimeCodeMissing')
  const origin = recipientOrigin(recipient, client)
  const result = await app.write(async (tx): Promise<{ failure: Failure } | Tried> => {
    const current = await load(tx, origin.actor, document.id)
    const { linkVersion, ...before } = requireUnchangedLink(current, recipient)
    if (isCodeLocked(before)) throw new Refusal('forbidden', localized('oneTimeCodeLocked'))
    const code = currentCode(await codesOf(tx, recipient.id), { linkVersion })
    const now = app.now()
    const failure = codeFailure(code, browser === undefined ? undefined : sha256Hex(browser), now)
    if (failure !== undefined || code === undefined) return { failure: failure ?? 'oneTimeCodeElsewhere' }
    const isRight = isSameSecret(oneTimeCode(app.linkKey, code.id), digits ?? '')
    const tried = { ...code, attempts: code.attempts + 1, usedAt: isRight ? now : undefined }
    const transition = tryCode(current, recipient.id, code, isRight)
    await record(tx, app, current, transition, origin, { others: [codeUpdate(tx, tried)] })
    return { isRight, attempts: tried.attempts, isLocked: isCodeLocked(recipientOf(transition.document, recipient.id)) }
  })
  if ('failure' in result) return refuse(result.failure)
  if (result.isRight) return
  if (result.isLocked) throw new Refusal('forbidden', localized('oneTimeCodeLocked'))
  const left = MAX_CODE_TRIES - result.attempts
  refuseIfInvalid([{ path: 'code', ...(left > 0 ? localized('oneTimeCodeWrong', left) : localized('oneTimeCodeDead')) }])
}

interface Tried {
  isRight: boolean
  attempts: number
  isLocked: boolean
}

type Failure = Exclude<ReturnType<typeof codeFailure>, undefined> | 'oneTimeCodeMissing'

function refuse(failure: Failure): void {
  refuseIfInvalid([{ path: 'code', ...localized(failure) }])
}

export interface CodeState {
  /** A code can be entered in this browser. */
  isSent: boolean
  isLocked: boolean
  /** Until another code may be asked for. */
  waitS: number
}

/** For the page of the browser with this token. */
export async function codeState(app: App, recipient: Recipient, browser: string | undefined): Promise<CodeState> {
  const codes = await codesOf(app.db, recipient.id)
  const now = app.now()
  const isSent = browser !== undefined && codeFailure(currentCode(codes, recipient), sha256Hex(browser), now) === undefined
  return { isSent, isLocked: isCodeLocked(recipient), waitS: codeWaitS(codes, recipient, now) }
}

/** For the mail that was queued then; `undefined` if a newer code or its end has made it void. */
export async function codeToMail(
  app: Pick<App, 'linkKey' | 'now'>,
  db: Db | Tx,
  recipient: Recipient,
  queuedAt: Date,
): Promise<string | undefined> {
  const code = currentCode(await codesOf(db, recipient.id), recipient)
  if (code === undefined || code.createdAt > queuedAt || codeFailure(code, code.browserHash, app.now()) !== undefined)
    return undefined
  return oneTimeCode(app.linkKey, code.id)
}

/** Whether a webhook of the document's owner takes the codes that a program passes on. */
export async function hasCodeWebhook(db: Db | Tx, { ownerId }: Pick<Document, 'ownerId'>): Promise<boolean> {
  return (await subscribedWebhooks(db, ownerId).execute()).some(({ events }) => takesCodes(JSON.parse(events)))
}

type PathOf = (recipient: Recipient, index: number) => string

/** Before a document is sent: otherwise some of its recipients could never open it. */
export async function requireCodeWebhook(
  tx: Tx,
  document: Pick<Document, 'ownerId' | 'recipients'>,
  pathOf: PathOf = (_, index) => `recipients[${index}].verify`,
): Promise<void> {
  const errors = codeWebhookErrors(document, pathOf)
  if (errors.length > 0 && !(await hasCodeWebhook(tx, document))) refuseIfInvalid(errors)
}

/** Of a document that is sent without a webhook for its codes. */
export function codeWebhookErrors({ recipients }: Pick<Document, 'recipients'>, pathOf: PathOf): ValidationError[] {
  return recipients.flatMap((recipient, index) =>
    recipient.verify === 'webhook_code' ? [errorAt(pathOf(recipient, index), violation('code_webhook_missing'))] : [],
  )
}
