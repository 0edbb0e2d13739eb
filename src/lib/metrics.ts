/** Counters, gauges and histograms of this process, in the text format 0.0.4 of Prometheus. */

interface Instrument {
  /** The lines of the instrument. `labels` is empty or `name="value",…`. */
  lines(name: string, labels: string): string[]
}

const braced = (labels: string) => (labels === '' ? '' : `{${labels}}`)

/** Also a gauge: what runs now is counted up and down. */
export class Counter implements Instrument {
  #value = 0

  add(by = 1): void {
    this.#value += by
  }

  lines(name: string, labels: string): string[] {
    return [`${name}${braced(labels)} ${this.#value}`]
  }
}

/** In seconds. A request from a cache takes less than the first, a seal less than the last. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Durations in seconds. */
class Histogram implements Instrument {
  /** One more than the buckets: what exceeds all of them. */
  readonly #counts = new Array<number>(BUCKETS.length + 1).fill(0)
  #sum = 0

  observe(seconds: number): void {
    let at = 0
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += seconds
  }

  lines(name: string, labels: string): string[] {
    let count = 0
    const buckets = this.#counts.map((own, at) => {
      count += own
      const le = `le="${BUCKETS[at] ?? '+Inf'}"`
      return `${name}_bucket{${labels === '' ? le : `${labels},${le}`}} ${count}`
    })
    return [...buckets, `${name}_sum${braced(labels)} ${this.#sum}`, `${name}_count${braced(labels)} ${count}`]
  }
}

interface Description {
  name: string
  help: string
  /** Their values must be few: each combination is kept for ever. */
  labels?: readonly string[]
}

/** All instruments of one name, one for each combination of label values. */
class Family<T extends Instrument> {
  readonly #type: string
  readonly #description: Description
  readonly #make: () => T
  readonly #byValues = new Map<string, { labels: string; instrument: T }>()

  constructor(type: string, description: Description, make: () => T) {
    this.#type = type
    this.#description = description
    this.#make = make
    if (!description.labels) this.of()
  }

  of(...values: (string | number)[]): T {
    let key = ''
    for (const value of values) key += `${value}\n`
    const known = this.#byValues.get(key)
    if (known) return known.instrument
    const names = this.#description.labels ?? []
    const labels = names.map((name, i) => `${name}="${escaped(String(values[i]))}"`).join(',')
    const instrument = this.#make()
    this.#byValues.set(key, { labels, instrument })
    return instrument
  }

  text(): string {
    const { name, help } = this.#description
    const lines = [...this.#byValues.values()].flatMap(({ labels, instrument }) => instrument.lines(name, labels))
    if (lines.length === 0) return ''
    return `# HELP ${name} ${help}\n# TYPE ${name} ${this.#type}\n${lines.join('\n')}\n`
  }
}

const escaped = (value: string) => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

export const counter = (description: Description) => new Family('counter', description, () => new Counter())
export const histogram = (description: Description) => new Family('histogram', description, () => new Histogram())
/** For what is counted up and down. */
export const gauge = (description: Description) => new Family('gauge', description, () => new Counter())

/** The text of a gauge that is read now. Without values it is left out: nothing is known. */
export function gaugeText(description: Description, values: (readonly [...labels: string[], value: number])[]): string {
  const family = gauge({ labels: [], ...description })
  for (const row of values) family.of(...row.slice(0, -1)).add(Number(row.at(-1)))
  return family.text()
}

/** The text of a counter that the system keeps. */
export function counterText(description: Description, value: number): string {
  const family = counter(description)
  family.of().add(value)
  return family.text()
}
