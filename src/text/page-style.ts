/**
 * Colours and margin of the pages that Signet writes. The verifier finds the facts of an audit
 * certificate by them: it must know also those of earlier releases.
 */

/** DeviceRGB components for the `rg` operator. */
export const INK = '0.09 0.1 0.13'
export const MUTED = '0.38 0.41 0.47'
export const ACCENT = '0.05 0.13 0.42'
export const HAIRLINE = '0.82 0.84 0.88'

/** pt */
export const MARGIN = 56
