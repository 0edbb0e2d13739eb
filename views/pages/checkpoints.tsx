/** Settings → Audit log → Checkpoints: where they are kept, and the last one. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { ActionForm, Csrf, ErrorSummary, Input, type ValidationErrors } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

const HERE = '/settings/audit/checkpoints'

/** Sentences, with names between backticks. */
export interface CheckpointState {
  tone: 'good' | 'warn' | 'info'
  title: string
  texts: string[]
}

export interface CheckpointValues {
  checkpointFolder: string
  checkpointEmail: string
  checkpointEvery: string
  checkpointKeep: string
}

interface Props {
  context: PageContext
  user: SettingsUser
  notice: { text: string; isGood: boolean } | undefined
  errors: ValidationErrors
  values: CheckpointValues
  /** The variable that fixes a setting. */
  fixed: Partial<Record<keyof CheckpointValues, string>>
  state: CheckpointState
  /** A place is set. */
  isOn: boolean
  asksForPassword: boolean
}

export function CheckpointsPage({ context, user, notice, errors, values, fixed, state, isOn, asksForPassword }: Props) {
  const t = context.texts.checkpoints
  const labels = { checkpointFolder: t.folder, checkpointEmail: t.email, checkpointEvery: t.every, checkpointKeep: t.keep }
  const fieldOf = (name: keyof CheckpointValues, hint?: string) => ({
    name,
    label: labels[name],
    value: values[name],
    hint: fixed[name] === undefined ? hint : t.fixed(fixed[name]).replaceAll('`', ''),
    disabled: fixed[name] !== undefined,
    errors,
  })
  return (
    <SettingsLayout context={context} user={user} here="/settings/audit">
      <PageHead title={t.title} back={{ href: '/settings/audit', text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice?.text} tone={notice?.isGood === false ? 'warn' : 'good'} />
      <ErrorSummary errors={errors} labels={labels} />
      <Callout
        tone={state.tone}
        title={state.title}
        actions={isOn && <ActionForm action={`${HERE}/run`} csrf={user.csrf} text={t.run} kind="plain" />}
      >
        {state.texts.map(text => (
          <p key={text} class="break">
            <CodeText text={text} />
          </p>
        ))}
      </Callout>
      <form method="post" action={HERE} class="sheet">
        <Csrf token={user.csrf} />
        <Input {...fieldOf('checkpointFolder', t.folderHint)} required={false} />
        <Input {...fieldOf('checkpointEmail', t.emailHint)} type="email" required={false} />
        {fixed.checkpointEvery === undefined && (
          <Choices
            name="checkpointEvery"
            legend={t.every}
            value={values.checkpointEvery}
            choices={(['daily', 'weekly'] as const).map(value => ({ value, text: t.everyChoices[value] }))}
            errors={errors}
          />
        )}
        <Input {...fieldOf('checkpointKeep', t.keepHint)} inputMode="numeric" />
        <PasswordAgain asked={asksForPassword} reason={t.saveReason} errors={errors} />
        <div class="form-actions">
          <Button kind="primary">{context.texts.frame.save}</Button>
        </div>
      </form>
      <p class="small quiet">
        <CodeText text={t.verify} />
      </p>
    </SettingsLayout>
  )
}
