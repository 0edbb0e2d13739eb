/** The texts that the page passes to the editor. Types only. */
import type { editor } from '../../../src/locales/en/app/editor.ts'

export type EditorTexts = (typeof editor)['script']
