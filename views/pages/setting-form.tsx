/** A page under Settings that is one form of settings. */
import type { ComponentChildren } from 'preact'
import { type PageContext, PageHead } from '../layout.tsx'
import { Notice } from '../parts/notice.tsx'
import { SettingErrors, type SettingField, SettingInputs, type SettingState } from '../parts/setting-field.tsx'
import { ConfirmedForm, SettingsLayout } from './settings-layout.tsx'

interface Props {
  context: PageContext
  /** The page above. */
  section: { href: string; text: string }
  path: string
  texts: { title: string; lead: string; reason: string }
  notice: string | undefined
  fields: Record<string, SettingField>
  states: Record<string, SettingState>
  /** Below the form. */
  children?: ComponentChildren
}

export function SettingFormPage({ context, section, path, texts, notice, fields, states, children }: Props) {
  return (
    <SettingsLayout context={context} here={section.href}>
      <PageHead title={texts.title} back={section}>
        <p class="quiet">{texts.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <SettingErrors fields={fields} />
      <ConfirmedForm action={path} reason={texts.reason} submit={context.texts.frame.save}>
        <SettingInputs fields={fields} states={states} />
      </ConfirmedForm>
      {children}
    </SettingsLayout>
  )
}
