/** Variables of the environment that look like settings and are none: most are misspelt. */

export interface UnknownVariable {
  variable: string
  /** The known one that was probably meant. */
  meant: string | undefined
}

const PREFIX = 'SIGNET_'
/** Read by the tests, which start the program with them. */
const OF_TESTS = 'SIGNET_TEST_'
/** Of changed letters: more of them make another word. */
const MAX_DISTANCE = 4

/** They are no errors: a settings file may serve a later release, too. */
export function unknownVariables(env: Record<string, string | undefined>, known: readonly string[]): UnknownVariable[] {
  return Object.keys(env)
    .filter(variable => variable.startsWith(PREFIX) && !variable.startsWith(OF_TESTS) && !known.includes(variable))
    .sort()
    .map(variable => ({ variable, meant: nearest(variable, known) }))
}

export function describeUnknown({ variable, meant }: UnknownVariable): string {
  const question = meant === undefined ? '' : `: did you mean ${meant}?`
  return `${variable} is not a variable of this release, so it has no effect${question || '.'}`
}

function nearest(variable: string, known: readonly string[]): string | undefined {
  const [first] = known
    .map(name => ({ name, distance: distanceOf(variable, name) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance)
  return first?.name
}

/** Letters to insert, remove or replace (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
