/** The table of a run: what was tried and seen, its figure, and whether that may be. */

export interface ReportRow {
  trial: string
  seen: string
  figure: string
  isKept: boolean
}

export class Report {
  readonly #rows: ReportRow[] = []
  #trial = ''

  begin(trial: string): void {
    this.#trial = trial
    console.log(`\n# ${trial}`)
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
