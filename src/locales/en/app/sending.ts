/** Texts of the pages on which a document is prepared and sent, in English. */
export const sending = {}
