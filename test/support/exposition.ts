/** Finds what `promtool check metrics` would report about a text in Prometheus' format 0.0.4. */

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const ABBREVIATED = /_(s|ms|us|ns|sec|secs|milliseconds|kb|mb|gb|bytes_kb|b)(_total)?$/

interface Found {
  type: string
  samples: { name: string; labels: string; value: number }[]
}

export function expositionErrors(text: string): string[] {
  const errors: string[] = []
  const families = new Map<string, Found>()
  const helped = new Set<string>()
  if (!text.endsWith('\n')) errors.push('the last line has no end')
  for (const line of text.trimEnd().split('\n')) {
    const [, help] = /^# HELP ([a-z0-9_]+) \S/.exec(line) ?? []
    const [, typed, type = ''] = /^# TYPE ([a-z0-9_]+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (help) helped.add(help)
    else if (typed) {
      if (families.has(typed)) errors.push(`${typed} has two TYPE lines`)
      families.set(typed, { type, samples: [] })
    } else errors.push(...addSample(line, families))
  }
  for (const [name, family] of families) {
    if (!helped.has(name)) errors.push(`${name} has no HELP`)
    errors.push(...nameErrors(name, family.type), ...sampleErrors(name, family))
  }
  return errors
}

function addSample(line: string, families: Map<string, Found>): string[] {
  const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? []
  if (value === undefined) return [`not a sample: ${line}`]
  const base = name.replace(/_(bucket|sum|count)$/, '')
  const family = families.get(name) ?? (families.get(base)?.type === 'histogram' ? families.get(base) : undefined)
  if (!family) return [`${name} has no TYPE`]
  const isRepeated = family.samples.some(sample => sample.name === name && sample.labels === labels)
  family.samples.push({ name, labels, value: Number(value) })
  return isRepeated ? [`${name}{${labels}} occurs twice`] : []
}

function nameErrors(name: string, type: string): string[] {
  const errors: string[] = []
  if ((type === 'counter') !== name.endsWith('_total')) errors.push(`${name}: counters, and only they, end in _total`)
  if (ABBREVIATED.test(name)) errors.push(`${name}: not a base unit`)
  if (/(counter|gauge|histogram)/.test(name)) errors.push(`${name} names its type`)
  if (/_(count|sum|bucket)$/.test(name)) errors.push(`${name} ends as a sample of a histogram`)
  return errors
}

function sampleErrors(name: string, { type, samples }: Found): string[] {
  if (samples.length === 0) return [`${name} has no sample`]
  if (type !== 'histogram') return []
  const groups = Map.groupBy(samples, ({ labels }) => labels.replace(/,?le="[^"]*"/, ''))
  return [...groups].flatMap(([labels, group]) => {
    const buckets = group.filter(sample => sample.name === `${name}_bucket`).map(({ value }) => value)
    const total = group.find(sample => sample.name === `${name}_count`)?.value
    const isRising = buckets.every((value, i) => value >= (buckets[i - 1] ?? 0))
    return isRising && buckets.at(-1) === total ? [] : [`${name}{${labels}}: the buckets do not add up`]
  })
}
