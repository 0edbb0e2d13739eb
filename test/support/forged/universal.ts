/**
 * Universal signature forgery: entries of the signature are missing or invalid, the text is
 * changed. Mladenov et al., "1 Trillion Dollar Refund", CCS 2019.
 */
import { type Kit, overwrite, refused, swap, update } from './document.ts'

const RANGE = /\/ByteRange \[[^\]]*\]/
const CONTENTS = /\/Contents <[0-9a-f]{500,}>/
const FOUR = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)/

/** A signed file with a different amount of the same length. */
const repaid = (kit: Kit): Buffer => overwrite(kit.sign(), 'Pay 100 EUR', 'Pay 999 EUR')

const withRange = (text: string) => (kit: Kit) => overwrite(repaid(kit), RANGE, text)
const withContents = (text: string) => (kit: Kit) => overwrite(repaid(kit), CONTENTS, text)

/** The file with numbers made from those of its /ByteRange. */
function ranged(bytes: Buffer, numbers: (range: [number, number, number, number]) => (number | string)[]): Buffer {
  const [, a, b, c, d] = FOUR.exec(bytes.toString('latin1')) ?? []
  return overwrite(bytes, RANGE, `/ByteRange [${numbers([Number(a), Number(b), Number(c), Number(d)]).join(' ')}]`)
}

export const UNIVERSAL = refused('universal signature forgery', {
  '/Contents missing': withContents('/Kontents null'),
  '/Contents null': withContents('/Contents null'),
  '/Contents empty': withContents('/Contents <>'),
  '/Contents one zero byte': withContents('/Contents <00>'),
  '/Contents all zeros': kit => overwrite(repaid(kit), CONTENTS, `/Contents <${'0'.repeat(5000)}>`),
  '/Contents an empty SEQUENCE': kit => overwrite(repaid(kit), CONTENTS, `/Contents <3000${'0'.repeat(4996)}>`),
  '/Contents not hexadecimal': kit => swap(kit.sign(), /\/Contents <30/, '/Contents <zz'),
  '/Contents with blanks among its digits': kit => swap(repaid(kit), /0{40}>/, `${' '.repeat(40)}>`),
  '/Contents a literal string': withContents('/Contents (garbage)'),
  '/Contents a reference': withContents('/Contents 11 0 R'),
  '/ByteRange missing': withRange('/ByteRanke null'),
  '/ByteRange null': withRange('/ByteRange null'),
  '/ByteRange empty': withRange('/ByteRange []'),
  '/ByteRange of zeros': withRange('/ByteRange [0 0 0 0]'),
  '/ByteRange of negative numbers': withRange('/ByteRange [-1 -1 -1 -1]'),
  '/ByteRange of names': withRange('/ByteRange [/a /b /c /d]'),
  '/ByteRange of huge numbers': withRange('/ByteRange [0 99999999999 1 99999999999]'),
  '/ByteRange with one pair': kit => ranged(repaid(kit), ([a, b]) => [a, b]),
  '/ByteRange overlaps': kit => ranged(repaid(kit), ([a, b, c, d]) => [a, b, b - 100, c - b + d + 100]),
  '/ByteRange that leaves out nothing': kit => ranged(repaid(kit), ([a, b, c, d]) => [a, b, b, c - b + d]),
  '/ByteRange ends too early': kit => ranged(repaid(kit), ([a, b, c]) => [a, b, c, 10]),
  '/ByteRange begins too late': kit => ranged(repaid(kit), ([, b, c, d]) => [9, b - 9, c, d]),
  '/ByteRange of real numbers': kit => ranged(repaid(kit), ([, b, c, d]) => ['0', `${b}.`, c, d]),
  '/ByteRange twice, the second one empty': kit => kit.sign(undefined, { more: '/ByteRange [0 0 0 0]' }),
  '/Contents twice': kit => kit.sign(undefined, { more: '/Contents <00>' }),
  '/SubFilter unknown': { verdict: 'not-checked', make: kit => kit.sign(undefined, { subFilter: 'Trust.Me' }) },
  '/Type of a time-stamp over a signature': { verdict: 'not-signed', make: kit => kit.sign(undefined, { kind: 'DocTimeStamp' }) },
  'value of the field missing': kit => swap(repaid(kit), '/V 15 0 R', '/V 59 0 R'),
  'value of the field null': kit => update(kit.sign(), { 14: '<< /FT /Sig /T (Signature14) /V null >>' }),
  'field taken out of the form': kit => update(kit.sign(), { 1: '<< /Type /Catalog /Pages 2 0 R >>', 4: 'null' }),
})
