/** Where "Next field" leads: each place of each entry, in reading order, and then the consent. */
import { inReadingOrder, type PageArea } from '../../../src/core/field/geometry.ts'
import type { BoxData } from './data.ts'
import { type Entry, shownOf } from './entries.ts'

/** An entry at one of its places. A mark and a choice may have several. */
export interface Stop {
  entry: Entry
  /** The boxes of a choice on one page, else one box. None: the entry is not in the document. */
  boxes: readonly BoxData[]
}

/** The stops of shown entries, the consent (last of `entries`) at the end. */
export function stopsOf(entries: readonly Entry[], direction: 'ltr' | 'rtl'): Stop[] {
  const all = shownOf(entries).flatMap(entry => placesOf(entry, direction))
  const isPlaced = ({ boxes }: Stop) => boxes.length > 0
  const firstOf = ({ boxes: [first] }: Stop) => first as BoxData
  return [...inReadingOrder(all.filter(isPlaced), firstOf, direction), ...all.filter(stop => !isPlaced(stop))]
}

function placesOf(entry: Entry, direction: 'ltr' | 'rtl'): Stop[] {
  if (entry.boxes.length === 0) return [{ entry, boxes: [] }]
  const boxes = inReadingOrder(entry.boxes, box => box, direction)
  const places = new Map<BoxData | number, BoxData[]>()
  for (const box of boxes) {
    // The boxes of a choice on one page are one question.
    const place = box.option === undefined ? box : box.page
    places.set(place, [...(places.get(place) ?? []), box])
  }
  return Array.from(places.values(), boxes => ({ entry, boxes }))
}

/** Stops are made anew when conditions change; their boxes are not. */
const isSameStop = (a: Stop, b: Stop): boolean => a.entry === b.entry && a.boxes[0] === b.boxes[0]

/** The area that is shown, if the stop is in the document. */
export function areaOf({ boxes }: Stop): PageArea | undefined {
  const [first] = boxes
  if (!first) return undefined
  const x = Math.min(...boxes.map(box => box.x))
  const y = Math.min(...boxes.map(box => box.y))
  const width = Math.max(...boxes.map(box => box.x + box.width)) - x
  const height = Math.max(...boxes.map(box => box.y + box.height)) - y
  return { page: first.page, x, y, width, height }
}

/** How far the person has come. Stops that were left by "Next field" are passed. */
export class Round {
  #passed: Stop[] = []

  /** Leaves the stop behind, filled in or not. */
  pass(stop: Stop): void {
    if (!this.#isPassed(stop)) this.#passed.push(stop)
  }

  /** Leads to the stops of these entries again. */
  reopen(entries: readonly Entry[]): void {
    this.#passed = this.#passed.filter(({ entry }) => !entries.includes(entry))
  }

  /**
   * The next stop that is not passed and not filled in, or that is one of several places of its
   * entry: each is seen. Begins behind `current` and goes round once; the consent is left to the
   * caller.
   */
  next(stops: readonly Stop[], current: Stop | undefined): Stop | undefined {
    const fields = stops.slice(0, -1)
    const start = current ? fields.findIndex(stop => isSameStop(stop, current)) + 1 : 0
    const around = [...fields.slice(start), ...fields.slice(0, start)]
    return around.find(stop => !(current && isSameStop(stop, current)) && !this.#isPassed(stop) && isOpen(stop, fields))
  }

  #isPassed(stop: Stop): boolean {
    return this.#passed.some(each => isSameStop(each, stop))
  }
}

function isOpen({ entry }: Stop, stops: readonly Stop[]): boolean {
  return entry.error() !== undefined || !entry.isFilled() || stops.filter(each => each.entry === entry).length > 1
}

/** The fields of an entry: all places of a mark, or one. */
const fieldCount = ({ boxes }: Entry) => Math.max(1, boxes.filter(({ option }) => option === undefined).length)

/** Required fields, without the consent (last of `entries`). */
export function progressOf(entries: readonly Entry[]): { done: number; all: number } {
  const required = shownOf(entries.slice(0, -1)).filter(({ isRequired }) => isRequired)
  const sum = (counted: Entry[]) => counted.reduce((total, entry) => total + fieldCount(entry), 0)
  return { done: sum(required.filter(entry => entry.isFilled())), all: sum(required) }
}
