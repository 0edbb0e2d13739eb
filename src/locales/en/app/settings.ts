/** Texts of the pages under Settings, in English. */
export const settings = {}
