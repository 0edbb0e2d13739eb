/** Text tables. */
const MAX_CELL = 60

/** Columns as wide as their widest cell, the last one free. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => Math.min(MAX_CELL, row[i]?.length ?? 0))))
  const line = (row: readonly string[]) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [head, widths.map(width => '-'.repeat(width)), ...rows].map(line).join('\n')
}
