/** Classifies the actions of a PDF (ISO 32000-2 §12.6), with the actions that follow them. */
import { type LocatedValue, type PdfFile, resolveEntry, resolveItems } from '../parser/file.ts'
import type { ActiveContentKind } from './active-content-messages.ts'

const ACTION_KINDS: Readonly<Record<string, ActiveContentKind>> = {
  JavaScript: 'javascript',
  Launch: 'launch',
  SubmitForm: 'submit_form',
  ImportData: 'import_data',
  GoToR: 'external_document',
  GoToE: 'external_document',
  Thread: 'external_document',
  Rendition: 'media_action',
  Movie: 'media_action',
  Sound: 'media_action',
  RichMediaExecute: 'media_action',
}
const HARMLESS = new Set(['GoTo', 'GoToDp', 'Named'])
const MAX_CHAIN = 100

function isSafeAddress(file: PdfFile, action: LocatedValue): boolean {
  const { value } = resolveEntry(file, action, 'URI')
  return value.kind === 'string' && /^\s*(https?:|mailto:)/i.test(Buffer.from(value.value).toString('latin1'))
}

/** Undefined if the action stays inside the document. */
function kindOf(file: PdfFile, action: LocatedValue): ActiveContentKind | undefined {
  const { value } = resolveEntry(file, action, 'S')
  const type = value.kind === 'name' ? value.value : ''
  if (type === 'URI') return isSafeAddress(file, action) ? 'external_link' : 'unsafe_link'
  return HARMLESS.has(type) ? undefined : (ACTION_KINDS[type] ?? 'other_action')
}

/** `kinds` includes actions that follow by /Next (§12.6.2). `harmless`: it may stay. */
export function classifyAction(file: PdfFile, action: LocatedValue): { kinds: ActiveContentKind[]; harmless: boolean } {
  const kinds: ActiveContentKind[] = []
  const pending = [action]
  for (let count = 0; pending.length > 0; count++) {
    const next = pending.pop()
    if (next?.value.kind !== 'dictionary') continue
    if (count > MAX_CHAIN) return { kinds: [...kinds, 'other_action'], harmless: false }
    const kind = kindOf(file, next)
    if (kind !== undefined) kinds.push(kind)
    const following = resolveEntry(file, next, 'Next')
    if (following.value.kind === 'array') for (const { located } of resolveItems(file, following)) pending.push(located)
    else pending.push(following)
  }
  return { kinds, harmless: kinds.every(kind => kind === 'external_link') }
}
