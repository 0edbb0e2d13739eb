/**
 * Settings → Webhooks: one webhook, its state, its latest deliveries, its actions, and the
 * questions before some of them.
 */
import { WEBHOOKS_PATH } from '../../src/core/page-paths.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { DeliveryWithAttempts } from '../../src/webhooks/delivery-queries.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm, Csrf, ErrorSummary } from '../parts/form.tsx'
import { Menu, MenuItem, MenuRule } from '../parts/menu.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice, OneTimeSecret } from '../parts/notice.tsx'
import { useClock, useOpens, usePageTexts } from '../parts/page-texts.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'
import { Exchange } from './webhook-deliveries.tsx'
import { AnswerWords, DeliveryTable, DisabledWords, StateBadge, type WebhookView } from './webhook-parts.tsx'

interface WebhookProps {
  context: PageContext
  notice: string | undefined
  webhook: WebhookView
  /** How long the secret before the present one still signs. */
  formerUntil: Date | undefined
  mayChange: boolean
  /** The newest first. */
  recent: readonly DeliveryWithAttempts[]
  /** Those that failed last, of a webhook that is disabled. */
  failed: readonly DeliveryWithAttempts[]
  /** The test that was just sent. */
  tested: DeliveryWithAttempts | undefined
  /** Shown once. */
  made: { secret: string; title: string } | undefined
}

const addressOf = ({ id }: WebhookView) => `${WEBHOOKS_PATH}/${id}`

export function WebhookPage(props: WebhookProps) {
  const { context, notice, webhook, mayChange, recent, tested, made } = props
  const { webhooks: t, frame } = context.texts
  return (
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <PageHead
        title={webhook.host}
        back={{ href: WEBHOOKS_PATH, text: t.all }}
        actions={mayChange && <Actions webhook={webhook} />}
      >
        <p>
          <StateBadge {...webhook} />
        </p>
      </PageHead>
      <Notice text={notice} />
      {made && (
        <OneTimeSecret title={made.title} secret={made.secret} hint={t.selectAll} texts={frame}>
          <p>
            {t.verify} <a href="/api/v1/docs#webhooks">{t.verifyLink}</a>
          </p>
        </OneTimeSecret>
      )}
      {tested && <Tested webhook={webhook} delivery={tested} />}
      {!webhook.enabled && <Disabled {...props} />}
      <WebhookFacts {...props} />
      <h2>{t.recent}</h2>
      {recent.length === 0 ? (
        <EmptyState inTable icon="inbox" title={t.noDeliveries}>
          {t.noDeliveriesText}
        </EmptyState>
      ) : (
        <>
          <DeliveryTable webhookId={webhook.id} deliveries={recent} label={t.recent} />
          <p>
            <a href={`${addressOf(webhook)}/deliveries`}>{t.allDeliveries}</a>
          </p>
        </>
      )}
    </SettingsLayout>
  )
}

function Actions({ webhook }: { webhook: WebhookView }) {
  const { webhooks: t, frame } = usePageTexts()
  const address = addressOf(webhook)
  return (
    <>
      <ActionForm action={`${address}/test`} text={t.test} kind="plain" />
      <LinkButton icon="pencil" href={`${address}/edit`}>
        {t.edit}
      </LinkButton>
      <Menu id="webhook-menu" label={frame.more}>
        {webhook.enabled ? (
          <MenuItem icon="ban" action={`${address}/disable`}>
            {t.disable}
          </MenuItem>
        ) : (
          <MenuItem icon="circle-check" action={`${address}/enable`}>
            {t.enable}
          </MenuItem>
        )}
        {webhook.enabled && (
          <MenuItem icon="send" href={`${address}/redeliver`}>
            {t.resend.open}
          </MenuItem>
        )}
        <MenuItem icon="refresh-cw" href={`${address}/rotate`}>
          {t.rotate}
        </MenuItem>
        <MenuRule />
        <MenuItem icon="trash-2" danger href={`${address}/delete`}>
          {t.delete}
        </MenuItem>
      </Menu>
    </>
  )
}

function Tested({ webhook, delivery }: { webhook: WebhookView; delivery: DeliveryWithAttempts }) {
  const t = usePageTexts().webhooks
  const [attempt] = delivery.attempts
  const isAccepted = delivery.status === 'delivered'
  return (
    <Callout
      tone={isAccepted ? 'good' : 'bad'}
      role="status"
      title={isAccepted ? t.testedAccepted(webhook.host) : t.testedRefused(webhook.host)}
    >
      <p>
        <AnswerWords attempt={attempt} />
      </p>
      {attempt && <Exchange attempt={attempt} body={delivery.body} isOpen />}
    </Callout>
  )
}

