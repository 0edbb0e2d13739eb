/** Fields that the PDF suggests: whose they are, and which are still open. */
import type { FoundFields, Proposal } from '../../../src/core/draft/proposal.ts'
import type { PercentBox } from '../../../src/core/field/geometry.ts'
import { boxesOf, withAreas } from './boxes.ts'
import { newField } from './commands.ts'
import { type EditorField, mayHave, type Person, toPoints } from './model.ts'
import type { EditorSession } from './session.ts'

/** Proposals without an owner that belong to the same signer. */
export interface UnclearGroup {
  key: string
  /** Those who may have some of them, the sender among them. */
  people: Person[]
  name: string | undefined
  number: number | undefined
}

export interface OpenProposal {
  readonly index: number
  readonly proposal: Proposal
  /** `undefined`: to be chosen. */
  readonly person: Person | undefined
}

/** A proposal with its answer. One whose place another field has taken needs none. */
export interface AnsweredProposal extends OpenProposal {
  readonly answer: 'open' | 'used' | 'left'
  /** The field at its place. */
  readonly fieldId: string | undefined
}

/** The part of the smaller box that another one covers. */
const COVERED = 0.4

export class Proposals {
  readonly #session: EditorSession
  readonly #proposals: readonly Proposal[]
  readonly #dismissed = new Set<number>()
  /** Chosen for a type of a group: not everybody may have all of them. */
  readonly #owners = new Map<string, string>()

  constructor(session: EditorSession, found: FoundFields, dismissed: readonly number[]) {
    this.#session = session
    this.#proposals = found.proposals
    for (const index of dismissed) this.#dismissed.add(index)
  }

  get dismissed(): number[] {
    return [...this.#dismissed]
  }

  /** Those that no field covers and that were not dismissed. */
  get open(): OpenProposal[] {
    return this.all.filter(({ answer }) => answer === 'open')
  }

  /** Also those that were answered: each answer can be changed. */
  get all(): AnsweredProposal[] {
    if (this.#proposals.length === 0) return []
    const boxes = [...this.#session.state.fields.values()].flatMap(boxesOf)
    const byPage = Map.groupBy(boxes, ({ page }) => page)
    return this.#proposals.flatMap((proposal, index) => {
      if (!this.#session.state.pages[proposal.page - 1]) return []
      const over = (byPage.get(proposal.page) ?? []).filter(box => covers(box, proposal))
      const fieldId = over.find(box => box.field.type === proposal.type && isAt(box, proposal))?.field.id
      if (over.length > 0 && fieldId === undefined) return []
      const answer = fieldId !== undefined ? 'used' : this.#dismissed.has(index) ? 'left' : 'open'
      return [{ index, proposal, person: this.#ownerOf(proposal), answer, fieldId }]
    })
  }

  /** Whose signer has to be chosen. */
  get unclear(): UnclearGroup[] {
    return [...this.#withoutOwner()].map(([key, proposals]) => {
      const { partyName: name, party: number } = proposals[0]!
      const people = this.#session.people.filter(person => proposals.some(({ type }) => mayHave(person, type)))
      return { key, name, number, people }
    })
  }

  #withoutOwner(): Map<string, Proposal[]> {
    const unclear = this.open.filter(({ person }) => !person).map(({ proposal }) => proposal)
    return Map.groupBy(unclear, groupOf)
  }

  /** What the person may not have remains unclear. */
  choose(key: string, person: Person): void {
    for (const proposal of this.#withoutOwner().get(key) ?? [])
      if (mayHave(person, proposal.type)) this.#owners.set(choiceOf(proposal), person.id)
  }

  /** Where lower edges snap to: lines of the PDF that were found beside labels, pt. */
  linesOf(page: number): { y: number; from: number; to: number }[] {
    const size = this.#session.state.pages[page - 1]!
    return this.#proposals
      .filter(proposal => proposal.page === page && proposal.source === 'line')
      .map(proposal => toPoints(proposal, size))
      .map(({ x, y, width, height }) => ({ y: y + height, from: x, to: x + width }))
  }

  dismiss(indexes: readonly number[]): void {
    for (const index of indexes) this.#dismissed.add(index)
  }

  /** They are open again, unless fields are at their places. */
  restore(indexes: readonly number[]): void {
    for (const index of indexes) this.#dismissed.delete(index)
  }

  #ownerOf(proposal: Proposal): Person | undefined {
    const able = this.#session.recipients.filter(person => mayHave(person, proposal.type))
    if (able.length <= 1) return able[0]
    const chosen = this.#session.person(this.#owners.get(choiceOf(proposal)) ?? '')
    if (chosen && mayHave(chosen, proposal.type)) return chosen
    return namedPerson(able, proposal.partyName) ?? this.#numberedPerson(able, proposal)
  }

  /** A tag names its person by number; lines count only if there are as many as signers. */
  #numberedPerson(able: Person[], { party, source }: Proposal): Person | undefined {
    if (party === undefined) return undefined
    const parties = Math.max(...this.#proposals.map(other => other.party ?? 0))
    return source === 'tag' || parties === able.length ? able[party - 1] : undefined
  }

  /** The field that accepting makes; `undefined` while its person is not known. */
  fieldOf({ index, proposal, person }: OpenProposal, id: string): EditorField | undefined {
    if (!person || !mayHave(person, proposal.type)) return undefined
    const { state } = this.#session
    const { type, page, label, options = [], boxes = [], required } = proposal
    const place = { id, type, recipientId: person.id, page }
    const field = newField(state, place, toPoints(proposal, state.pages[page - 1]!))
    const found = { ...field, label, options, required: required ?? field.required }
    const made = boxes.length > 0 ? withAreas(found, boxes) : found
    return proposal.covers ? { ...made, proposal: index } : made
  }
}

function groupOf({ partyName, party }: Proposal): string {
  return `${partyName ?? ''}\n${party ?? ''}`
}

function choiceOf(proposal: Proposal): string {
  return `${groupOf(proposal)}\n${proposal.type}`
}

function namedPerson(people: readonly Person[], name: string | undefined): Person | undefined {
  const wanted = name?.normalize('NFKC').toLowerCase().trim()
  if (!wanted) return undefined
  const found = people.filter(person => person.name.normalize('NFKC').toLowerCase().includes(wanted))
  return found.length === 1 ? found[0] : undefined
}

/** Percent by which the place of a field differs from its proposal, at most. */
const SAME_PLACE = 0.01

function isAt(box: Readonly<PercentBox>, proposal: Proposal): boolean {
  return (['x', 'y', 'width', 'height'] as const).every(member => Math.abs(box[member] - proposal[member]) <= SAME_PLACE)
}

function covers(field: Readonly<PercentBox>, proposal: Proposal): boolean {
  const width = Math.min(field.x + field.width, proposal.x + proposal.width) - Math.max(field.x, proposal.x)
  const height = Math.min(field.y + field.height, proposal.y + proposal.height) - Math.max(field.y, proposal.y)
  if (width <= 0 || height <= 0) return false
  return width * height >= COVERED * Math.min(field.width * field.height, proposal.width * proposal.height)
}
