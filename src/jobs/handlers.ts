/** The handler of each kind of job. */
import { augmentSeal } from '../documents/sealing/augment.ts'
import { sealDocument } from '../documents/sealing/sealing.ts'
import type { JobKind, LeasedJob } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { deliver } from '../webhooks/deliver.ts'
import { sendMail } from './send-mail.ts'
import type { Handler } from './worker.ts'

/** Work on this machine: there is no receiver. */
function local(work: (app: App, job: LeasedJob) => Promise<void>): Handler {
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
