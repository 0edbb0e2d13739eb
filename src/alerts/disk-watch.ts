/** Refuses uploads, then all changes but deletions, when the data folder's disk runs full. */
import { diskRefusal, Refusal } from '../core/refusal.ts'
import { namesOfNodes } from '../db/nodes.ts'
import { type DiskLevel, type DiskSpace, diskLevelOf, lowBytesOf, RESERVE_BYTES } from '../lib/disk.ts'
import type { App, DiskWatch } from '../ports.ts'
import { endAlert, raiseAlert } from './alerts.ts'
import { alertSubjects } from './queries.ts'

/** The alert ends above this multiple of the limit: at the limit it would come and go. */
const END_FACTOR = 1.1
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
      const message = 'The disk of this service is nearly full: no files are accepted until its administrator has freed space.'
      throw new Refusal('storage_unavailable', message, [], RETRY_AFTER_S)
    }
  }

  async requireSpaceForChange(): Promise<void> {
    if ((await this.#level()) === 'reserve') throw diskRefusal()
  }

  async updateAlert(): Promise<void> {
    const { level, space } = await this.measure()
    if (level !== 'ok') await this.#raise(space)
    else if (space.freeBytes >= END_FACTOR * lowBytesOf(space)) await endAlert(this.#app, 'disk_low', subjectOf(this.#app))
  }

  async #raise(space: DiskSpace): Promise<void> {
    const subject = subjectOf(this.#app)
    const disk = subject === '' ? 'The disk of the data folder' : `The disk of the data folder of the node ${subject}`
    const free = `${disk} has only ${megabytes(space.freeBytes)} free.`
    const effect = `New documents and pictures are refused until ${megabytes(lowBytesOf(space))} are free`
    const message = `${free} ${effect}; signing works until ${megabytes(RESERVE_BYTES)} are left. Free space, or enlarge the disk.`
    await raiseAlert(this.#app, { kind: 'disk_low', subject, title: 'The disk is nearly full', message })
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

/** Ends the alerts of nodes that are gone: nobody measures their disks any more. */
export async function endAlertsOfFormerNodes(app: App): Promise<void> {
  const subjects = app.node.isAlone ? [subjectOf(app)] : await namesOfNodes(app.db)
  for (const subject of await alertSubjects(app.db, 'disk_low')) {
    if (!subjects.includes(subject)) await endAlert(app, 'disk_low', subject)
  }
}
