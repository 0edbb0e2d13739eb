/** `sh scripts/test --long`: each promise is tried in every run, its repetitions in a long one. */
export const IS_LONG = process.env.SIGNET_TEST_LONG === '1'

/** In a long run all, else one: another for the next turn. */
export function ofTheTurn<T>(all: readonly T[], turn: number): readonly T[] {
  return IS_LONG ? all : all.slice(turn % all.length, (turn % all.length) + 1)
}

/** How often something is repeated. */
export const times = (short: number, long: number): number => (IS_LONG ? long : short)
