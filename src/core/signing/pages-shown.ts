/** Pages that a signing page has displayed, as text: `1-3,5` or `none`. Pure, for browsers too. */

const NONE = 'none'

/** Ascending. Undefined if the text is no list of pages of a document with so many. */
export function readPages(text: string, pageCount: number): number[] | undefined {
  if (text === NONE) return []
  if (!/^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/.test(text)) return undefined
  const pages: number[] = []
  for (const range of text.split(',')) {
    const [from = 0, to = from] = range.split('-').map(Number)
    if (from <= (pages.at(-1) ?? 0) || to < from || to > pageCount) return undefined
    for (let page = from; page <= to; page++) pages.push(page)
  }
  return pages
}

/** `dash`: between the first and the last page of a range. */
export function writePages(pages: Iterable<number>, dash = '-', comma = ','): string {
  const ranges: { from: number; to: number }[] = []
  for (const page of [...new Set(pages)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && page === last.to + 1) last.to = page
    else ranges.push({ from: page, to: page })
  }
  if (ranges.length === 0) return NONE
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}${dash}${to}`)).join(comma)
}
