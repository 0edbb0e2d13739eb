/** A PDF with a page for each rotation, crop box and user unit, and boxes to place fields in. */
import { displayedSize, type PageBox, type PercentBox, type Rotation } from '../../src/core/field/geometry.ts'
import { makePdf, type PageParts } from './make-pdf.ts'
import { boxOfPixels, type Picture } from './page-picture.ts'

export interface GeometryPage {
  /** As PDF readers show it. */
  box: PageBox
  name: string
}

const ROTATIONS: Rotation[] = [0, 90, 180, 270]
const USER_UNITS = [1, 2.5]
type Corners = readonly [left: number, bottom: number, right: number, top: number]
const MEDIA: { name: string; media: Corners; crop: Corners | undefined }[] = [
  { name: 'without crop box', media: [0, 0, 420, 300], crop: undefined },
  { name: 'cropped', media: [0, 0, 595, 842], crop: [60, 40, 400, 700] },
  { name: 'with a negative origin', media: [-300, -200, 300, 200], crop: [-120, -90, 250, 160] },
  { name: 'with a crop box beyond the media box', media: [10, 20, 510, 420], crop: [-50, 100, 400, 300] },
]

const boxOf = ([left, bottom, right, top]: Corners, rotation: Rotation, userUnit: number): PageBox => ({
  left,
  bottom,
  width: right - left,
  height: top - bottom,
  rotation,
  userUnit,
})

/** §14.11.2.2: what is outside the media box is not shown. */
function clipped(media: Corners, crop: Corners | undefined): Corners {
  if (!crop) return media
  return [Math.max(media[0], crop[0]), Math.max(media[1], crop[1]), Math.min(media[2], crop[2]), Math.min(media[3], crop[3])]
}

export const GEOMETRY_PAGES: readonly GeometryPage[] = MEDIA.flatMap(({ name, media, crop }) =>
  ROTATIONS.flatMap(rotation =>
    USER_UNITS.map(userUnit => ({
      name: `${name}, rotated by ${rotation}, user unit ${userUnit}`,
      box: boxOf(clipped(media, crop), rotation, userUnit),
    })),
  ),
)

/** Blank pages in the order of `GEOMETRY_PAGES`, all of different sizes and origins, or some. */
export function geometryPdf(chosen: readonly GeometryPage[] = GEOMETRY_PAGES): Uint8Array {
  const pages = MEDIA.flatMap(({ media, crop }) =>
    ROTATIONS.flatMap(rotate =>
      USER_UNITS.map((userUnit): PageParts => ({ media, rotate, userUnit, ...(crop ? { crop } : {}) })),
    ),
  )
  return makePdf({ pages: pages.filter((_, i) => GEOMETRY_PAGES.some((page, j) => i === j && chosen.includes(page))) })
}

/** Boxes on every page, none near another, with sides that no grid has. */
export const GEOMETRY_BOXES: readonly PercentBox[] = [
  { x: 3.21, y: 2.34, width: 11.7, height: 6.43 },
  { x: 81.9, y: 88.76, width: 14.3, height: 9.87 },
]

/** The ink of a ticked checkbox in percent of the page: a square in the middle of its box. */
export function checkInk(
  { x, y, width, height }: PercentBox,
  { width: pageWidth, height: pageHeight }: { width: number; height: number },
) {
  const side = Math.min((width * pageWidth) / 100, (height * pageHeight) / 100)
  const [across, down] = [(100 * side) / pageWidth, (100 * side) / pageHeight]
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  // The points of the tick, and half its stroke with round ends.
  const [left, right, above, below] = [0.5 - 0.18 + 0.055, 0.82 - 0.5 + 0.055, 0.77 - 0.5 + 0.055, 0.5 - 0.25 + 0.055]
  return {
    x: middleX - left * across,
    y: middleY - above * down,
    width: (left + right) * across,
    height: (above + below) * down,
  }
}

/** The dot of a chosen radio box in percent of the page: 56 % of its shorter side. */
export function dotInk(
  { x, y, width, height }: PercentBox,
  { width: pageWidth, height: pageHeight }: { width: number; height: number },
): PercentBox {
  const diameter = 0.56 * Math.min((width * pageWidth) / 100, (height * pageHeight) / 100)
  const [across, down] = [(100 * diameter) / pageWidth, (100 * diameter) / pageHeight]
  return { x: x + (width - across) / 2, y: y + (height - down) / 2, width: across, height: down }
}

/** All ink of the half of the page in which the box is, so that ink outside the box is seen too. */
export function inkBeside(picture: Picture, { y }: PercentBox): PercentBox | undefined {
  const half = Math.floor(picture.height / 2)
  const from = y < 50 ? 0 : half
  const height = (y < 50 ? half : picture.height) - from
  const pixels = picture.pixels.subarray(3 * picture.width * from, 3 * picture.width * (from + height))
  const found = boxOfPixels({ width: picture.width, height, pixels }, red => red < 200)
  if (!found) return undefined
  const share = height / picture.height
  return { ...found, y: found.y * share + (100 * from) / picture.height, height: found.height * share }
}

/** How far the four edges of two boxes are apart, in points on paper. */
export function edgeDifferences(a: PercentBox, b: PercentBox, page: PageBox): number[] {
  const shown = displayedSize(page)
  const across = (percent: number) => (percent / 100) * shown.width * page.userUnit
  const down = (percent: number) => (percent / 100) * shown.height * page.userUnit
  return [across(a.x - b.x), down(a.y - b.y), across(a.x + a.width - b.x - b.width), down(a.y + a.height - b.y - b.height)]
}
