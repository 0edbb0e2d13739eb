/** How large a logo may be: one answer for who takes it and who draws it. */

export const MAX_LOGO_BYTES = 2 * 1024 * 1024
/** px */
export const MAX_LOGO_SIDE = 4000
