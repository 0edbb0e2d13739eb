/**
 * The columns of a row of the audit certificate. The verifier finds labels and values by them: it
 * must know also those of earlier releases.
 */

/** Where values begin, pt from the side where reading begins. */
export const LABEL_WIDTH = 118
/** Between a label and a value, pt. */
export const LABEL_GAP = 8
