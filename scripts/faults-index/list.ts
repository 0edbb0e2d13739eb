/** All requirements in their order, and where a place of the list is in the files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCESS } from './access.ts'
import { DELIVERY } from './delivery.ts'
import { DURABILITY } from './durability.ts'
import { EVIDENCE } from './evidence.ts'
import { LOAD } from './load.ts'
import { PDF } from './pdf.ts'
import type { Place, Requirement } from './requirement.ts'

const ROOT = join(import.meta.dir, '../..')

export const REQUIREMENTS: readonly Requirement[] = [...DURABILITY, ...DELIVERY, ...ACCESS, ...PDF, ...EVIDENCE, ...LOAD]

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A title is the first argument of a call; a line of a script has the text anywhere. */
function patternOf({ file, text }: Place): RegExp {
  return file.endsWith('.test.ts') ? new RegExp(`\\(\\s*(['"\`])${escaped(text)}\\1,`) : new RegExp(escaped(text))
}

const textOf = (file: string): string => {
  try {
    return readFileSync(join(ROOT, file), 'utf8')
  } catch {
    return ''
  }
}

/** The first line of it, from 1; undefined where the file or the text is not there. */
export function lineOf(place: Place): number | undefined {
  const text = textOf(place.file)
  const at = text.search(patternOf(place))
  return at < 0 ? undefined : text.slice(0, at).split('\n').length
}
