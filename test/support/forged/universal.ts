/**
 * Universal signature forgery: entries of the signature are missing or invalid, the text is
 * changed. Mladenov et al., "1 Trillion Dollar Refund", CCS 2019.
 */
import { type Kit, of, overwrite, swap, update } from './document.ts'

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

export const UNIVERSAL = of('universal signature forgery', [
  { name: '/Contents missing', verdict: 'not-valid', make: withContents('/Kontents null') },
  { name: '/Contents null', verdict: 'not-valid', make: withContents('/Contents null') },
  { name: '/Contents empty', verdict: 'not-valid', make: withContents('/Contents <>') },
  { name: '/Contents one zero byte', verdict: 'not-valid', make: withContents('/Contents <00>') },
  {
    name: '/Contents all zeros',
    verdict: 'not-valid',
    make: kit => overwrite(repaid(kit), CONTENTS, `/Contents <${'0'.repeat(5000)}>`),
  },
  {
    name: '/Contents an empty SEQUENCE',
    verdict: 'not-valid',
    make: kit => overwrite(repaid(kit), CONTENTS, `/Contents <3000${'0'.repeat(4996)}>`),
  },
  { name: '/Contents not hexadecimal', verdict: 'not-valid', make: kit => swap(kit.sign(), /\/Contents <30/, '/Contents <zz') },
  {
    name: '/Contents with blanks among its digits',
    verdict: 'not-valid',
    make: kit => swap(repaid(kit), /0{40}>/, `${' '.repeat(40)}>`),
  },
  { name: '/Contents a literal string', verdict: 'not-valid', make: withContents('/Contents (garbage)') },
  { name: '/Contents a reference', verdict: 'not-valid', make: withContents('/Contents 11 0 R') },
  { name: '/ByteRange missing', verdict: 'not-valid', make: withRange('/ByteRanke null') },
  { name: '/ByteRange null', verdict: 'not-valid', make: withRange('/ByteRange null') },
  { name: '/ByteRange empty', verdict: 'not-valid', make: withRange('/ByteRange []') },
  { name: '/ByteRange of zeros', verdict: 'not-valid', make: withRange('/ByteRange [0 0 0 0]') },
  { name: '/ByteRange of negative numbers', verdict: 'not-valid', make: withRange('/ByteRange [-1 -1 -1 -1]') },
  { name: '/ByteRange of names', verdict: 'not-valid', make: withRange('/ByteRange [/a /b /c /d]') },
  { name: '/ByteRange of huge numbers', verdict: 'not-valid', make: withRange('/ByteRange [0 99999999999 1 99999999999]') },
  { name: '/ByteRange with one pair', verdict: 'not-valid', make: kit => ranged(repaid(kit), ([a, b]) => [a, b]) },
  {
    name: '/ByteRange overlaps',
    verdict: 'not-valid',
    make: kit => ranged(repaid(kit), ([a, b, c, d]) => [a, b, b - 100, c - b + d + 100]),
  },
  {
    name: '/ByteRange that leaves out nothing',
    verdict: 'not-valid',
    make: kit => ranged(repaid(kit), ([a, b, c, d]) => [a, b, b, c - b + d]),
  },
  { name: '/ByteRange ends too early', verdict: 'not-valid', make: kit => ranged(repaid(kit), ([a, b, c]) => [a, b, c, 10]) },
  {
    name: '/ByteRange begins too late',
    verdict: 'not-valid',
    make: kit => ranged(repaid(kit), ([, b, c, d]) => [9, b - 9, c, d]),
  },
  {
    name: '/ByteRange of real numbers',
    verdict: 'not-valid',
    make: kit => ranged(repaid(kit), ([, b, c, d]) => ['0', `${b}.`, c, d]),
  },
  {
    name: '/ByteRange twice, the second one empty',
    verdict: 'not-valid',
    make: kit => kit.sign(undefined, { more: '/ByteRange [0 0 0 0]' }),
  },
  { name: '/Contents twice', verdict: 'not-valid', make: kit => kit.sign(undefined, { more: '/Contents <00>' }) },
  { name: '/SubFilter unknown', verdict: 'not-checked', make: kit => kit.sign(undefined, { subFilter: 'Trust.Me' }) },
  {
    name: '/Type of a time-stamp over a signature',
    verdict: 'not-signed',
    make: kit => kit.sign(undefined, { kind: 'DocTimeStamp' }),
  },
  { name: 'value of the field missing', verdict: 'not-valid', make: kit => swap(repaid(kit), '/V 15 0 R', '/V 59 0 R') },
  {
    name: 'value of the field null',
    verdict: 'not-valid',
    make: kit => update(kit.sign(), { 14: '<< /FT /Sig /T (Signature14) /V null >>' }),
  },
  {
    name: 'field taken out of the form',
    verdict: 'not-valid',
    make: kit => update(kit.sign(), { 1: '<< /Type /Catalog /Pages 2 0 R >>', 4: 'null' }),
  },
])
