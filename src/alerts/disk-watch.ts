/**
 * Watches the space left where the data folder lies. Below a first bound uploads are refused and the administrators told, below a second one every
 * change; what frees space, and what is kept already, goes on.
 */
import { diskRefusal, Refusal } from '../core/refusal.ts'
import { type DiskLevel, type DiskSpace, diskLevelOf, lowBytesOf, RESERVE_BYTES } from '../lib/disk.ts'
import type { App, DiskWatch } from '../ports.ts'
import { endAlert, raiseAlert } from './alerts.ts'

/** Above the bound by so much the alert ends: at the bound it would come and go. */
const ENDS_AT = 1.1
const RETRY_AFTER_S = 60

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`

export class DiskSpaceWatch implements DiskWatch {
  readonly #app: App
  readonly #measure: () => Promise<DiskSpace>

  constructor(app: App, measure: () => Promise<DiskSpace>) {
    this.#app = app
    this.#measure = measure
  }

  async look(): Promise<{ level: DiskLevel; space: DiskSpace }> {
    const space = await this.#measure()
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

  async watch(): Promise<void> {
    const { level, space } = await this.look()
    if (level !== 'ok') await this.#raise(space)
    else if (space.freeBytes >= ENDS_AT * lowBytesOf(space)) await endAlert(this.#app, 'disk_low')
  }

  async #raise(space: DiskSpace): Promise<void> {
    const free = `The disk of the data folder has only ${megabytes(space.freeBytes)} free.`
    const effect = `New documents and pictures are refused until ${megabytes(lowBytesOf(space))} are free`
    const message = `${free} ${effect}; signing goes on until ${megabytes(RESERVE_BYTES)} are left. Free space, or enlarge the disk.`
    await raiseAlert(this.#app, { kind: 'disk_low', title: 'The disk is nearly full', message })
  }

  /** A disk that cannot be asked is not written to. */
  async #level(): Promise<DiskLevel> {
    try {
      return (await this.look()).level
    } catch (error) {
      this.#app.log('error', 'free space not known', { error: String(error) })
      throw diskRefusal()
    }
  }
}
