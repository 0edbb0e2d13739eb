/** Settings → Webhooks: the deliveries of one webhook, and one delivery. */
import { DOCUMENTS_PATH, WEBHOOKS_PATH } from '../../src/core/page-paths.ts'
import { MAX_STORED_ANSWER_BYTES } from '../../src/core/service-limits.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { Attempt, DeliveryWithAttempts } from '../../src/webhooks/delivery-queries.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm } from '../parts/form.tsx'
import { ListFilters, listAddress, Pager } from '../parts/list.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { useClock, usePageTexts } from '../parts/page-texts.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'
import {
  AnswerWords,
  DELIVERY_OUTCOMES,
  DeliveryTable,
  type EventName,
  eventWords,
  isRedirect,
  OutcomeBadge,
  type WebhookView,
} from './webhook-parts.tsx'

interface SharedProps {
  context: PageContext
  webhook: WebhookView
}

interface DeliveriesProps extends SharedProps {
  deliveries: readonly DeliveryWithAttempts[]
  types: readonly EventName[]
  /** Empty members do not filter. */
  filter: DeliveryFilter
  /** Addresses of the next and the first page. */
  older: string | undefined
  newest: string | undefined
}

type DeliveryFilter = Record<'outcome' | 'event', string>

const pathOf = ({ id }: Pick<WebhookView, 'id'>) => `${WEBHOOKS_PATH}/${id}/deliveries`

export const deliveriesAddress = (webhook: Pick<WebhookView, 'id'>, filter: DeliveryFilter, after?: string): string =>
  listAddress(pathOf(webhook), filter, after)

export function DeliveriesPage(props: DeliveriesProps) {
  const { context, webhook, deliveries, filter, older, newest } = props
  const t = context.texts.webhooks
  const isFiltered = filter.outcome !== '' || filter.event !== ''
  return (
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <PageHead title={t.deliveries} back={{ href: `${WEBHOOKS_PATH}/${webhook.id}`, text: webhook.host }} />
      <FilterForm {...props} />
      {deliveries.length === 0 ? (
        <EmptyState inTable icon="inbox" title={isFiltered ? t.noMatch : t.noDeliveries}>
          {isFiltered ? t.noMatchText : t.noDeliveriesText}
        </EmptyState>
      ) : (
        <DeliveryTable webhookId={webhook.id} deliveries={deliveries} label={t.deliveries} />
      )}
      <Pager first={{ href: newest, text: t.newest }} next={{ href: older, text: t.older }} />
    </SettingsLayout>
  )
}

function FilterForm({ webhook, types, filter }: DeliveriesProps) {
  const t = usePageTexts().webhooks
  const outcomes = DELIVERY_OUTCOMES.map(value => ({ value, text: t.outcomes[value] }))
  const outcome = outcomes.find(({ value }) => value === filter.outcome)
  const events = types.map(type => ({ value: type, text: type }))
  const choice = { as: 'choice' } as const
  return (
    <ListFilters
      path={pathOf(webhook)}
      filters={[
        {
          ...choice,
          name: 'outcome',
          value: filter.outcome,
          label: t.outcome,
          any: t.anyOutcome,
          options: outcomes,
          chip: outcome?.text ?? '',
        },
        { ...choice, name: 'event', value: filter.event, label: t.event, any: t.anyEvent, options: events, chip: filter.event },
      ]}
    />
  )
}

// One delivery, with its attempts.

interface DeliveryProps extends SharedProps {
  notice: string | undefined
  delivery: DeliveryWithAttempts
  mayChange: boolean
}

