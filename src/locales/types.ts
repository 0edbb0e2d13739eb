/** What a language must be able to say on a recipient's pages. A language that misses one of these does not compile. */
import type { signerEn } from './en/signer.ts'

export type SignerWords = typeof signerEn
/** The part that goes to the browser. */
export type ClientWords = SignerWords['client']
