/** Settings → Webhooks: the question before failed events of one webhook are sent again. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'

export const RESEND_SPANS = { '1h': 1, '1d': 24, '7d': 168, '30d': 720 } as const
export type ResendSpan = keyof typeof RESEND_SPANS

interface Props {
  context: PageContext
  id: string
  host: string
  /** How many events failed in each span. */
  counts: Record<ResendSpan, number>
  chosen: string
  limit: number
}

export function WebhookResendPage({ context, id, host, counts, chosen, limit }: Props) {
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
