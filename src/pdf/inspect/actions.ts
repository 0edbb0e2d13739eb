/** What an action of a PDF does, with all that follow it. ISO 32000-2 §12.6. */

import type { Located, PdfFile } from '../parser/file.ts'
import { entryOf, itemsOf } from '../parser/file.ts'
import type { ActiveKind } from './active-content-messages.ts'

const ACTION_KINDS: Readonly<Record<string, ActiveKind>> = {
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

function isSafeAddress(file: PdfFile, action: Located): boolean {
  const { value } = entryOf(file, action, 'URI')
  return value.kind === 'string' && /^\s*(https?:|mailto:)/i.test(Buffer.from(value.value).toString('latin1'))
}

/** The kinds of an action and of all that follow it by /Next (§12.6.2). One that is neither harmless nor a link has to go. */
export function actionKinds(file: PdfFile, action: Located): { kinds: ActiveKind[]; harmless: boolean } {
  const kinds: ActiveKind[] = []
  let harmless = true
  const waiting = [action]
  for (let count = 0; waiting.length > 0; count++) {
    const next = waiting.pop()
    if (next?.value.kind !== 'dictionary') continue
    if (count > MAX_CHAIN) return { kinds: [...kinds, 'other_action'], harmless: false }
    const { value: kind } = entryOf(file, next, 'S')
    const type = kind.kind === 'name' ? kind.value : ''
    if (type === 'URI') {
      const safe = isSafeAddress(file, next)
      kinds.push(safe ? 'external_link' : 'unsafe_link')
      harmless &&= safe
    } else if (!HARMLESS.has(type)) {
      kinds.push(ACTION_KINDS[type] ?? 'other_action')
      harmless = false
    }
    const after = entryOf(file, next, 'Next')
    if (after.value.kind === 'array') for (const { located } of itemsOf(file, after)) waiting.push(located)
    else waiting.push(after)
  }
  return { kinds, harmless }
}
