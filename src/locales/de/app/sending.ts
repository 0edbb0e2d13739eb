/** Texts of the pages on which a document is prepared and sent, in German. */
import type { sending as English } from '../../en/app/sending.ts'

export const sending: typeof English = {}
