/** Refuses uploads, then all changes but deletions, when the data folder's disk runs full. */
import { diskRefusal, Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { namesOfNodes } from '../db/nodes.ts'
import { type DiskLevel, type DiskSpace, diskLevelOf, lowBytesOf, nearLowBytesOf, RESERVE_BYTES } from '../lib/disk.ts'
import { diagnosis } from '../locales/diagnoses.ts'
import type { App, DiskWatch } from '../ports.ts'
import { endAlert, raiseAlert } from './alerts.ts'
import { alertSubjects, findAlert } from './queries.ts'

/** The alert ends above this multiple of where it begins: there it would come and go. */
const END_FACTOR = 1.1
/** By level. A new mail at each step. */
const FOUND = { ok: 'disk_nearly_low', low: 'disk_low', reserve: 'disk_full' } as const
const STEPS: Record<DiskLevel, number> = { ok: 2, low: 1, reserve: 0 }
const RETRY_AFTER_S = 60

/** Each of several nodes has its own disk, whose alert the others must not end. */
const subjectOf = ({ node }: Pick<App, 'node'>) => (node.isAlone ? '' : node.name)

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`

export class DiskSpaceWatch implements DiskWatch {
  readonly #app: App
  readonly #space: () => Promise<DiskSpace>

  constructor(app: App, measure: () => Promise<DiskSpace>) {
    this.#app = app
    this.#space = measure
  }

  async measure(): Promise<{ level: DiskLevel; space: DiskSpace }> {
    const space = await this.#space()
    return { level: diskLevelOf(space), space }
  }

  async requireSpaceForUpload(): Promise<void> {
    if ((await this.#level()) !== 'ok') {
      throw new Refusal('storage_unavailable', violation('disk_nearly_full'), [], RETRY_AFTER_S)
    }
  }

  async requireSpaceForChange(): Promise<void> {
    if ((await this.#level()) === 'reserve') throw diskRefusal()
  }

  async updateAlert(): Promise<void> {
    const { level, space } = await this.measure()
    const nearBytes = nearLowBytesOf(space)
    const subject = subjectOf(this.#app)
    if (space.freeBytes >= END_FACTOR * nearBytes) await endAlert(this.#app, 'disk_low', subject)
    // In between none begins, and one that is open says what is free now.
    else if (space.freeBytes < nearBytes || (await findAlert(this.#app.db, 'disk_low', subject))) await this.#raise(level, space)
  }

  async #raise(level: DiskLevel, space: DiskSpace): Promise<void> {
    const subject = subjectOf(this.#app)
    const found = diagnosis(FOUND[level], {
      isOfNode: subject !== '',
      node: subject,
      free: megabytes(space.freeBytes),
      low: megabytes(lowBytesOf(space)),
      reserve: megabytes(RESERVE_BYTES),
    })
    await raiseAlert(this.#app, { kind: 'disk_low', subject, step: STEPS[level], found })
  }

  /** When the free space is unknown, nothing is written. */
  async #level(): Promise<DiskLevel> {
    try {
      return (await this.measure()).level
    } catch (error) {
      this.#app.log('error', 'free space unknown', { error: String(error) })
      throw diskRefusal()
    }
  }
}

/** Ends the alerts of nodes that are gone: nobody looks at their disks and clocks any more. */
export async function endAlertsOfFormerNodes(app: App): Promise<void> {
  const names = app.node.isAlone ? [] : await namesOfNodes(app.db)
  const present = { disk_low: app.node.isAlone ? [subjectOf(app)] : names, clock_wrong: [...names, ''] }
  for (const kind of ['disk_low', 'clock_wrong'] as const) {
    for (const subject of await alertSubjects(app.db, kind)) {
      if (!present[kind].includes(subject)) await endAlert(app, kind, subject)
    }
  }
}
