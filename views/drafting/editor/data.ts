/** The JSON that the page passes to the editor. Types only. */
import type { EditorTexts } from './texts.ts'

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
