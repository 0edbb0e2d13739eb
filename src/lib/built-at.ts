/** Facts about this executable that its build has written into it. */

/** Replaced by `scripts/compile.ts`. */
declare const SIGNET_BUILT_AT: string | undefined

/** The date of its sources; `undefined` when it runs from sources. No right clock shows less. */
export const builtAt: Date | undefined = typeof SIGNET_BUILT_AT === 'string' ? new Date(SIGNET_BUILT_AT) : undefined
