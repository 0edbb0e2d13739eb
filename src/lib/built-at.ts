/** Facts about this executable that its build has written into it. */

/** Replaced by `scripts/compile.ts`. */
declare const SIGNET_BUILT_AT: string | undefined
declare const SIGNET_COMMIT: string | undefined

/** The date of its sources; `undefined` when it runs from sources. No right clock shows less. */
export const builtAt: Date | undefined = typeof SIGNET_BUILT_AT === 'string' ? new Date(SIGNET_BUILT_AT) : undefined

/** `source`: run from source, or built outside a repository. Ends with `+` if files differed. */
export const commit: string = typeof SIGNET_COMMIT === 'string' ? SIGNET_COMMIT : 'source'

/** The day of the commit: the same sources make the same bytes. */
export const committedOn: string | undefined = builtAt?.toISOString().slice(0, 10)
