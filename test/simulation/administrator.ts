/** What an administrator decides at the command line. A disk that is full refuses, and says so. */
import { Refusal } from '../../src/core/refusal.ts'
import { changeRetention } from '../../src/documents/retention.ts'
import { answerClock } from '../../src/health/clock-watch.ts'
import { type App, COMMAND_LINE } from '../../src/ports.ts'
import type { Chance } from './chance.ts'

/** Documents are erased a month after their end. */
export async function retainAMonth(app: App, gone: Promise<void>): Promise<void> {
  const months = { completed: 1, voided: 1, declined: 1, expired: 1 }
  await Promise.race([changeRetention(app, COMMAND_LINE, months), gone]).catch(noteRefusal)
}

export async function sayThatClockIsRight(app: App, chance: Chance): Promise<void> {
  await answerClock(app, chance.pick(['right', 'corrected']), COMMAND_LINE).catch(noteRefusal)
}

function noteRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
