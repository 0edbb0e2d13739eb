/** Refusals and errors of forms in the web app are written in English: this returns them unchanged. */
export const errors = (message: string): string => message
