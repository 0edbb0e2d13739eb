/** Refusals and errors of forms are written in English: this returns them unchanged. */
export const errors = (message: string): string => message
