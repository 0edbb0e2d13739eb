/** Settings → Webhooks: the list, the form of one webhook, and the allowed networks. */
import { WEBHOOKS_PATH } from '../../src/core/page-paths.ts'
import { MAX_WEBHOOK_DESCRIPTION, MAX_WEBHOOK_URL } from '../../src/core/service-limits.ts'
import type { DeliveryWithAttempts } from '../../src/webhooks/delivery-queries.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Choices, Ticks } from '../parts/choices.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ariaOf, CodeText, Csrf, ErrorSummary, FieldError, Input } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { ConfirmedForm, PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'
import { type EventName, OutcomeBadge, StateBadge, type WebhookView } from './webhook-parts.tsx'

// The list.

export const LATELY_DAYS = 7

export interface WebhookRow extends WebhookView {
  latest: DeliveryWithAttempts | undefined
  /** In `LATELY_DAYS`. */
  failedLately: number
}

interface WebhooksProps {
  context: PageContext
  notice: string | undefined
  rows: WebhookRow[]
  showsOwners: boolean
  mayChange: boolean
  showsNetworks: boolean
}

export function WebhooksPage(props: WebhooksProps) {
  const { context, notice, rows, mayChange, showsNetworks } = props
  const t = context.texts.webhooks
  const add = mayChange && (
    <LinkButton kind="primary" icon="plus" href={`${WEBHOOKS_PATH}/new`}>
      {t.new}
    </LinkButton>
  )
  return (
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <PageHead title={t.title} actions={rows.length > 0 && add}>
        <p class="quiet">
          {t.lead} <a href="/api/v1/docs#webhooks">{t.guide}</a>
        </p>
        {!mayChange && <p class="quiet">{t.onlyReading}</p>}
      </PageHead>
      <Notice text={notice} />
      {rows.length === 0 ? (
        <EmptyState inTable icon="webhook" title={t.empty} action={add}>
          {t.emptyText}
        </EmptyState>
      ) : (
        <WebhookTable {...props} />
      )}
      {showsNetworks && (
        <p class="small">
          <a href={`${WEBHOOKS_PATH}/networks`}>{t.networks.title}</a>
        </p>
      )}
    </SettingsLayout>
  )
}

function WebhookTable({ rows, showsOwners }: WebhooksProps) {
  const t = usePageTexts().webhooks
  const { url, events, state, owner, latest } = t.columns
  return (
    <Table>
      <TableHead columns={[url, events, state, ...(showsOwners ? [owner] : []), latest]} />
      <tbody>
        {rows.map(row => (
          <tr key={row.id}>
            <td class="title break">
              <a href={`${WEBHOOKS_PATH}/${row.id}`}>{row.url}</a>
              {row.description && (
                <div class="small quiet" dir="auto">
                  {row.description}
                </div>
              )}
            </td>
            <Cell label={events}>{row.events.includes('*') ? t.allEvents : t.eventCount(row.events.length)}</Cell>
            <Cell label={state}>
              <StateBadge {...row} />
              {row.failedLately > 0 && (
                <div>
                  <Badge tone="warn">{t.failedLately(row.failedLately, LATELY_DAYS)}</Badge>
                </div>
              )}
            </Cell>
            {showsOwners && <Cell label={owner}>{row.owner}</Cell>}
            <Cell label={latest} class="small quiet">
              {row.latest ? (
                <>
                  <OutcomeBadge status={row.latest.status} /> <Moment at={row.latest.createdAt} />
                </>
              ) : (
                t.noDelivery
              )}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

// The form of a new webhook, and of one that is changed.

export interface WebhookValues {
  url: string
  description: string
  /** `all` or `chosen` events, or empty before the choice. */
  which: string
  events: readonly string[]
}

interface WebhookFormProps {
  context: PageContext
  /** Undefined for a new one. */
  webhook: { id: string; host: string } | undefined
  values: WebhookValues
  /** The events that can be chosen. */
  types: readonly EventName[]
  showsNetworks: boolean
}

export function WebhookFormPage({ context, webhook, values, types, showsNetworks }: WebhookFormProps) {
  const { webhooks: t, frame } = context.texts
  const address = webhook ? `${WEBHOOKS_PATH}/${webhook.id}` : WEBHOOKS_PATH
  const { form } = t
  const labels = { url: form.url, description: form.description, which: form.which }
  const ticks = (
    <Ticks
      legend={form.chosen}
      isLegendUnseen
      prefix="event:"
      chosen={values.events}
      choices={types.map(type => ({ value: type, text: t.events[type], code: type }))}
    />
  )
  const choices = [
    { value: 'all', text: form.everything, hint: form.everythingHint },
    { value: 'chosen', text: form.chosen, hint: form.chosenHint, more: ticks },
  ]
  return (
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <PageHead
        title={webhook ? form.editTitle : t.new}
        back={webhook ? { href: address, text: webhook.host } : { href: address, text: t.all }}
      />
      <ErrorSummary labels={labels} />
      <ConfirmedForm
        action={webhook ? `${address}/edit` : address}
        reason={webhook ? form.editReason : form.createReason}
        submit={webhook ? frame.save : form.create}
        cancel={address}
      >
        <Input
          name="url"
          label={form.url}
          hint={form.urlHint}
          type="url"
          value={values.url}
          maxLength={MAX_WEBHOOK_URL}
          autoCapitalize="none"
          spellcheck={false}
        />
        <p class="hint">
          {form.privateHint} {showsNetworks && <a href={`${WEBHOOKS_PATH}/networks`}>{form.networksLink}</a>}
        </p>
        <Input
          name="description"
          label={form.description}
          hint={form.descriptionHint}
          value={values.description}
          required={false}
          maxLength={MAX_WEBHOOK_DESCRIPTION}
        />
        <Choices name="which" legend={form.which} value={values.which} choices={choices} />
      </ConfirmedForm>
    </SettingsLayout>
  )
}

// Settings → Webhooks → Allowed networks.

interface WebhookNetworksProps {
  context: PageContext
  notice: string | undefined
  /** One network on each line. */
  value: string
  /** Set by the environment: it cannot be changed here. */
  isFixed: boolean
}

export function WebhookNetworksPage({ context, notice, value, isFixed }: WebhookNetworksProps) {
  const { webhooks, frame } = context.texts
  const t = webhooks.networks
  return (
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <PageHead title={t.title} back={{ href: WEBHOOKS_PATH, text: webhooks.all }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary labels={{ networks: t.field }} />
      <form method="post" action={`${WEBHOOKS_PATH}/networks`} class="sheet">
        <Csrf />
        <label for="networks">{t.field}</label>
        <div class="hint" id="networks-hint">
          <CodeText text={isFixed ? t.fixed : t.hint} />
        </div>
        <FieldError name="networks" />
        <textarea
          id="networks"
          name="networks"
          rows={5}
          disabled={isFixed}
          value={value}
          {...ariaOf('networks', context.errors, t.hint)}
        />
        {!isFixed && (
          <>
            <p class="hint">{t.effect}</p>
            <PasswordAgain reason={t.reason} />
            <div class="form-actions">
              <Button kind="primary">{frame.save}</Button>
            </div>
          </>
        )}
      </form>
    </SettingsLayout>
  )
}
