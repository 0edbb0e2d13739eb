/** What several pages of webhooks show: the state of one, and rows of deliveries. */
import { WEBHOOKS_PATH } from '../../src/core/page-paths.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { Attempt, DeliveryWithAttempts } from '../../src/webhooks/delivery-queries.ts'
import type { Webhook } from '../../src/webhooks/queries.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { CodeText } from '../parts/form.tsx'
import type { IconName } from '../parts/icons.ts'
import { Moment } from '../parts/moment.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'

export type EventName = keyof AppTexts['webhooks']['events']

/** The URL is shortened for those who may not change it. */
export interface WebhookView extends Omit<Webhook, 'sealedSecret'> {
  host: string
  owner: string
}

export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'pending'] as const
type DeliveryOutcome = DeliveryWithAttempts['status']

/** Earlier releases knew other types. */
export function eventWords({ events }: AppTexts['webhooks'], type: string): string {
  return (events as Record<string, string>)[type] ?? type
}

export function StateBadge({ enabled }: Pick<WebhookView, 'enabled'>) {
  const { states } = usePageTexts().webhooks
  return enabled ? (
    <Badge tone="good">{states.enabled}</Badge>
  ) : (
    <Badge tone="bad" icon="ban">
      {states.disabled}
    </Badge>
  )
}

const LOOKS: Record<DeliveryOutcome, { tone: Tone; icon?: IconName }> = {
  delivered: { tone: 'good' },
  failed: { tone: 'bad' },
  pending: { tone: 'neutral', icon: 'clock' },
}

export function OutcomeBadge({ status }: { status: DeliveryOutcome }) {
  return <Badge {...LOOKS[status]}>{usePageTexts().webhooks.outcomes[status]}</Badge>
}

/** The status of an answer with its latency, or why there was none. */
export function AnswerWords({ attempt }: { attempt: Attempt | undefined }) {
  const { webhooks: t, storedText } = usePageTexts()
  if (!attempt) return <>{t.notSent}</>
  if (attempt.status !== undefined) return <>{t.answered(attempt.status, attempt.latencyMs)}</>
  return (
    <>
      {t.noAnswer}: <span class="break">{storedText(attempt.error ?? '')}</span>
    </>
  )
}

export const isRedirect = ({ status = 0 }: Attempt) => status >= 300 && status < 400

/** Why the service disabled it; names between backticks are shown as code. */
export function DisabledWords({ reason }: { reason: string | undefined }) {
  const t = usePageTexts().webhooks
  return <CodeText text={reason === undefined ? t.disabledByHand : t.disabledBecause(t.reasons[reason] ?? reason)} />
}

interface TableProps {
  webhookId: string
  deliveries: readonly DeliveryWithAttempts[]
  /** Names the table where no heading does. */
  label: string
}

export function DeliveryTable({ webhookId, deliveries, label }: TableProps) {
  const t = usePageTexts().webhooks
  const { event, outcome, answer, time } = t.deliveryColumns
  return (
    <Table label={label}>
      <TableHead columns={[event, outcome, answer, time]} />
      <tbody>
        {deliveries.map(delivery => {
          const { id, type, status, attempts, createdAt, nextAttemptAt } = delivery
          return (
            <tr key={id}>
              <td class="title">
                <a href={`${WEBHOOKS_PATH}/${webhookId}/deliveries/${id}`}>{eventWords(t, type)}</a>
                <div class="small">
                  <code class="quiet">{type}</code>
                </div>
              </td>
              <Cell label={outcome}>
                <OutcomeBadge status={status} />
              </Cell>
              <Cell label={answer} class="small">
                <AnswerWords attempt={attempts.at(-1)} />
                {attempts.length > 1 && <span class="quiet"> · {t.attempts(attempts.length)}</span>}
                {attempts.length > 0 && nextAttemptAt && (
                  <div class="quiet">
                    {t.next('')}
                    <Moment at={nextAttemptAt} />
                  </div>
                )}
              </Cell>
              <Cell label={time} class="small quiet nowrap">
                <Moment at={createdAt} />
              </Cell>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
