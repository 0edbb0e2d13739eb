/** The JSON and the texts that the page passes to the editor. Types only. */
import type { editor } from '../../../src/locales/en/app/editor.ts'

/** The texts that the page passes to the editor. */
export type EditorTexts = (typeof editor)['script']

export const EDITOR_DATA_ID = 'editor-data'

export interface EditorData {
  /** `/documents/doc_…` or `/templates/tpl_…` */
  base: string
  /** The page that follows. */
  next: string
  /** The sender's fields get their values when a template is used. */
  isTemplate: boolean
  csrf: string
  lang: string
  /** Of printed dates. */
  dates: string
  pdfjsUrl: string
  texts: EditorTexts
}
