/**
 * The kinds of what a PDF can do by itself, and the sentence its sender reads of each. Words only.
 */
import type { PdfWarning } from './report.ts'

export type ActiveContentKind =
  | 'javascript'
  | 'open_action'
  | 'launch'
  | 'submit_form'
  | 'import_data'
  | 'external_document'
  | 'media_action'
  | 'other_action'
  | 'unsafe_link'
  | 'external_link'
  | 'embedded_files'
  | 'rich_media'
  | 'additional_actions'
  | 'rich_text'
  | 'foreign_content'

const SENTENCES: Readonly<Record<ActiveContentKind, string>> = {
  javascript: 'The PDF contains scripts; they are switched off in the sealed file.',
  open_action: 'The PDF does something when it is opened; this is switched off in the sealed file.',
  launch: 'The PDF can start programs; this is switched off in the sealed file.',
  submit_form: 'The PDF can send its form data away; this is switched off in the sealed file.',
  import_data: 'The PDF can load form data from a file; this is switched off in the sealed file.',
  external_document: 'The PDF can open other documents; this is switched off in the sealed file.',
  media_action: 'The PDF can play media; this is switched off in the sealed file.',
  other_action: 'The PDF contains actions that are switched off in the sealed file.',
  unsafe_link: 'The PDF contains links that are neither web nor e-mail addresses; they are switched off in the sealed file.',
  external_link: 'The PDF contains links to web pages, whose content the seal does not cover.',
  embedded_files: 'The PDF carries attached files; readers of the sealed file do not offer them any more.',
  rich_media: 'The PDF contains media or 3D content; it is switched off in the sealed file, its still picture stays.',
  rich_text: 'The PDF gives field values twice, plain and formatted; only the plain ones stay in the sealed file.',
  foreign_content: 'The PDF takes parts of its pages from other files.',
  additional_actions: 'The PDF acts on events such as turning a page; this is switched off in the sealed file.',
}

export function toWarnings(kinds: ReadonlySet<ActiveContentKind>): PdfWarning[] {
  return [...kinds].map(code => ({ code, message: SENTENCES[code] }))
}
