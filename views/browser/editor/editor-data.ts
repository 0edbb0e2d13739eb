/** The JSON that the page passes to the editor. Types only. */
import type { EditorTexts } from './editor-texts.ts'

export const EDITOR_DATA_ID = 'editor-data'

export interface EditorData {
  /** `/documents/doc_…` */
  base: string
  csrf: string
  lang: string
  pdfjsUrl: string
  texts: EditorTexts
}
