/** Message and settings of a template: the last page of its preparation. */
import type { SettingsValues } from '../../../../views/drafting/review-settings.tsx'
import { TemplateSettingsPage } from '../../../../views/templates/template-settings.tsx'
import { LANGUAGES } from '../../../core/language.ts'
import { placeholdersOf } from '../../../core/template/template-texts.ts'
import type { EditedDocument } from '../../../documents/draft/edit-draft.ts'
import type { ShownError } from '../../../locales/app.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { changesInWords, draftPath, saveDraft } from '../drafting/draft-access.ts'
import { basePath, contextOf, headOf } from '../drafting/draft-kind.ts'
import { settingsEdit, settingsOf, typedSettings } from '../drafting/draft-settings.ts'

interface SettingsState {
  title?: string | undefined
  settings?: SettingsValues
  errors?: ShownError[]
  changes?: string[]
  status?: number
}

export async function show(
  visit: Visit,
  { document, version }: EditedDocument,
  state: SettingsState = {},
): Promise<PageResponse> {
  const { language } = visit.organisation
  return {
    html: (
      <TemplateSettingsPage
        context={contextOf(visit, document, document.title, state)}
        draft={headOf({ document, version }, state.title)}
        settings={state.settings ?? settingsOf(document, visit.clock)}
        placeholders={placeholdersOf(document)}
        languages={LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] }))}
        languageDefault={LANGUAGE_NAMES[language]}
        conflict={state.changes && { changes: state.changes }}
      />
    ),
    status: state.status ?? 200,
  }
}

export async function post(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const { form } = visit
  const t = contextOf(visit, draft.document, '').texts.sending.review
  // A template has no day on which it ends, only a number of days.
  const settings: SettingsValues = { ...typedSettings(form), expiry: 'days' }
  const state: SettingsState = { title: form.title, settings }
  const deps = { ...visit.clock, t }
  const { edit, errors } = settingsEdit(settings, settingsOf(draft.document, deps), deps)
  if (errors.length > 0) return show(visit, draft, { ...state, errors, status: 422 })
  const result = await saveDraft(visit, draft, { ...(form.title === undefined ? {} : { title: form.title }), ...edit })
  if ('errors' in result) return show(visit, draft, { ...state, ...result })
  if ('changes' in result) {
    const changes = changesInWords(visit, draft.document, result.changes)
    return show(visit, { ...draft, version: result.version }, { ...state, changes, status: 412 })
  }
  if (form.do === 'continue') return { redirect: `${basePath(draft.document)}?notice=saved` }
  return { redirect: draftPath(draft.document, 'settings') }
}
