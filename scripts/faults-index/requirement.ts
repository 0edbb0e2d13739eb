/** What the service promises, and where it is tried: the form of the list. */

export interface Place {
  /** From the root of the project. */
  file: string
  /** The title of the test, or a text of the line of the script that prints the result. */
  text: string
  /** What the script printed when it was last run; a test has none. */
  figure?: string
}

export interface Requirement {
  id: string
  promise: string
  tried: readonly Place[]
  /** What of it nothing tries, in one sentence. */
  untried?: string
}

/** A test, by its file below `test` and its title. */
export const test = (file: string, text: string): Place => ({ file: `test/${file}.test.ts`, text })

/** A line of a script, by its file below `scripts`. */
export const script = (file: string, text: string, figure?: string): Place => ({
  file: `scripts/${file}.ts`,
  text,
  ...(figure === undefined ? {} : { figure }),
})
