/** Message and settings of a template, with the placeholders for people and fields. */
import { type Conflict, ConflictCallout, DraftActions, DraftForm, DraftFrame, type DraftHead } from '../drafting/draft-frame.tsx'
import type { Languages } from '../drafting/person-entries.tsx'
import { ReviewSettings, type SettingsValues } from '../drafting/review-settings.tsx'
import type { PageContext, PageUser } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { ErrorSummary, type ValidationErrors } from '../parts/form.tsx'

interface Props extends Languages {
  context: PageContext
  user: PageUser
  draft: DraftHead
  settings: SettingsValues
  /** Such as `{{Tenant}}`. */
  placeholders: readonly string[]
  conflict: Conflict | undefined
  errors: ValidationErrors
}

const FORM = 'settings'

export function TemplateSettingsPage(props: Props) {
  const { context, user, draft, errors, conflict, placeholders } = props
  const { sending, templates } = context.texts
  const t = templates.settings
  return (
    <DraftFrame context={context} user={user} draft={draft} here="settings" form={FORM} errors={errors}>
      <h1>{t.title}</h1>
      <DraftForm id={FORM} csrf={user.csrf} draft={draft} here="settings" texts={sending.saving} class="review">
        {conflict && <ConflictCallout context={context} conflict={conflict} draft={draft} here="settings" />}
        <ErrorSummary errors={errors} labels={{ title: sending.steps.title }} heading={sending.errors} />
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
