/** What an action of a PDF does, with all that follow it. ISO 32000-2 §12.6. */

import type { LocatedValue, PdfFile } from '../parser/file.ts'
import { resolveEntry, resolveItems } from '../parser/file.ts'
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

/**
 * The kinds of an action and of all that follow it by /Next (§12.6.2). One that is neither harmless
 * nor a link has to go.
 */
export function classifyAction(file: PdfFile, action: LocatedValue): { kinds: ActiveContentKind[]; harmless: boolean } {
  const kinds: ActiveContentKind[] = []
  let harmless = true
  const waiting = [action]
  for (let count = 0; waiting.length > 0; count++) {
    const next = waiting.pop()
    if (next?.value.kind !== 'dictionary') continue
    if (count > MAX_CHAIN) return { kinds: [...kinds, 'other_action'], harmless: false }
    const { value: kind } = resolveEntry(file, next, 'S')
    const type = kind.kind === 'name' ? kind.value : ''
    if (type === 'URI') {
      const safe = isSafeAddress(file, next)
      kinds.push(safe ? 'external_link' : 'unsafe_link')
      harmless &&= safe
    } else if (!HARMLESS.has(type)) {
      kinds.push(ACTION_KINDS[type] ?? 'other_action')
      harmless = false
    }
    const after = resolveEntry(file, next, 'Next')
    if (after.value.kind === 'array') for (const { located } of resolveItems(file, after)) waiting.push(located)
    else waiting.push(after)
  }
  return { kinds, harmless }
}
