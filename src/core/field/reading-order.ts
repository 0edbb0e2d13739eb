/** The order in which people read what is placed on pages. Bundled for the browser too. Pure. */
import type { PageArea } from './geometry.ts'

type Area = Readonly<PageArea>

/**
 * Page by page, from top to bottom. What is on one line follows the direction of the text: areas
 * placed by hand are never at exactly the same height.
 */
export function inReadingOrder<Placed>(
  all: Iterable<Placed>,
  areaOf: (placed: Placed) => Area,
  direction: 'ltr' | 'rtl' = 'ltr',
): Placed[] {
  const sorted = Array.from(all, placed => ({ placed, area: areaOf(placed) })).sort(
    ({ area: a }, { area: b }) => a.page - b.page || middle(a) - middle(b),
  )
  const lines: (typeof sorted)[] = []
  for (const each of sorted) {
    const first = lines.at(-1)?.[0]
    if (first && isOnLineOf(first.area, each.area)) lines.at(-1)?.push(each)
    else lines.push([each])
  }
  const start = ({ x, width }: Area) => (direction === 'rtl' ? -(x + width) : x)
  return lines.flatMap(line => line.sort((a, b) => start(a.area) - start(b.area)).map(({ placed }) => placed))
}

const middle = ({ y, height }: Area) => y + height / 2

/** Its middle is within the height of the first of the line. */
const isOnLineOf = (first: Area, area: Area) => first.page === area.page && middle(area) <= first.y + first.height
