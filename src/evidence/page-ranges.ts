/** Formats page numbers with ranges. */

/** `1–3, 5`. `pages`: ascending. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: { from: number; to: number }[] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last && page === last.to + 1) last.to = page
    else ranges.push({ from: page, to: page })
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}
