/** Settings → Webhooks: the list. */
import type { Clock } from '../../src/lib/relative-time.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'
import { type DeliveryView, OutcomeBadge, StateBadge, type WebhookView } from './webhook-parts.tsx'

export interface WebhookRow extends WebhookView {
  latest: DeliveryView | undefined
  failedThisWeek: number
}

interface Props {
  context: PageContext
  clock: Clock
  notice: string | undefined
  rows: WebhookRow[]
  showsOwners: boolean
  mayChange: boolean
  showsNetworks: boolean
}

export function WebhooksPage(props: Props) {
  const { context, notice, rows, mayChange, showsNetworks } = props
  const t = context.texts.webhooks
  const add = mayChange && (
    <LinkButton kind="primary" icon="plus" href="/settings/webhooks/new">
      {t.new}
    </LinkButton>
  )
  return (
    <SettingsLayout context={context} here="/settings/webhooks">
      <PageHead title={t.title} actions={rows.length > 0 && add}>
        <p class="quiet">
          {t.lead} <a href="/api/v1/docs#webhooks">{t.guide}</a>
        </p>
        {!mayChange && <p class="quiet">{t.onlyReading}</p>}
      </PageHead>
      <Notice text={notice} />
      {rows.length === 0 ? (
        <div class="table">
          <EmptyState icon="webhook" title={t.empty} action={add}>
            {t.emptyText}
          </EmptyState>
        </div>
      ) : (
        <WebhookTable {...props} />
      )}
      {showsNetworks && (
        <p class="small">
          <a href="/settings/webhooks/networks">{t.networks.title}</a>
        </p>
      )}
    </SettingsLayout>
  )
}

function WebhookTable({ rows, clock, showsOwners }: Props) {
  const t = usePageTexts().webhooks
  const { url, events, state, owner, latest } = t.columns
  return (
    <Table>
      <TableHead columns={[url, events, state, ...(showsOwners ? [owner] : []), latest]} />
      <tbody>
        {rows.map(row => (
          <tr key={row.id}>
            <td class="title break">
              <a href={`/settings/webhooks/${row.id}`}>{row.url}</a>
              {row.description && (
                <div class="small quiet" dir="auto">
                  {row.description}
                </div>
              )}
            </td>
            <Cell label={events}>{row.events.includes('*') ? t.allEvents : t.eventCount(row.events.length)}</Cell>
            <Cell label={state}>
              <StateBadge {...row} />
              {row.failedThisWeek > 0 && (
                <div>
                  <Badge tone="warn">{t.failedThisWeek(row.failedThisWeek)}</Badge>
                </div>
              )}
            </Cell>
            {showsOwners && <Cell label={owner}>{row.owner}</Cell>}
            <Cell label={latest} class="small quiet">
              {row.latest ? (
                <>
                  <OutcomeBadge status={row.latest.status} /> <Moment at={row.latest.createdAt} clock={clock} />
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
