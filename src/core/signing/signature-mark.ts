/** Marks: the signature and initials of a person, typed, drawn or uploaded as a picture. Pure. */

export const MARK_NAMES = ['signature', 'initials'] as const
export type MarkName = (typeof MARK_NAMES)[number]

export const MARK_KINDS = ['typed', 'drawn', 'uploaded'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/**
 * The handwritings of typed marks. A stored mark has the number of its own, so a font never changes
 * its number. A mark without one, of an earlier release, has the first.
 */
export const HANDS = [1, 2, 3] as const
export type Hand = (typeof HANDS)[number]

/** A typed signature on the page: the shape of a usual field, in tenths of a point. */
export const HAND_AREA = { width: 2400, height: 480 } as const

/** Limits of an uploaded picture, for the page, the upload and the decoder alike. */
export const MAX_PICTURE_BYTES = 5_000_000
/** Of a photo that the browser makes smaller. */
export const MAX_PHOTO_BYTES = 50_000_000
export const MAX_PICTURE_PIXELS = 42_000_000

/** `sha256`: of the drawing or picture, stored separately; `text` describes it. */
export type PersonalMark =
  | { kind: 'typed'; text: string; hand?: Hand }
  | { kind: 'drawn' | 'uploaded'; text: string; sha256: string }

/** The names of the form fields for a mark. */
export function markMembers(name: MarkName) {
  return { text: name, kind: `${name}Kind`, hand: `${name}Hand`, ink: `${name}Ink`, picture: `${name}Picture` } as const
}

export function markKindOf(text: string | undefined): MarkKind {
  return MARK_KINDS.find(kind => kind === text) ?? 'typed'
}

export function handOf(text: string | undefined): Hand {
  return HANDS.find(hand => String(hand) === text) ?? 1
}
