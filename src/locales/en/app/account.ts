/** Texts of the account pages, in English. */
export const account = {}
