/** The order of names: a letter with an accent is sorted as the letter without it. */

const ACCENTS = /[\u0300-\u036f]/g
const letters = Array.from({ length: 0x180 - 0xc0 }, (_, i) => String.fromCodePoint(0xc0 + i))
const bases = letters.map((letter): [string, string] => [letter, letter.normalize('NFKD').replace(ACCENTS, '')])
const accented = bases.filter(([letter, base]) => letter !== base && /^[A-Za-z]$/.test(base))
/** They do not decompose. */
const others: [string, string][] = ['ßs', 'øo', 'Øo', 'łl', 'Łl', 'đd', 'Đd', 'æa', 'Æa', 'œo', 'Œo'].map(pair => [
  pair.charAt(0),
  pair.charAt(1),
])

/** Accented letters of Latin and, at the same positions, those they are sorted as. */
export const ACCENTED: { from: string; to: string } = {
  from: [...accented, ...others].map(([letter]) => letter).join(''),
  to: [...accented, ...others].map(([, base]) => base).join(''),
}

const BASES = new Map([...ACCENTED.from].map((letter, i) => [letter, ACCENTED.to.charAt(i)]))

/** What a name is sorted by: without case and accents of Latin letters, as both engines do it. */
export function nameKey(name: string): string {
  const plain = [...name].map(letter => BASES.get(letter) ?? letter).join('')
  return plain.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