function Disabled({ webhook, failed, mayChange }: WebhookProps) {
  const t = usePageTexts().webhooks
  return (
    <Callout
      tone="warn"
      title={t.disabledTitle}
      actions={mayChange && <ActionForm action={`${addressOf(webhook)}/enable`} text={t.enable} kind="primary" />}
    >
      <p>
        <DisabledWords reason={webhook.disabledReason} />
      </p>
      {webhook.disabledReason !== undefined && failed.length > 0 && (
        <>
          <p>{t.lastAnswers}</p>
          <ul>
            {failed.map(({ id, attempts, createdAt }) => (
              <li key={id}>
                <a href={`${addressOf(webhook)}/deliveries/${id}`}>
                  <Moment at={attempts.at(-1)?.at ?? createdAt} exact />
                </a>
                : <AnswerWords attempt={attempts.at(-1)} />
              </li>
            ))}
          </ul>
          <p>{t.whenReady}</p>
        </>
      )}
    </Callout>
  )
}

function WebhookFacts({ webhook, formerUntil }: WebhookProps) {
  const clock = useClock()
  const t = usePageTexts().webhooks
  const facts: Fact[] = [
    [t.facts.url, <code class="break">{webhook.url}</code>],
    ...(webhook.description ? ([[t.facts.description, <span dir="auto">{webhook.description}</span>]] satisfies Fact[]) : []),
    [t.facts.events, <Events webhook={webhook} />],
    [
      t.facts.secret,
      <>
        <code>whsec_…{webhook.secretLastFour}</code>
        {formerUntil && <div class="quiet">{t.formerUntil(pageTime(formerUntil, clock))}</div>}
      </>,
    ],
    ...(useOpens().includes('auditor') ? ([[t.facts.owner, webhook.owner]] satisfies Fact[]) : []),
    [t.facts.created, <Moment at={webhook.createdAt} exact />],
  ]
  return (
    <div class="sheet">
      <Facts facts={facts} />
    </div>
  )
}

function Events({ webhook: { events } }: { webhook: WebhookView }) {
  const t = usePageTexts().webhooks
  if (events.includes('*')) return <>{t.allEvents}</>
  return (
    <ul class="plain-list">
      {events.map(type => (
        <li key={type}>
          {type !== '*' && t.events[type]} <code class="quiet">{type}</code>
        </li>
      ))}
    </ul>
  )
}

// The questions before a new secret and before the deletion.

interface WebhookQuestionProps {
  context: PageContext
  id: string
  host: string
  question: 'rotate' | 'delete'
}

export function WebhookQuestionPage({ context, id, host, question }: WebhookQuestionProps) {
  const { webhooks: t } = context.texts
  return (
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <h1>{t[`${question}Title`](host)}</h1>
      <p>{t[`${question}Text`]}</p>
      <ErrorSummary />
      <ConfirmedForm
        action={`${WEBHOOKS_PATH}/${id}/${question}`}
        reason={t[`${question}Reason`]}
        submit={t[`${question}Do`]}
        kind={question === 'delete' ? 'danger' : 'primary'}
        cancel={`${WEBHOOKS_PATH}/${id}`}
      />
    </SettingsLayout>
  )
}

// The question before failed events of a span are sent again.

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
    <SettingsLayout context={context} here={WEBHOOKS_PATH}>
      <PageHead title={t.resend.title(host)} back={{ href: `${WEBHOOKS_PATH}/${id}`, text: host }} />
      {spans.every(span => counts[span] === 0) ? (
        <EmptyState inTable icon="circle-check" title={t.resend.none}>
          {t.resend.noneText}
        </EmptyState>
      ) : (
        <>
          <p>{t.resend.text(shown(limit))}</p>
          <ErrorSummary labels={{ span: t.resend.since }} />
          <form method="post" action={`${WEBHOOKS_PATH}/${id}/redeliver`} class="sheet">
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
              <a href={`${WEBHOOKS_PATH}/${id}`}>{frame.cancel}</a>
            </div>
          </form>
        </>
      )}
    </SettingsLayout>
  )
}
