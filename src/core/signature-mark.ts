/** Marks: the signature and initials of a person, typed, drawn or uploaded as a picture. Pure. */

export const MARK_NAMES = ['signature', 'initials'] as const
export type MarkName = (typeof MARK_NAMES)[number]

export const MARK_KINDS = ['typed', 'drawn', 'uploaded'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** Limits of an uploaded picture, for the page, the upload and the decoder alike. */
export const MAX_PICTURE_BYTES = 5_000_000
export const MAX_PICTURE_PIXELS = 42_000_000

/** `sha256`: of the drawing or picture, stored separately; `text` describes it. */
export type PersonalMark = { kind: 'typed'; text: string } | { kind: 'drawn' | 'uploaded'; text: string; sha256: string }

/** The names of the form fields for a mark. */
export function markMembers(name: MarkName) {
  return { text: name, kind: `${name}Kind`, ink: `${name}Ink`, picture: `${name}Picture` } as const
}

export function markKindOf(text: string | undefined): MarkKind {
  return MARK_KINDS.find(kind => kind === text) ?? 'typed'
}

/** The first letter of each part of the name, at most four. */
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
