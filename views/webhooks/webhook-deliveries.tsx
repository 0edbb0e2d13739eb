/** Settings → Webhooks: the deliveries of one webhook, and one delivery. */
import { pageTime } from '../../src/lib/clock-format.ts'
import type { Clock } from '../../src/lib/relative-time.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm, Csrf, ErrorSummary, Select } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'
import {
  AnswerWords,
  type AttemptView,
  DELIVERY_OUTCOMES,
  DeliveryTable,
  type DeliveryView,
  type EventName,
  eventWords,
  isRedirect,
  OutcomeBadge,
  type WebhookView,
} from './webhook-parts.tsx'

// Settings → Webhooks: the question before failed events of one webhook are sent again.

// Settings → Webhooks: the questions before a new secret and before the deletion.

interface WebhookQuestionProps {
  context: PageContext
  id: string
  host: string
  question: 'rotate' | 'delete'
}

export function WebhookQuestionPage({ context, id, host, question }: WebhookQuestionProps) {
  const { webhooks: t } = context.texts
  return (
    <SettingsLayout context={context} here="/settings/webhooks">
      <h1>{t[`${question}Title`](host)}</h1>
      <p>{t[`${question}Text`]}</p>
      <ErrorSummary />
      <ConfirmedForm
        action={`/settings/webhooks/${id}/${question}`}
        reason={t[`${question}Reason`]}
        submit={t[`${question}Do`]}
        kind={question === 'delete' ? 'danger' : 'primary'}
        cancel={`/settings/webhooks/${id}`}
      />
    </SettingsLayout>
  )
}

export const RESEND_SPANS = { '1h': 1, '1d': 24, '7d': 168, '30d': 720 } as const
export type ResendSpan = keyof typeof RESEND_SPANS

interface WebhookResendProps {
  context: PageContext
  id: string
  host: string
  /** How many events failed in each span. */
  counts: Record<ResendSpan, number>
  chosen: string
  limit: number
}

export function WebhookResendPage({ context, id, host, counts, chosen, limit }: WebhookResendProps) {
  const { webhooks: t, frame } = context.texts
  const shown = (count: number) => count.toLocaleString(context.language)
  const spans = Object.keys(RESEND_SPANS) as ResendSpan[]
  return (
    <SettingsLayout context={context} here="/settings/webhooks">
      <PageHead title={t.resend.title(host)} back={{ href: `/settings/webhooks/${id}`, text: host }} />
      {spans.every(span => counts[span] === 0) ? (
        <div class="table">
          <EmptyState icon="circle-check" title={t.resend.none}>
            {t.resend.noneText}
          </EmptyState>
        </div>
      ) : (
        <>
          <p>{t.resend.text(shown(limit))}</p>
          <ErrorSummary labels={{ span: t.resend.since }} />
          <form method="post" action={`/settings/webhooks/${id}/redeliver`} class="sheet">
            <Csrf />
            <Choices
              name="span"
              legend={t.resend.since}
              value={chosen}
              choices={spans.map(span => ({
                value: span,
                text: t.resend.choice(t.resend.spans[span], counts[span], shown(counts[span])),
              }))}
            />
            <div class="form-actions">
              <Button kind="primary">{t.resend.send}</Button>
              <a href={`/settings/webhooks/${id}`}>{frame.cancel}</a>
            </div>
          </form>
        </>
      )}
    </SettingsLayout>
  )
}

// One attempt: what was sent, and what came back, as plain text.

interface Props {
  attempt: AttemptView
  /** Shown with the request; absent where the page shows it once for all attempts. */
  body?: string
  /** Shows the answer without being asked. */
  isOpen?: boolean
}

const MAX_KEPT_BYTES = 2048

