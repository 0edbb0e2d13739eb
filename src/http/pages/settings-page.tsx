/** A page that is a form of settings of the registry, and no more. Others use its parts. */
import type { ComponentChildren } from 'preact'
import { SettingFormPage } from '../../../views/pages/setting-form.tsx'
import type { SettingField, SettingState } from '../../../views/parts/setting-field.tsx'
import { type ChangeableSettingName, type ServiceValue, serviceRow } from '../../config/service-rows.ts'
import type { AppTexts } from '../../locales/app.ts'
import { changeServiceSettings, readServiceSettings, type SettingChanges } from '../../settings/service-settings.ts'
import type { FormState, PageResponse, PageRoute, Visit } from '../page.tsx'
import { originOf } from './sender-visit.ts'
import { runConfirmedAction } from './settings-access.ts'

interface SettingsPageOptions<Name extends ChangeableSettingName> {
  path: string
  /** The page above, which the menu marks. */
  section: { href: string; name(texts: AppTexts): string }
  texts(texts: AppTexts): { title: string; lead: string; reason: string; notices: Record<string, string | undefined> }
  fields(texts: AppTexts): { [One in Name]: SettingField }
  /** How a value is shown, where that is not its text. */
  shown?: { [One in Name]?: (value: ServiceValue<One>) => string }
  /** Below the form. */
  below?(visit: Visit): Promise<ComponentChildren>
}

/** What a form shows of each setting: what was sent, else what is in force. */
export async function settingStates<Name extends ChangeableSettingName>(
  { app, form }: Visit,
  names: readonly Name[],
  { ticks = [], shown = {} }: { ticks?: readonly Name[]; shown?: SettingsPageOptions<Name>['shown'] } = {},
): Promise<Record<Name, SettingState>> {
  const settings = await readServiceSettings(app)
  const states = names.map((name): [Name, SettingState] => {
    const { text, value, source } = settings[name]
    const variable = source === 'environment' ? serviceRow(name).variable : undefined
    const inForce = shown[name]?.(value as ServiceValue<Name>) ?? text
    // A tick that is off is not sent.
    const sent = form.csrf !== undefined && ticks.includes(name) ? (form[name] ?? '') : form[name]
    return [name, { text: variable === undefined ? (sent ?? inForce) : inForce, variable }]
  })
  return Object.fromEntries(states) as Record<Name, SettingState>
}

/** What the form changes: nothing that the environment sets. */
export const sentSettings = ({ form }: Visit, states: Partial<Record<ChangeableSettingName, SettingState>>): SettingChanges =>
  Object.fromEntries(
    Object.entries(states)
      .filter(([, { variable }]) => variable === undefined)
      .map(([name]) => [name, (form[name] ?? '').trim()]),
  )

export function settingsPage<Name extends ChangeableSettingName>(options: SettingsPageOptions<Name>): PageRoute[] {
  const { path, section, texts, fields, shown = {}, below } = options
  function statesOf(visit: Visit): Promise<Record<Name, SettingState>> {
    const own = fields(visit.texts)
    const names = Object.keys(own) as Name[]
    return settingStates(visit, names, { ticks: names.filter(name => own[name].input === 'tick'), shown })
  }
  async function show(visit: Visit, form: FormState = {}): Promise<PageResponse> {
    const { title, lead, reason, notices } = texts(visit.texts)
    const notice = form.errors ? undefined : notices[visit.url.searchParams.get('notice') ?? '']
    return {
      html: (
        <SettingFormPage
          context={visit.context(title, form)}
          section={{ href: section.href, text: section.name(visit.texts) }}
          path={path}
          texts={{ title, lead, reason }}
          notice={notice}
          fields={fields(visit.texts)}
          states={await statesOf(visit)}
        >
          {await below?.(visit)}
        </SettingFormPage>
      ),
      status: form.status ?? 200,
    }
  }
  async function save(visit: Visit): Promise<PageResponse> {
    const { app } = visit
    const changes = sentSettings(visit, await statesOf(visit))
    const result = await runConfirmedAction(visit, () =>
      app.write(tx => changeServiceSettings(tx, app, originOf(visit), changes)),
    )
    return 'errors' in result ? show(visit, result) : { redirect: `${path}?notice=saved` }
  }
  return [
    { method: 'GET', path, access: 'admin', run: visit => show(visit) },
    { method: 'POST', path, access: 'admin', run: save },
  ]
}
