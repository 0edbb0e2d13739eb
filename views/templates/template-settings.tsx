/** The last page of preparing a template: its message, its settings and its placeholders. */
import { type Conflict, ConflictCallout, DraftActions, DraftForm, DraftFrame, type DraftHead } from '../drafting/draft-frame.tsx'
import type { Languages } from '../drafting/person-entries.tsx'
import { ReviewSettings, type SettingsValues } from '../drafting/review-settings.tsx'
import type { PageContext } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { ErrorSummary } from '../parts/form.tsx'

interface TemplateSettingsProps extends Languages {
  context: PageContext
  draft: DraftHead
  settings: SettingsValues
  /** Such as `{{Tenant}}`. */
  placeholders: readonly string[]
  conflict: Conflict | undefined
}

const FORM = 'settings'

export function TemplateSettingsPage(props: TemplateSettingsProps) {
  const { context, draft, conflict, placeholders } = props
  const { sending, templates } = context.texts
  const t = templates.settings
  return (
    <DraftFrame context={context} draft={draft} here="settings" form={FORM}>
      <h1>{t.title}</h1>
      <DraftForm id={FORM} draft={draft} here="settings" texts={sending.saving} class="review">
        {conflict && <ConflictCallout context={context} conflict={conflict} draft={draft} here="settings" />}
        <ErrorSummary labels={{ title: sending.steps.title }} heading={sending.errors} />
        <ReviewSettings {...props} values={props.settings} isTemplate />
        {placeholders.length > 0 && (
          <section aria-labelledby="placeholders">
            <h2 id="placeholders">{t.placeholders}</h2>
            <p class="hint">{t.placeholdersHint}</p>
            <ul class="placeholders">
              {placeholders.map(placeholder => (
                <li key={placeholder}>
                  <code dir="auto">{placeholder}</code>
                </li>
              ))}
            </ul>
          </section>
        )}
        <DraftActions context={context} back={`${draft.base}/fields`}>
          <Button kind="primary" name="do" value="continue">
            {t.done}
          </Button>
        </DraftActions>
      </DraftForm>
    </DraftFrame>
  )
}
