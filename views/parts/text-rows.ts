/** How many lines the entry of a text has. */
import type { Field } from '../../src/core/field/field.ts'

/** A text field at least this high, in percent of the page, may get several lines. */
const MIN_HIGH_PERCENT = 6

/** Undefined: one line. An input of one line would join the lines of its value. */
export function entryRows({ type, height }: Pick<Field, 'type' | 'height'>, value: string): number | undefined {
  if (type === 'paragraph') return 5
  return type === 'text' && (height >= MIN_HIGH_PERCENT || value.includes('\n')) ? 3 : undefined
}
