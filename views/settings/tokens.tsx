/** Settings → API tokens: the list, one token, a new one, and the question before revoking. */
import type { ApiKey } from '../../src/accounts/queries.ts'
import { TOKENS_PATH } from '../../src/core/page-paths.ts'
import { MAX_ACCOUNT_NAME } from '../../src/core/service-limits.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { Clock } from '../../src/lib/relative-time.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Choices, Ticks } from '../parts/choices.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { CodeText, ErrorSummary, Input } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice, OneTimeSecret } from '../parts/notice.tsx'
import { useClock, usePageTexts } from '../parts/page-texts.ts'
import { Cell, type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { ConfirmedForm, SettingsLayout } from './settings-layout.tsx'

type Texts = AppTexts['settings']
type Preset = Exclude<keyof Texts['tokens']['presets'], 'chosen'>
type Scope = keyof Texts['tokens']['scopes']

function labelsOf({ tokens, password }: Texts): Record<string, string> {
  const { columns, access, expiry, expiresOn } = tokens
  return { name: columns.name, access, expiry, expiresOn, password: password.label }
}

export interface TokenRow extends ApiKey {
  shown: string
  /** Undefined if no preset has these scopes. */
  preset: Preset | undefined
  /** Undefined for the whole organisation. */
  owner: string | undefined
  state: 'live' | 'expired' | 'revoked'
  /** Set if it ends soon. */
  endsInDays: number | undefined
}

interface Props {
  context: PageContext
  notice: string | undefined
  rows: TokenRow[]
  showsOwners: boolean
  /** Those that the person may give. */
  presets: readonly Preset[]
  scopes: readonly Scope[]
  expiries: readonly { days: number; date: string }[]
  values: { name: string; access: string; scopes: readonly string[]; expiry: string; expiresOn: string }
  /** The new token; it is shown only once. */
  created: { name: string; key: string } | undefined
}

export function TokensPage(props: Props) {
  const { context, rows, notice, created } = props
  const { settings, frame } = context.texts
  const t = settings.tokens
  const live = rows.filter(({ state }) => state === 'live')
  const past = rows.filter(({ state }) => state !== 'live')
  return (
    <SettingsLayout context={context} here={TOKENS_PATH}>
      <PageHead
        title={t.title}
        actions={
          <LinkButton href="/api/v1/docs" icon="external-link">
            {t.reference}
          </LinkButton>
        }
      >
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      {created && <OneTimeSecret title={t.created(created.name)} secret={created.key} hint={t.selectAll} texts={frame} />}
      <ErrorSummary labels={labelsOf(settings)} />
      {live.length === 0 ? (
        <EmptyState inTable icon="key-round" title={past.length === 0 ? t.empty : t.noneInUse}>
          {t.emptyText}
        </EmptyState>
      ) : (
        <LiveTokens {...props} rows={live} />
      )}
      {past.length > 0 && (
        <details>
          <summary>{t.past(past.length)}</summary>
          <PastTokens {...props} rows={past} />
        </details>
      )}
      <h2>{t.new}</h2>
      <TokenForm {...props} />
    </SettingsLayout>
  )
}

type TableProps = Pick<Props, 'rows' | 'showsOwners'>

function LiveTokens({ rows, showsOwners }: TableProps) {
  const t = usePageTexts().settings.tokens
  const { name, scopes, owner, expires, lastUsed } = t.columns
  return (
    <Table>
      <TableHead columns={[name, scopes, ...(showsOwners ? [owner] : []), expires, lastUsed]} actions={t.revoke} />
      <tbody>
        {rows.map(row => (
          <tr key={row.id}>
            <NameCell {...row} />
            <Cell label={scopes}>{mayWords(t, row)}</Cell>
            {showsOwners && <Cell label={owner}>{row.owner ?? t.noOwner}</Cell>}
            <Cell label={expires}>
              <End row={row} />
            </Cell>
            <Cell label={lastUsed} class="small quiet">
              <LastUse row={row} />
            </Cell>
            <td>
              <LinkButton kind="quiet" small href={`${TOKENS_PATH}/${row.id}/revoke`} aria-label={t.revokeNamed(row.name)}>
                {t.revokeMore}
              </LinkButton>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function NameCell({ id, name, shown }: Pick<TokenRow, 'id' | 'name' | 'shown'>) {
  return (
    <td class="title">
      <a href={`${TOKENS_PATH}/${id}`} dir="auto">
        {name}
      </a>
      <div class="small nowrap">
        <code class="quiet">{shown}</code>
      </div>
    </td>
  )
}

/** The name of the preset, or each permission. */
function mayWords({ presets, scopes }: Texts['tokens'], row: Pick<TokenRow, 'preset' | 'scopes'>): string {
  return row.preset ? presets[row.preset] : row.scopes.map(scope => scopes[scope]).join('; ')
}

function End({ row, exact = false }: { row: TokenRow; exact?: boolean }) {
  const t = usePageTexts().settings.tokens
  if (!row.expiresAt) return <span class="small quiet">{t.never}</span>
  return (
    <>
      <span class="small quiet">
        <Moment at={row.expiresAt} exact={exact || row.endsInDays !== undefined} />
      </span>
      {row.endsInDays !== undefined && (
        <div>
          <Badge tone="warn">{t.expiresIn(row.endsInDays)}</Badge>
        </div>
      )}
    </>
  )
}

function LastUse({ row: { lastUsedAt, lastUsedIp } }: { row: TokenRow }) {
  const t = usePageTexts().settings.tokens
  if (!lastUsedAt) return <>{t.neverUsed}</>
  return (
    <>
      <Moment at={lastUsedAt} /> <span class="break">{t.from(lastUsedIp ?? t.unknownAddress)}</span>
    </>
  )
}

function PastTokens({ rows, showsOwners }: TableProps) {
  const clock = useClock()
  const t = usePageTexts().settings.tokens
  const { name, scopes, owner, ended, lastUsed } = t.columns
  return (
    <Table label={t.past(rows.length)}>
      <TableHead columns={[name, scopes, ...(showsOwners ? [owner] : []), ended, lastUsed]} />
      <tbody>
        {rows.map(row => (
          <tr key={row.id}>
            <NameCell {...row} />
            <Cell label={scopes}>{mayWords(t, row)}</Cell>
            {showsOwners && <Cell label={owner}>{row.owner ?? t.noOwner}</Cell>}
            <Cell label={ended} class="small quiet">
              {endWords(t, row, clock)}
            </Cell>
            <Cell label={lastUsed} class="small quiet">
              <LastUse row={row} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function endWords(t: Texts['tokens'], { revokedAt, expiresAt }: TokenRow, clock: Clock): string {
  if (revokedAt) return t.revokedOn(pageTime(revokedAt, clock))
  return expiresAt ? t.expiredOn(pageTime(expiresAt, clock)) : ''
}

function TokenForm({ presets, scopes, expiries, values }: Props) {
  const clock = useClock()
  const t = usePageTexts().settings.tokens
  const ticks = (
    <Ticks
      legend={t.presets.chosen}
      isLegendUnseen
      prefix="scope:"
      chosen={values.scopes}
      choices={scopes.map(scope => ({ value: scope, text: t.scopes[scope], code: scope }))}
    />
  )
  const lastDay = (
    <Input
      name="expiresOn"
      label={t.expiresOn}
      hint={t.expiresOnHint(clock.timeZone)}
      type="date"
      value={values.expiresOn}
      required={false}
      note=""
    />
  )
  const choices = [...presets, 'chosen' as const].map(value => ({
    value,
    text: t.presets[value],
    hint: t.presetHints[value],
    more: value === 'chosen' && ticks,
  }))
  const ends = [
    ...expiries.map(({ days, date }) => ({ value: String(days), text: t.expiries.days(days, date) })),
    { value: 'date', text: t.expiries.date, more: lastDay },
    { value: 'never', text: t.expiries.never },
  ]
  return (
    <ConfirmedForm action={TOKENS_PATH} reason={t.createReason} submit={t.create}>
      <Input name="name" label={t.columns.name} hint={t.nameHint} value={values.name} maxLength={MAX_ACCOUNT_NAME} />
      <Choices name="access" legend={t.access} value={values.access} choices={choices} />
      <Choices name="expiry" legend={t.expiry} value={values.expiry} choices={ends} />
      <p class="hint">{t.expiryHint}</p>
    </ConfirmedForm>
  )
}

type OneProps = Pick<Props, 'context'> & { row: TokenRow }

export function TokenPage({ context, row }: OneProps) {
  const { clock } = context
  const t = context.texts.settings.tokens
  const end: Fact =
    row.state === 'live' ? [t.columns.expires, <End row={row} exact />] : [t.columns.ended, endWords(t, row, clock)]
  return (
    <SettingsLayout context={context} here={TOKENS_PATH}>
      <PageHead
        title={<span dir="auto">{row.name}</span>}
        back={{ href: TOKENS_PATH, text: t.all }}
        actions={row.state === 'live' && <LinkButton href={`${TOKENS_PATH}/${row.id}/revoke`}>{t.revokeMore}</LinkButton>}
      />
      <div class="sheet">
        <Facts
          facts={[
            [t.columns.token, <code>{row.shown}</code>],
            [t.columns.scopes, <May row={row} />],
            [t.columns.owner, row.owner ?? t.noOwnerHint],
            [t.columns.created, <Moment at={row.createdAt} exact />],
            end,
            [t.columns.lastUsed, lastUseWords(t, row, clock)],
          ]}
        />
      </div>
    </SettingsLayout>
  )
}

function May({ row: { preset, scopes } }: { row: TokenRow }) {
  const t = usePageTexts().settings.tokens
  return (
    <>
      {preset && t.presets[preset]}
      <ul>
        {scopes.map(scope => (
          <li key={scope}>
            {t.scopes[scope]} <code class="quiet">{scope}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

function lastUseWords(t: Texts['tokens'], { lastUsedAt, lastUsedIp }: TokenRow, clock: Clock): string {
  if (!lastUsedAt) return t.neverUsed
  return t.lastUsedFrom(pageTime(lastUsedAt, clock), lastUsedIp ?? t.unknownAddress)
}

export function RevokeTokenPage({ context, row }: OneProps) {
  const { clock } = context
  const { settings } = context.texts
  const t = settings.tokens
  return (
    <SettingsLayout context={context} here={TOKENS_PATH}>
      <h1>{t.revokeQuestion(row.name)}</h1>
      <p>
        <CodeText text={t.revokeText(row.shown, lastUseWords(t, row, clock))} />
      </p>
      <ErrorSummary labels={labelsOf(settings)} />
      <ConfirmedForm
        action={`${TOKENS_PATH}/${row.id}/revoke`}
        reason={t.revokeReason}
        submit={t.revoke}
        kind="danger"
        cancel={TOKENS_PATH}
      />
    </SettingsLayout>
  )
}
