/** Settings → Audit log → Checkpoints: where they are kept, and the last one. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Choices } from '../parts/choices.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { ActionForm, ErrorSummary, Input } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'

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
  notice: { text: string; isGood: boolean } | undefined
  values: CheckpointValues
  /** The variable that fixes a setting. */
  fixed: Partial<Record<keyof CheckpointValues, string>>
  state: CheckpointState
  /** A place is set. */
  isOn: boolean
}

export function CheckpointsPage({ context, notice, values, fixed, state, isOn }: Props) {
  const t = context.texts.checkpoints
  const labels = { checkpointFolder: t.folder, checkpointEmail: t.email, checkpointEvery: t.every, checkpointKeep: t.keep }
  const fieldOf = (name: keyof CheckpointValues, hint?: string) => ({
    name,
    label: labels[name],
    value: values[name],
    hint: fixed[name] === undefined ? hint : t.fixed(fixed[name]).replaceAll('`', ''),
    disabled: fixed[name] !== undefined,
  })
  return (
    <SettingsLayout context={context} here="/settings/audit">
      <PageHead title={t.title} back={{ href: '/settings/audit', text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice?.text} tone={notice?.isGood === false ? 'warn' : 'good'} />
      <ErrorSummary labels={labels} />
      <Callout
        tone={state.tone}
        title={state.title}
        actions={isOn && <ActionForm action={`${HERE}/run`} text={t.run} kind="plain" />}
      >
        {state.texts.map(text => (
          <p key={text} class="break">
            <CodeText text={text} />
          </p>
        ))}
      </Callout>
      <ConfirmedForm action={HERE} reason={t.saveReason} submit={context.texts.frame.save}>
        <Input {...fieldOf('checkpointFolder', t.folderHint)} required={false} />
        <Input {...fieldOf('checkpointEmail', t.emailHint)} type="email" required={false} />
        {fixed.checkpointEvery === undefined && (
          <Choices
            name="checkpointEvery"
            legend={t.every}
            value={values.checkpointEvery}
            choices={(['daily', 'weekly'] as const).map(value => ({ value, text: t.everyChoices[value] }))}
          />
        )}
        <Input {...fieldOf('checkpointKeep', t.keepHint)} inputMode="numeric" />
      </ConfirmedForm>
      <p class="small quiet">
        <CodeText text={t.verify} />
      </p>
    </SettingsLayout>
  )
}
