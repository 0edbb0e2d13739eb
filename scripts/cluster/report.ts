/** The table of a run: what was tried and seen, its figure, and whether that may be. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'

const SYNCS = 20

/** Median of small synced writes. */
function syncMs(folder: string): number {
  const file = openSync(join(folder, 'sync'), 'w')
  const times: number[] = []
  for (let i = 0; i < SYNCS; i++) {
    const startedMs = performance.now()
    writeSync(file, 'x')
    fsyncSync(file)
    times.push(performance.now() - startedMs)
  }
  closeSync(file)
  return times.sort((a, b) => a - b)[SYNCS / 2] ?? Number.NaN
}

export interface ReportRow {
  trial: string
  seen: string
  figure: string
  isKept: boolean
}

export class Report {
  readonly #rows: ReportRow[] = []
  #trial = ''

  /** Times mean little without what the machine had to give. */
  begin(trial: string, folder: string): void {
    this.#trial = trial
    console.log(`\n# ${trial}`)
    this.figure(
      'the machine at its begin',
      `load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores, a sync takes ${syncMs(folder).toFixed(1)} ms`,
    )
  }

  /** A promise with its figure. */
  promise(seen: string, isKept: boolean, figure: string | number): void {
    this.#rows.push({ trial: this.#trial, seen, figure: String(figure), isKept })
    console.log(`${isKept ? 'kept  ' : 'BROKEN'}  ${seen}: ${figure}`)
  }

  /** A figure that promises nothing. */
  figure(seen: string, figure: string | number): void {
    this.promise(seen, true, figure)
  }

  failed(error: unknown): void {
    this.promise('the trial ran to its end', false, error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  get broken(): ReportRow[] {
    return this.#rows.filter(({ isKept }) => !isKept)
  }

  print(): void {
    console.log('\n| trial | what was seen | figure |\n|---|---|---|')
    for (const { trial, seen, figure, isKept } of this.#rows) {
      const text = figure.split('\n')[0]?.replaceAll('|', '/')
      console.log(`| ${trial} | ${isKept ? '' : '**BROKEN** '}${seen} | ${text} |`)
    }
    const count = this.broken.length
    console.log(`\n${count === 0 ? 'passed' : 'failed'}: ${this.#rows.length} lines, ${count} broken`)
  }
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