export function DeliveryPage({ context, notice, webhook, delivery, mayChange }: DeliveryProps) {
  const t = context.texts.webhooks
  const address = `${pathOf(webhook)}/${delivery.id}`
  return (
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <PageHead
        title={eventWords(t, delivery.type)}
        back={{ href: pathOf(webhook), text: t.deliveries }}
        actions={
          mayChange &&
          webhook.enabled &&
          !delivery.isTest && <ActionForm action={`${address}/redeliver`} text={t.redeliver} kind="plain" />
        }
      >
        <p>
          <OutcomeBadge status={delivery.status} />
        </p>
        {mayChange && !webhook.enabled && <p class="quiet">{t.redeliverDisabled}</p>}
      </PageHead>
      <Notice text={notice} />
      {delivery.status === 'pending' && delivery.attempts.length === 0 && (
        <Callout tone="info" actions={<LinkButton href={address}>{t.openAgain}</LinkButton>}>
          <p>{t.isQueued}</p>
        </Callout>
      )}
      <DeliveryFacts delivery={delivery} />
      {delivery.attempts.toReversed().map((attempt, i) => (
        <AttemptSheet key={attempt.number} attempt={attempt} isOpen={i === 0} />
      ))}
      <h2>{t.requestBody}</h2>
      <BodyText label={t.formatted} text={formatted(delivery.body)} />
    </SettingsLayout>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryWithAttempts }) {
  const t = usePageTexts().webhooks
  const { documentId, nextAttemptAt } = delivery
  const names = t.deliveryFacts
  const facts: Fact[] = [
    [names.event, <code>{delivery.type}</code>],
    ['webhook-id', <code class="break">{delivery.eventId}</code>],
    ...(documentId
      ? ([[names.document, <a href={`${DOCUMENTS_PATH}/${documentId}`}>{names.openDocument}</a>]] satisfies Fact[])
      : []),
    [names.created, <Moment at={delivery.createdAt} exact />],
    ...(nextAttemptAt ? ([[names.next, <Moment at={nextAttemptAt} exact />]] satisfies Fact[]) : []),
  ]
  return (
    <div class="sheet">
      <Facts facts={facts} />
    </div>
  )
}

type AttemptProps = { attempt: Attempt; isOpen: boolean }

function AttemptSheet({ attempt, isOpen }: AttemptProps) {
  const clock = useClock()
  const t = usePageTexts().webhooks
  return (
    <section class="sheet">
      <h2>{t.attempt(attempt.number, pageTime(attempt.at, clock))}</h2>
      <p>
        <Badge tone={attempt.error === undefined ? 'good' : 'bad'}>
          <AnswerWords attempt={attempt} />
        </Badge>
      </p>
      <Exchange attempt={attempt} isOpen={isOpen} />
    </section>
  )
}

// One attempt: what was sent, and what came back, as plain text.

interface ExchangeProps {
  attempt: Attempt
  /** Shown with the request; absent where the page shows it once for all attempts. */
  body?: string
  /** Shows the answer without being asked. */
  isOpen?: boolean
}

export function Exchange({ attempt, body, isOpen = false }: ExchangeProps) {
  const t = usePageTexts().webhooks
  const { requestHeaders, answerHeaders, status, answer } = attempt
  return (
    <>
      {isRedirect(attempt) && <p>{t.redirected}</p>}
      <details class="exchange">
        <summary>{t.request}</summary>
        {requestHeaders ? <HeaderLines label={t.requestHeaders} headers={requestHeaders} /> : <p class="quiet">{t.notKept}</p>}
        {body !== undefined && <BodyText label={t.requestBody} text={formatted(body)} />}
      </details>
      {status !== undefined && (
        <details class="exchange" open={isOpen}>
          <summary>{t.answer}</summary>
          {answerHeaders ? <HeaderLines label={t.answerHeaders} headers={answerHeaders} /> : <p class="quiet">{t.notKept}</p>}
          {answer === '' ? (
            <p class="quiet">{t.emptyBody}</p>
          ) : (
            <>
              <BodyText label={t.answerBody} text={answer} />
              {isCut(answer) && <p class="small quiet">{t.answerCut}</p>}
            </>
          )}
        </details>
      )}
    </>
  )
}

/** A cut character was replaced by three bytes: a cut text is not shorter than the limit. */
function isCut(answer: string): boolean {
  return new TextEncoder().encode(answer).length >= MAX_STORED_ANSWER_BYTES
}

/** Our own JSON, on lines. */
function formatted(body: string): string {
  return JSON.stringify(JSON.parse(body), undefined, 2)
}

function HeaderLines({ label, headers }: { label: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0 ? null : <BodyText label={label} text={lines.join('\n')} />
}

/** Scrolls by the keyboard too. */
function BodyText({ label, text }: { label: string; text: string }) {
  return (
    <figure class="raw">
      <figcaption class="small quiet">{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  )
}
