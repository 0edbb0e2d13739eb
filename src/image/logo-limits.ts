/** The size limits of a logo, for the settings page and for the certificate that shows it. */

export const MAX_LOGO_BYTES = 2 * 1024 * 1024
/** px */
export const MAX_LOGO_SIDE = 4000
