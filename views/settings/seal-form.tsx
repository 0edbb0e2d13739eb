/** Settings → Seal → Form: PAdES or PKCS#7, what the second costs, and what Firefox shows. */
import { SEAL_SUB_FILTERS } from '../../src/core/document/document.ts'
import { SEAL_FORM_PATH, SEAL_PATH } from '../../src/core/page-paths.ts'
import { List, type PageContext, PageHead } from '../layout.tsx'
import { Choices } from '../parts/choices.tsx'
import { CodeText, ErrorSummary } from '../parts/form.tsx'
import { ConfirmedForm, SettingsLayout } from './settings-layout.tsx'

interface Props {
  context: PageContext
  subFilter: string
  /** The variable that fixes it. */
  variable: string | undefined
}

export function SealFormPage({ context, subFilter, variable }: Props) {
  const { sealForm: t, settings, frame } = context.texts
  const choices = SEAL_SUB_FILTERS.map(value => ({ value, text: t.names[value] ?? value, hint: t.hints[value] }))
  const form = { name: 'sealSubFilter', legend: t.form, value: subFilter, choices }
  return (
    <SettingsLayout context={context} here={SEAL_PATH}>
      <PageHead title={t.title} back={{ href: SEAL_PATH, text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <ErrorSummary labels={{ password: settings.password.label, sealSubFilter: t.form }} />
      {variable === undefined ? (
        <ConfirmedForm action={SEAL_FORM_PATH} reason={t.reason} submit={frame.save} cancel={SEAL_PATH}>
          <Choices {...form} />
        </ConfirmedForm>
      ) : (
        <div class="sheet">
          <Choices {...form} disabled />
          <p class="small quiet">
            <CodeText text={t.fixed(variable)} />
          </p>
        </div>
      )}
      <h2>{t.price}</h2>
      <List items={t.lost} />
      <h2>{t.holds}</h2>
      <List items={t.kept} />
      <h2>{t.firefox}</h2>
      <List items={t.shown} />
    </SettingsLayout>
  )
}
