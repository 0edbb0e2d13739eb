/** What an administrator decides at the command line. A disk that is full refuses, and says so. */
import { Refusal } from '../../src/core/refusal.ts'
import { changeRetention } from '../../src/documents/retention/retention.ts'
import { answerClock, type ClockAnswer } from '../../src/health/clock-watch.ts'
import { type App, COMMAND_LINE } from '../../src/ports.ts'
import { resumeSending } from '../../src/settings/sending-pause.ts'

/** Documents are erased a month after their end. */
export async function retainAMonth(app: App, gone: Promise<void>): Promise<void> {
  const months = { completed: 1, voided: 1, declined: 1, expired: 1 }
  await Promise.race([changeRetention(app, COMMAND_LINE, months), gone]).catch(noteRefusal)
}

/** Of the clock, which may be doubted after a long pause too. */
export async function answerQuestions(app: App, clock: ClockAnswer): Promise<void> {
  await resume(app)
  const say = (answer: ClockAnswer) => answerClock(app, answer, COMMAND_LINE).catch(noteRefusal)
  await say(clock)
  // Days after a correction the clock shows what it showed when it was wrong: then it is right.
  await say('right')
}

/** After a restore nothing is sent before somebody says so. */
export async function resume(app: App): Promise<void> {
  await resumeSending(app, COMMAND_LINE).catch(noteRefusal)
}

function noteRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
