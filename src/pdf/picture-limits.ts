/** How large pictures may be: one answer for who takes them and who reads them. */

export const MAX_LOGO_BYTES = 2 * 1024 * 1024
/** px */
export const MAX_LOGO_SIDE = 4000
/** Of a signature's photo or scan. */
export const MAX_SIGNATURE_BYTES = 5_000_000
export const MAX_SIGNATURE_PIXELS = 42_000_000
