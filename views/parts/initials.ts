/** Initials and colours of people. For pages and their scripts. */
const COLOURS = 8

/** At most two letters: of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s-]+/u)
    .filter(word => /^[\p{L}\p{N}]/u.test(word))
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** The class of a person's colour; `index` is their place among the recipients. */
export function personClass(index: number): string {
  return `person-${(((index % COLOURS) + COLOURS) % COLOURS) + 1}`
}
