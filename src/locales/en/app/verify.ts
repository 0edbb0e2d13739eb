/** Texts of the verify pages, in English. */
export const verify = {}
