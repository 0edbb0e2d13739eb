/** Writes the values of fields: those that a person entered, and those of the sender. */
import { figures } from '../locales/evidence.ts'
import type { EvidenceValue } from './model.ts'
import { type Deps, RECORD, SMALL_NOTE, type Value, writeRow } from './typography.ts'

/** Under a separate heading: labels chosen by the sender must not look like the record's. */
export function writeValues(values: readonly EvidenceValue[], heading: string, deps: Deps): void {
  if (values.length === 0) return
  const { flow, words } = deps
  flow.addSpace(2)
  flow.keepWithNext(() => {
    flow.addText({ text: heading, type: SMALL_NOTE })
    flow.addSpace(2)
  })
  for (const value of values) {
    const note = value.isFixed ? [{ text: words.setBySender, type: SMALL_NOTE }] : []
    const cells = [...cellsOf(value, deps), ...note]
    writeRow(deps, value.label || words.unnamedField, cells, RECORD, words.onPages(String(value.page)))
  }
}

function cellsOf(value: EvidenceValue, { words }: Deps): Value[] {
  switch (value.kind) {
    case 'check':
      return [words.ticks[value.value ? 'ticked' : 'not ticked']]
    case 'text':
      return [value.value === '' ? { text: words.emptyField, type: SMALL_NOTE } : value.value]
    case 'file':
      return [
        value.fileName,
        { text: `${words.originalSize(figures(value.bytes, words.locale))}, ${value.mediaType}`, type: SMALL_NOTE },
        `SHA-256 ${value.sha256}`,
      ]
  }
}
