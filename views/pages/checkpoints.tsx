/** Settings → Audit log → Checkpoints: where they are kept, and the last one. */
import { type PageContext, PageHead } from '../layout.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { ActionForm } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { SettingErrors, type SettingField, SettingInputs, type SettingState } from '../parts/setting-field.tsx'
import { ConfirmedForm, SettingsLayout } from './settings-layout.tsx'

const HERE = '/settings/audit/checkpoints'

/** Sentences, with names between backticks. */
export interface CheckpointState {
  tone: 'good' | 'warn' | 'info'
  title: string
  texts: string[]
}

type Name = 'checkpointFolder' | 'checkpointEmail' | 'checkpointEvery' | 'checkpointKeep'

interface Props {
  context: PageContext
  notice: { text: string; isGood: boolean } | undefined
  states: Record<Name, SettingState>
  state: CheckpointState
  /** A place is set. */
  isOn: boolean
}

export function CheckpointsPage({ context, notice, states, state, isOn }: Props) {
  const t = context.texts.checkpoints
  const fields: Record<Name, SettingField> = {
    checkpointFolder: { input: 'line', label: t.folder, hint: t.folderHint },
    checkpointEmail: { input: 'line', label: t.email, hint: t.emailHint, type: 'email' },
    checkpointEvery: { input: 'choice', label: t.every, choices: t.everyChoices },
    checkpointKeep: { input: 'line', label: t.keep, hint: t.keepHint, inputMode: 'numeric', required: true },
  }
  return (
    <SettingsLayout context={context} here="/settings/audit">
      <PageHead title={t.title} back={{ href: '/settings/audit', text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice?.text} tone={notice?.isGood === false ? 'warn' : 'good'} />
      <SettingErrors fields={fields} />
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
        <SettingInputs fields={fields} states={states} />
      </ConfirmedForm>
      <p class="small quiet">
        <CodeText text={t.verify} />
      </p>
    </SettingsLayout>
  )
}
