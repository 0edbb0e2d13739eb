/** The characters of each embedded font. A Bun macro: a text is checked without reading fonts. */
import { deflateRawSync } from 'node:zlib'
import { FONTS, readFontFile } from './fonts.ts'
import { readCodePoints } from './sfnt.ts'

/**
 * For each font's name its code points as ascending ranges: the distance of the first from the last
 * of the range before, and the length less one. Both as LEB128 numbers; deflated, base64.
 */
export function coverageTable(): Record<string, string> {
  return Object.fromEntries(FONTS.map(font => [font.name, encodeRanges(readCodePoints(readFontFile(font)))]))
}

function encodeRanges(codePoints: Set<number>): string {
  const bytes: number[] = []
  const put = (value: number) => {
    let rest = value
    for (; rest > 0x7f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80)
    bytes.push(rest)
  }
  const codes = [...codePoints].sort((a, b) => a - b)
  let previous = 0
  for (let i = 0; i < codes.length; ) {
    let last = i
    while (codes[last + 1] === codes[last]! + 1) last++
    put(codes[i]! - previous)
    put(last - i)
    previous = codes[last]!
    i = last + 1
  }
  return deflateRawSync(Buffer.from(bytes)).toString('base64')
}