export function Exchange({ attempt, body, isOpen = false }: Props) {
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
  return new TextEncoder().encode(answer).length >= MAX_KEPT_BYTES
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

export { DELIVERY_OUTCOMES }

interface Common {
  context: PageContext
  clock: Clock
  webhook: WebhookView
}

interface ListProps extends Common {
  deliveries: readonly DeliveryView[]
  types: readonly EventName[]
  /** Empty members do not filter. */
  filter: { outcome: string; event: string }
  /** The last delivery of this page, if older ones follow. */
  older: string | undefined
  isFirst: boolean
}

const addressOf = ({ id }: WebhookView) => `/settings/webhooks/${id}/deliveries`

export function DeliveriesPage(props: ListProps) {
  const { context, clock, webhook, deliveries, filter, older, isFirst } = props
  const t = context.texts.webhooks
  const isFiltered = filter.outcome !== '' || filter.event !== ''
  const query = (more: Record<string, string>) => new URLSearchParams({ ...filter, ...more })
  return (
    <SettingsLayout context={context} here="/settings/webhooks">
      <PageHead title={t.deliveries} back={{ href: `/settings/webhooks/${webhook.id}`, text: webhook.host }} />
      <FilterForm {...props} />
      {deliveries.length === 0 ? (
        <div class="table">
          <EmptyState icon="inbox" title={isFiltered ? t.noMatch : t.noDeliveries}>
            {isFiltered ? t.noMatchText : t.noDeliveriesText}
          </EmptyState>
        </div>
      ) : (
        <DeliveryTable webhookId={webhook.id} deliveries={deliveries} clock={clock} label={t.deliveries} />
      )}
      <div class="row">
        {!isFirst && (
          <LinkButton icon="arrow-left" href={`${addressOf(webhook)}?${query({})}`}>
            {t.newest}
          </LinkButton>
        )}
        {older !== undefined && <LinkButton href={`${addressOf(webhook)}?${query({ before: older })}`}>{t.older}</LinkButton>}
      </div>
    </SettingsLayout>
  )
}

function FilterForm({ webhook, types, filter }: ListProps) {
  const t = usePageTexts().webhooks
  return (
    <form method="get" action={addressOf(webhook)} class="filters delivery-filters">
      <div>
        <Select
          name="outcome"
          label={t.outcome}
          value={filter.outcome}
          options={[
            { value: '', text: t.anyOutcome },
            ...DELIVERY_OUTCOMES.map(outcome => ({ value: outcome, text: t.outcomes[outcome] })),
          ]}
          errors={[]}
        />
      </div>
      <div>
        <Select
          name="event"
          label={t.event}
          value={filter.event}
          options={[{ value: '', text: t.anyEvent }, ...types.map(type => ({ value: type, text: type }))]}
          errors={[]}
        />
      </div>
      <Button icon="funnel">{t.filter}</Button>
    </form>
  )
}

interface DeliveryProps extends Common {
  notice: string | undefined
  delivery: DeliveryView
  mayChange: boolean
}

export function DeliveryPage({ context, clock, notice, webhook, delivery, mayChange }: DeliveryProps) {
  const t = context.texts.webhooks
  const address = `${addressOf(webhook)}/${delivery.id}`
  return (
    <SettingsLayout context={context} here="/settings/webhooks">
      <PageHead
        title={eventWords(t, delivery.type)}
        back={{ href: addressOf(webhook), text: t.deliveries }}
        actions={
          mayChange &&
          webhook.isEnabled &&
          !delivery.isTest && <ActionForm action={`${address}/redeliver`} text={t.redeliver} kind="plain" />
        }
      >
        <p>
          <OutcomeBadge status={delivery.status} />
        </p>
        {mayChange && !webhook.isEnabled && <p class="quiet">{t.redeliverDisabled}</p>}
      </PageHead>
      <Notice text={notice} />
      {delivery.status === 'pending' && delivery.attempts.length === 0 && (
        <Callout tone="info" actions={<LinkButton href={address}>{t.openAgain}</LinkButton>}>
          <p>{t.isQueued}</p>
        </Callout>
      )}
      <DeliveryFacts delivery={delivery} clock={clock} />
      {delivery.attempts.toReversed().map((attempt, i) => (
        <AttemptSheet key={attempt.number} attempt={attempt} clock={clock} isOpen={i === 0} />
      ))}
      <h2>{t.requestBody}</h2>
      <BodyText label={t.formatted} text={formatted(delivery.body)} />
    </SettingsLayout>
  )
}

function DeliveryFacts({ delivery, clock }: { delivery: DeliveryView; clock: Clock }) {
  const t = usePageTexts().webhooks
  const { documentId, nextAttemptAt } = delivery
  const names = t.deliveryFacts
  const facts: Fact[] = [
    [names.event, <code>{delivery.type}</code>],
    ['webhook-id', <code class="break">{delivery.eventId}</code>],
    ...(documentId ? ([[names.document, <a href={`/documents/${documentId}`}>{names.openDocument}</a>]] satisfies Fact[]) : []),
    [names.created, <Moment at={delivery.createdAt} clock={clock} exact />],
    ...(nextAttemptAt ? ([[names.next, <Moment at={nextAttemptAt} clock={clock} exact />]] satisfies Fact[]) : []),
  ]
  return (
    <div class="sheet">
      <Facts facts={facts} />
    </div>
  )
}

type AttemptProps = { attempt: AttemptView; clock: Clock; isOpen: boolean }

function AttemptSheet({ attempt, clock: { timeZone, language }, isOpen }: AttemptProps) {
  const t = usePageTexts().webhooks
  return (
    <section class="sheet">
      <h2>{t.attempt(attempt.number, pageTime(attempt.at, timeZone, language))}</h2>
      <p>
        <Badge tone={attempt.error === undefined ? 'good' : 'bad'}>
          <AnswerWords attempt={attempt} />
        </Badge>
      </p>
      <Exchange attempt={attempt} isOpen={isOpen} />
    </section>
  )
}
