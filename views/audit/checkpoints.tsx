/** Settings → Audit log → Checkpoints: where else they are kept, and all that are kept here. */
import { AUDIT_PATH, CHECKPOINTS_PATH } from '../../src/core/page-paths.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Choices } from '../parts/choices.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm, CodeText, ErrorSummary, Input } from '../parts/form.tsx'
import { Pager } from '../parts/list.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'

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

/** Times and numbers as they are shown. */
export interface CheckpointRow {
  id: string
  at: string
  entries: string
  stamped: { at: string; authority: string } | undefined
}

interface CheckpointsProps {
  context: PageContext
  notice: { text: string; isGood: boolean } | undefined
  values: CheckpointValues
  /** The variable that fixes a setting. */
  fixed: Partial<Record<keyof CheckpointValues, string>>
  state: CheckpointState
  rows: CheckpointRow[]
  /** Addresses of other pages of the list. */
  older: string | undefined
  newest: string | undefined
}

export function CheckpointsPage({ context, notice, values, fixed, state, rows, older, newest }: CheckpointsProps) {
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
    <SettingsLayout context={context} here={AUDIT_PATH}>
      <PageHead title={t.title} back={{ href: AUDIT_PATH, text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice?.text} tone={notice?.isGood === false ? 'warn' : 'good'} />
      <ErrorSummary labels={labels} />
      <Callout
        tone={state.tone}
        title={state.title}
        actions={<ActionForm action={`${CHECKPOINTS_PATH}/run`} text={t.run} kind="plain" />}
      >
        {state.texts.map(text => (
          <p key={text} class="break">
            <CodeText text={text} />
          </p>
        ))}
      </Callout>
      <ConfirmedForm action={CHECKPOINTS_PATH} reason={t.saveReason} submit={context.texts.frame.save}>
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
      <h2>{t.list.title}</h2>
      <p class="small quiet">
        {t.list.text} <CodeText text={t.verify} />
      </p>
      {rows.length === 0 ? <EmptyState inTable icon="history" title={t.list.empty} /> : <CheckpointTable rows={rows} />}
      <Pager first={{ href: newest, text: t.list.newest }} next={{ href: older, text: t.list.older }} />
    </SettingsLayout>
  )
}

function CheckpointTable({ rows }: { rows: CheckpointRow[] }) {
  const t = usePageTexts().checkpoints.list
  return (
    <Table label={t.title}>
      <TableHead columns={[t.columns.at, t.columns.entries, t.columns.stamped]} actions={t.download} />
      <tbody>
        {rows.map(({ id, at, entries, stamped }) => (
          <tr key={id}>
            <td class="nowrap">{at}</td>
            <Cell label={t.columns.entries}>{entries}</Cell>
            <Cell label={t.columns.stamped} class={stamped ? 'small' : 'small quiet'}>
              {stamped ? t.stampedAt(stamped.at, stamped.authority) : t.noStamp}
            </Cell>
            <td class="actions">
              <a href={`${CHECKPOINTS_PATH}/${id}`} aria-label={t.downloadOf(at)}>
                {t.download}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
