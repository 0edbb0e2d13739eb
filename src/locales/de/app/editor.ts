/** Texts of the field editor, in German. */
import type { editor as English } from '../../en/app/editor.ts'

export const editor: typeof English = {}
