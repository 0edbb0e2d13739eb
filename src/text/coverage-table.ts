/**
 * Which characters each embedded face hasCharacter, in a few kilobytes of text. Runs when the code is bundled or first loaded (a Bun macro), not in the
 * executable: a process that only asks whether a text can be printed reads no font file at all.
 */
import { deflateRawSync } from 'node:zlib'
import { FONTS, readFontFile } from './fonts.ts'
import { readCodePoints } from './sfnt.ts'

/**
 * The name of each face, and its code points as ranges in ascending order: for each the distance of its first from the last of the one before,
 * then its length less one, both in seven-bit groups, lowest first, a set high bit meaning that more follow; deflated, base64.
 */
export function coverageTable(): Record<string, string> {
  return Object.fromEntries(FONTS.map(face => [face.name, packed(readCodePoints(readFontFile(face)))]))
}

function packed(held: Set<number>): string {
  const bytes: number[] = []
  const put = (value: number) => {
    let rest = value
    for (; rest > 0x7f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80)
    bytes.push(rest)
  }
  const codes = [...held].sort((a, b) => a - b)
  let before = 0
  for (let i = 0; i < codes.length; ) {
    let last = i
    while (codes[last + 1] === codes[last]! + 1) last++
    put(codes[i]! - before)
    put(last - i)
    before = codes[last]!
    i = last + 1
  }
  return deflateRawSync(Buffer.from(bytes)).toString('base64')
}
