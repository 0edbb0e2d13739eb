/** Texts of the verify pages, in German. */
import type { verify as English } from '../../en/app/verify.ts'

export const verify: typeof English = {}
