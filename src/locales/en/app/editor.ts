/** Texts of the field editor, in English. */
export const editor = {}
