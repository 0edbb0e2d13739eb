/** What a person signs with: their own mark, typed, drawn or taken from a picture. Pure. */

export const MARK_NAMES = ['signature', 'initials'] as const
export type MarkName = (typeof MARK_NAMES)[number]

export const MARK_KINDS = ['typed', 'drawn', 'uploaded'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** Of an uploaded picture: one answer for the page, for who takes it and for who reads it. */
export const MAX_PICTURE_BYTES = 5_000_000
export const MAX_PICTURE_PIXELS = 42_000_000

/** A mark as it is chosen. A drawing and a picture are kept apart under their SHA-256, hex; `text` says in words what they show. */
export type PersonalMark = { kind: 'typed'; text: string } | { kind: 'drawn' | 'uploaded'; text: string; sha256: string }

/** The members of the form a mark is entered by. */
export function markMembers(name: MarkName) {
  return { text: name, kind: `${name}Kind`, ink: `${name}Ink`, picture: `${name}Picture` } as const
}

export function markKindOf(text: string | undefined): MarkKind {
  return MARK_KINDS.find(kind => kind === text) ?? 'typed'
}

/** What a person begins with: the first letter of each part of their name, as initials are written. */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s-]+/u).filter(part => /^\p{L}/u.test(part))
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(parts.map(first).join(''))]
  return letters
    .map(({ segment }) => segment)
    .slice(0, 4)
    .join('')
}

function first(part: string): string {
  return new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(part)[Symbol.iterator]().next().value?.segment ?? ''
}
