/** Which work a row of the outbox stands for. */
import { augmentSeal } from '../documents/augment.ts'
import { sealDocument } from '../documents/sealing.ts'
import type { Job, JobKind } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { deliver } from '../webhooks/deliver.ts'
import { sendMail } from './send-mail.ts'
import type { Handler } from './worker.ts'

/** Work of this machine: no receiver has a pace. */
function local(work: (app: App, job: Job) => Promise<void>): Handler {
  return async (app, job) => {
    await work(app, job)
    return undefined
  }
}

export const HANDLERS: Record<JobKind, Handler> = {
  seal: local(sealDocument),
  webhook: deliver,
  mail: local(sendMail),
  augment: local(augmentSeal),
}
