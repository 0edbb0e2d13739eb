/**
 * Compares the clock with what the data knows. While it is doubted, nothing happens that cannot be
 * undone and that only the clock has made due; people, mails and seals go on.
 */
import { endAlertIn, raiseAlertIn } from '../alerts/alerts.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { planAnew } from '../documents/sealing/sealed-queries.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/duration.ts'
import { type Diagnosis, diagnosis } from '../locales/diagnoses.ts'
import type { App, ClockWatch, Origin } from '../ports.ts'
import * as queries from './queries.ts'

const CLOCK_ALERT = 'clock_doubted'

/** A larger step than this is no correction by a time server. */
export const JUMP_MS = HOUR_MS
/** More than this between the clock and the data, without a process that lived through it. */
export const MAX_GAP_MS = DAY_MS
/** After a gap was found, whatever is answered: what would be erased can still be saved. */
export const QUIET_AFTER_GAP_MS = HOUR_MS
/** Between two notes that the clock is believed. */
const NOTE_EVERY_MS = 10 * MINUTE_MS
/** No job puts itself off for longer. */
const MAX_PAUSE_MS = 2 * DAY_MS

/** The clock jumped while irreversible work ran. What was not committed is rolled back. */
class ClockJumpedError extends Error {
  constructor() {
    super('the clock jumped: this work ends, and is taken up when the clock is believed again')
  }
}

export class DataClockWatch implements ClockWatch {
  readonly #app: App
  readonly #builtAt: Date | undefined
  #last: { clock: number; steady: number }
  /** When this process began to live through the time that the clock shows. */
  #livesSince: number
  /** The clock has been compared with the data since the start and since its last jump. */
  #isCompared = false
  /** By the steady clock. */
  #quietUntil = -Infinity
  #isDoubtSeen = false
  #notedAt = -Infinity
  #checking: Promise<boolean> | undefined

  constructor(app: App, { builtAt }: { builtAt?: Date | undefined } = {}) {
    this.#app = app
    this.#builtAt = builtAt
    this.#last = this.#read()
    this.#livesSince = this.#last.steady
  }

