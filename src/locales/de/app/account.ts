/** Texts of the account pages, in German. */
import type { account as English } from '../../en/app/account.ts'

export const account: typeof English = {}
