/** Recovery codes: random bits in letters and digits that are not mistaken for one another. */
import type { Random } from './machine.ts'

/** Crockford's Base32: without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/**
 * 120 bits: nobody tries all of them, even with the table of hashes and the key. NIST SP 800-63B
 */
const LENGTH = 24
/** Of codes that were issued before. */
const FORMER_LENGTH = 12

export function newRecoveryCode(random: Random): string {
  const characters = [...random(LENGTH)].map(byte => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** As it was issued, however it was typed; `undefined` if it cannot be a code. */
export function parseRecoveryCode(entered: string): string | undefined {
  const typed = entered.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const isCode =
    (typed.length === LENGTH || typed.length === FORMER_LENGTH) && [...typed].every(character => ALPHABET.includes(character))
  return isCode ? typed.replace(/.{4}(?=.)/g, '$&-') : undefined
}
