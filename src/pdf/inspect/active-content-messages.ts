/** The kinds of active content in a PDF, and the warning for each. */
import type { PdfWarning } from './report.ts'

const MESSAGES = {
  javascript: 'The PDF contains scripts; they are disabled in the sealed file.',
  open_action: 'The PDF performs an action when it is opened; this is disabled in the sealed file.',
  launch: 'The PDF can start programs; this is disabled in the sealed file.',
  submit_form: 'The PDF can submit its form data; this is disabled in the sealed file.',
  import_data: 'The PDF can load form data from a file; this is disabled in the sealed file.',
  external_document: 'The PDF can open other documents; this is disabled in the sealed file.',
  media_action: 'The PDF can play media; this is disabled in the sealed file.',
  other_action: 'The PDF contains actions that are disabled in the sealed file.',
  unsafe_link: 'The PDF contains links that are neither web nor e-mail addresses; they are disabled in the sealed file.',
  external_link: 'The PDF contains links to web pages; the seal does not cover their content.',
  embedded_files: 'The PDF contains attached files; they cannot be opened from the sealed file.',
  rich_media: 'The PDF contains media or 3D content; it is disabled in the sealed file, and only its still image is shown.',
  rich_text: 'The PDF has form values in plain and in formatted text; only the plain text is kept in the sealed file.',
  foreign_content: 'The PDF takes parts of its pages from other files.',
  additional_actions: 'The PDF performs actions on events such as turning a page; this is disabled in the sealed file.',
}

export type ActiveContentKind = keyof typeof MESSAGES

export function toWarnings(kinds: ReadonlySet<ActiveContentKind>): PdfWarning[] {
  return [...kinds].map(code => ({ code, message: MESSAGES[code] }))
}
