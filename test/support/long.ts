/** `sh scripts/test --long`: each promise is tried in every run, its repetitions in a long one. */
export const IS_LONG = process.env.SIGNET_TEST_LONG === '1'

/** All of a long run, else the one whose turn it is: number `turn` tries another one than the next. */
export function ofTheTurn<T>(all: readonly T[], turn: number): readonly T[] {
  return IS_LONG ? all : all.slice(turn % all.length, (turn % all.length) + 1)
}
