/** Chooses among what was found: form fields first, then tags, then lines. Nothing overlaps. */
import type { Proposal, ProposalSource } from '../../core/draft/proposal.ts'
import { type FieldType, hasBoxes, hasOptions, MAX_FIELD_NAME, MAX_OPTIONS } from '../../core/field/field.ts'
import { displayedSize, type PageArea, type PageBox, type PercentBox } from '../../core/field/geometry.ts'
import { cleanLine } from '../../core/text.ts'
import type { FormField } from './form-fields.ts'
import type { PlacedField } from './signature-lines.ts'
import type { TagField } from './tags.ts'

export interface PageFindings {
  box: PageBox
  form: FormField[]
  tags: TagField[]
  lines: PlacedField[]
}

/** In points of the displayed page, origin top-left. */
interface Box {
  left: number
  top: number
  width: number
  height: number
}

interface Candidate extends Box {
  type: FieldType
  label: string | undefined
  source: ProposalSource
  options?: string[] | undefined
  group?: string | undefined
  required?: boolean
  maxLength?: number | undefined
  party?: number
  partyName?: string | undefined
  isDoubtful?: true | undefined
  covers?: Box[]
  text?: string
}

const MAX_PROPOSALS = 1_000
/** A line at the same place of so many pages belongs to their layout. Initials may be on each. */
const MAX_REPEATED = 2
const SAME_PLACE = 2
/** pt. Neighbouring form fields share borders. */
const TOUCHING = 1.5
/** Of a person's line from its signature line. */
const MAX_PARTY_DISTANCE = 150

/** A proposal, or one choice of several that become one field. */
export interface FoundProposal {
  proposal: Proposal
  group: string | undefined
}

/** By page, then from top to bottom. Nothing overlaps. */
export function chooseProposals(pages: readonly PageFindings[]): FoundProposal[] {
  const repeated = repeatedLines(pages)
  return pages.flatMap((page, index) => {
    const lines = withParties(page.lines.filter(line => !repeated.has(line)))
    const chosen = withoutOverlaps([
      ...page.form.map(field => ({ ...field, source: 'form' as const })),
      ...page.tags.map(field => ({ ...field, source: 'tag' as const })),
      ...lines.map(field => ({ ...field, source: 'line' as const })),
    ])
    return chosen
      .sort((a, b) => a.top - b.top || a.left - b.left)
      .flatMap(candidate => toProposal(candidate, index + 1, page.box).map(proposal => ({ proposal, group: candidate.group })))
  })
}

/** Joins the choices of a group to one field at the place of the first. */
export function toProposals(found: readonly FoundProposal[]): Proposal[] {
  const groups = Map.groupBy(found, ({ group }) => group)
  const joined = found.flatMap(({ proposal, group }) => {
    if (group === undefined) return [proposal]
    const choices = (groups.get(group) ?? []).map(each => each.proposal)
    return choices[0] === proposal ? [joinChoices(choices)] : []
  })
  return joined.slice(0, MAX_PROPOSALS)
}

const areaOf = ({ page, x, y, width, height }: PageArea): PageArea => ({ page, x, y, width, height })

/** A single one is ticked like a box. */
function joinChoices(all: readonly Proposal[]): Proposal {
  const choices = all.slice(0, MAX_OPTIONS)
  const [{ options: _, ...first }] = choices as [Proposal]
  if (choices.length === 1) return { ...first, type: 'checkbox' }
  const options: string[] = []
  for (const [i, { options: [value = ''] = [] }] of choices.entries()) options.push(newValue(value || String(i + 1), options))
  const covers = choices.flatMap(choice => choice.covers ?? [])
  const texts = choices.flatMap(({ text }) => text ?? [])
  return {
    ...first,
    options,
    boxes: choices.map(areaOf),
    required: choices.some(({ required }) => required),
    ...(covers.length > 0 ? { covers } : {}),
    ...(texts.length > 0 ? { text: texts.join(' ') } : {}),
  }
}

/** Buttons that switch together have the same value. */
function newValue(value: string, taken: readonly string[]): string {
  let unique = value
  for (let n = 2; taken.includes(unique); n++) unique = `${value} ${n}`
  return unique
}

function repeatedLines(pages: readonly PageFindings[]): Set<PlacedField> {
  const places = new Map<string, PlacedField[]>()
  const around = (value: number) => Math.round(value / SAME_PLACE)
  for (const { lines } of pages) {
    for (const line of lines) {
      const key = [line.left, line.top + line.height, line.width].map(around).join(' ')
      places.set(key, [...(places.get(key) ?? []), line])
    }
  }
  const repeated = [...places.values()].filter(lines => lines.length > MAX_REPEATED).flat()
  return new Set(repeated.filter(({ type }) => type !== 'initials'))
}