  isBelieved(): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  guarded(app: App): App {
    const now = () => {
      this.#noteJump()
      if (!this.#isCompared) throw new ClockJumpedError()
      return app.now()
    }
    return { ...app, now }
  }

  async #check(): Promise<boolean> {
    this.#noteJump()
    const doubt = await queries.clockDoubt(this.#app.db)
    if (doubt) return this.#whileDoubted(doubt)
    if (this.#isDoubtSeen) {
      // An administrator has answered, or the clock has caught up.
      this.#isDoubtSeen = false
      this.#isCompared = false
    }
    if (!this.#isCompared && !(await this.#compare())) return false
    this.#isCompared = true
    await this.#noteBelieved()
    return this.#last.steady >= this.#quietUntil
  }

  #read() {
    return { clock: this.#app.now().getTime(), steady: this.#app.steadyMs() }
  }

  /** Time that this process has lived through is believed; the rest is compared with the data. */
  #noteJump(): void {
    const [last, now] = [this.#last, this.#read()]
    const jumpedMs = now.clock - last.clock - (now.steady - last.steady)
    this.#last = now
    if (Math.abs(jumpedMs) <= JUMP_MS) return
    this.#isCompared = false
    this.#livesSince = now.steady
  }

  /** Returns whether the clock agrees with the data. */
  async #compare(): Promise<boolean> {
    const { clock, steady } = this.#last
    const lived = steady - this.#livesSince
    const { db, node } = this.#app
    // A clock that jumped may have written entries: where there is a note, it alone counts.
    const known = (await queries.believedAt(db)) ?? (await queries.newestTime(db, node.boot))
    const newest = Math.max(known?.getTime() ?? -Infinity, this.#builtAt?.getTime() ?? -Infinity)
    // An empty database knows nothing, and the executable may be old.
    if (known && clock - newest - lived > MAX_GAP_MS) return this.#doubt({ direction: 'ahead', known: new Date(newest) })
    if (newest - clock > MAX_GAP_MS) return this.#doubt({ direction: 'behind', known: new Date(newest) })
    return true
  }

  async #doubt(found: Pick<queries.ClockDoubt, 'direction' | 'known'>): Promise<false> {
    const app = this.#app
    const doubt = { ...found, shown: new Date(this.#last.clock) }
    await app.write(async tx => {
      if (await queries.clockDoubt(tx)) return
      await queries.saveDoubt(tx, doubt)
      await raiseAlertIn(tx, app, { kind: CLOCK_ALERT, found: diagnosisOf(doubt) })
    })
    this.#beginQuiet()
    return false
  }

  async #whileDoubted({ direction, known }: queries.ClockDoubt): Promise<boolean> {
    this.#beginQuiet()
    const sinceKnown = this.#last.clock - known.getTime()
    // A clock that was behind has made nothing due: the doubt ends when it has caught up.
    if (direction === 'behind' && sinceKnown >= -HOUR_MS && sinceKnown <= MAX_GAP_MS) {
      await this.#app.write(tx => endDoubt(tx, this.#app))
    }
    return false
  }

  #beginQuiet(): void {
    if (!this.#isDoubtSeen) this.#quietUntil = this.#last.steady + QUIET_AFTER_GAP_MS
    this.#isDoubtSeen = true
  }

  async #noteBelieved(): Promise<void> {
    const { steady } = this.#last
    if (steady - this.#notedAt < NOTE_EVERY_MS) return
    const app = this.#app
    await app.writeUnsynced(async tx => {
      const now = app.now()
      await queries.saveBelieved(tx, now)
      // A clock that was ahead between two looks was never doubted.
      await catchUp(tx, now)
    })
    this.#notedAt = steady
  }
}

/** What a clock that was ahead has put off is due now. */
async function catchUp(tx: Tx, now: Date): Promise<void> {
  const beyond = new Date(now.getTime() + MAX_PAUSE_MS)
  await queries.retryPutOff(tx, beyond, now)
  await planAnew(tx, beyond, now)
}

const timeOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function diagnosisOf({ direction, known, shown }: queries.ClockDoubt): Diagnosis {
  return diagnosis(`clock_${direction}`, { shown: timeOf(shown), known: timeOf(known) })
}

async function endDoubt(tx: Tx, app: App): Promise<void> {
  await queries.dropDoubt(tx)
  await endAlertIn(tx, app, CLOCK_ALERT)
}

/** What an administrator says about a doubted clock. */
export type ClockAnswer = 'right' | 'corrected'

/**
 * From now on the clock is believed. Returns whether it was doubted.
 * @throws Refusal if it is said to be corrected and shows what it showed before
 */
export async function answerClock(app: App, answer: ClockAnswer, origin: Origin): Promise<boolean> {
  return app.write(async tx => {
    const doubt = await queries.clockDoubt(tx)
    if (!doubt) return false
    const now = app.now()
    if (answer === 'corrected' && !isMoved(doubt, now)) throw notCorrected(now)
    const data = { answer, known: doubt.known.toISOString(), shown: doubt.shown.toISOString(), now: now.toISOString() }
    await appendInstanceEvent(tx, app, { type: 'clock.confirmed', data }, origin)
    await endDoubt(tx, app)
    await queries.saveBelieved(tx, now)
    // Whatever the answer: the clock may have been set back before somebody says that it is right.
    await catchUp(tx, now)
    return true
  })
}

/** A corrected clock has left what it showed, towards what the data knew. */
function isMoved({ direction, shown }: queries.ClockDoubt, now: Date): boolean {
  const movedMs = direction === 'ahead' ? shown.getTime() - now.getTime() : now.getTime() - shown.getTime()
  return movedMs > JUMP_MS
}

function notCorrected(now: Date): Refusal {
  return new Refusal('invalid_state', violation('clock_still_wrong', { time: timeOf(now) }))
}
