/** Which work a row of the outbox stands for. */
import { raiseSeal } from '../documents/raising.ts'
import { sealDocument } from '../documents/sealing.ts'
import type { JobKind } from '../outbox/queries.ts'
import { deliver } from '../webhooks/deliver.ts'
import { sendMail } from './send-mail.ts'
import type { Handler } from './worker.ts'

export const HANDLERS: Record<JobKind, Handler> = { seal: sealDocument, webhook: deliver, mail: sendMail, raise: raiseSeal }