/** Numbers the signers of a page in reading order; a date or name belongs to the nearest one. */
function withParties(lines: readonly PlacedField[]): (PlacedField & { party?: number })[] {
  const signatures = lines.filter(({ type }) => type === 'signature').sort(byReadingOrder)
  if (signatures.length < 2) return [...lines]
  return lines.map(line => {
    const nearest = signatures.toSorted((a, b) => distance(a, line) - distance(b, line))[0]!
    if (distance(nearest, line) > MAX_PARTY_DISTANCE) return line
    return { ...line, party: signatures.indexOf(nearest) + 1, partyName: line.partyName ?? nearest.partyName }
  })
}

function byReadingOrder(a: PlacedField, b: PlacedField): number {
  const [bottomA, bottomB] = [a.top + a.height, b.top + b.height]
  return Math.abs(bottomA - bottomB) < 20 ? a.left - b.left : bottomA - bottomB
}

/** Sideways counts double: the lines of a person are below each other. */
function distance(a: PlacedField, b: PlacedField): number {
  const dx = Math.max(0, a.left - b.left - b.width, b.left - a.left - a.width)
  return 2 * dx + Math.abs(a.top + a.height - b.top - b.height)
}

function withoutOverlaps(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = []
  for (const candidate of candidates) {
    const fitted = chosen.reduce<Candidate | undefined>((box, other) => box && trimmed(box, other), candidate)
    if (fitted) chosen.push(fitted)
  }
  return chosen
}

/** Slightly smaller if it only touches the other; undefined if both overlap. */
function trimmed(box: Candidate, other: Candidate): Candidate | undefined {
  const dx = Math.min(box.left + box.width, other.left + other.width) - Math.max(box.left, other.left)
  const dy = Math.min(box.top + box.height, other.top + other.height) - Math.max(box.top, other.top)
  if (dx <= 0 || dy <= 0) return box
  if (Math.min(dx, dy) > TOUCHING) return undefined
  if (dx < dy) return { ...box, left: box.left < other.left ? box.left : box.left + dx, width: box.width - dx }
  return { ...box, top: box.top < other.top ? box.top : box.top + dy, height: box.height - dy }
}

/** None for what lies outside the displayed page. */
function toProposal(candidate: Candidate, page: number, box: PageBox): Proposal[] {
  const place = toPercent(candidate, box)
  if (!place) return []
  const { type, source, party, maxLength, isDoubtful } = candidate
  const label = cleanLine((candidate.label ?? '').slice(0, MAX_FIELD_NAME))
  const partyName = cleanLine((candidate.partyName ?? '').slice(0, MAX_FIELD_NAME))
  const options = optionsOf(candidate)
  if (hasOptions(type) && !hasBoxes(type) && options.length === 0) return []
  return [
    {
      type,
      page,
      ...place,
      ...(label === '' ? {} : { label }),
      ...(options.length > 0 ? { options } : {}),
      ...(candidate.required === undefined ? {} : { required: candidate.required }),
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(party === undefined ? {} : { party }),
      ...(partyName === '' ? {} : { partyName }),
      source,
      ...(isDoubtful ? { isDoubtful } : {}),
      ...(candidate.text === undefined ? {} : { text: cleanLine(candidate.text) }),
      ...(candidate.covers ? { covers: toAreas(candidate.covers, page, box) } : {}),
    },
  ]
}

function optionsOf({ type, options = [] }: Candidate): string[] {
  return hasOptions(type) ? options.map(cleanLine).filter(option => option !== '') : []
}

function toAreas(covers: readonly Box[], page: number, box: PageBox): PageArea[] {
  return covers.flatMap(cover => {
    const place = toPercent(cover, box)
    return place ? [{ page, ...place }] : []
  })
}

/** At least this share of a box is on the page, or it is left out. */
const MIN_SHARE_ON_PAGE = 0.8

function toPercent({ left, top, width, height }: Box, box: PageBox): PercentBox | undefined {
  const shown = displayedSize(box)
  const [pageWidth, pageHeight] = [shown.width * box.userUnit, shown.height * box.userUnit]
  const [x1, x2] = [Math.max(0, left), Math.min(pageWidth, left + width)]
  const [y1, y2] = [Math.max(0, top), Math.min(pageHeight, top + height)]
  if (!(x2 > x1 && y2 > y1) || (x2 - x1) * (y2 - y1) < width * height * MIN_SHARE_ON_PAGE) return undefined
  const [x, y] = [round((x1 / pageWidth) * 100), round((y1 / pageHeight) * 100)]
  const size = { width: round(((x2 - x1) / pageWidth) * 100), height: round(((y2 - y1) / pageHeight) * 100) }
  return { x, y, width: Math.min(size.width, 100 - x), height: Math.min(size.height, 100 - y) }
}

/** Downwards, so that neighbours never overlap by a rounding error. A unit is 0.0006 pt of A4. */
const round = (percent: number): number => Math.floor(percent * 10_000) / 10_000
