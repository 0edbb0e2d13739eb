/** Settings → Webhooks: the form of a new webhook, and of one that is changed. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Choices, Ticks } from '../parts/choices.tsx'
import { ErrorSummary, Input } from '../parts/form.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'
import type { EventName } from './webhook-parts.tsx'

export interface FormValues {
  url: string
  description: string
  /** `all`, `chosen`, or empty while nothing is chosen. */
  which: string
  events: readonly string[]
}

interface Props {
  context: PageContext
  /** Undefined for a new one. */
  webhook: { id: string; host: string } | undefined
  values: FormValues
  /** All that can be chosen. */
  types: readonly EventName[]
  showsNetworks: boolean
}

export function WebhookFormPage({ context, webhook, values, types, showsNetworks }: Props) {
  const { webhooks: t, frame } = context.texts
  const address = webhook ? `/settings/webhooks/${webhook.id}` : '/settings/webhooks'
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
    <SettingsLayout context={context} here="/settings/webhooks">
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
          maxLength={2048}
          autoCapitalize="none"
          spellcheck={false}
        />
        <p class="hint">
          {form.privateHint} {showsNetworks && <a href="/settings/webhooks/networks">{form.networksLink}</a>}
        </p>
        <Input
          name="description"
          label={form.description}
          hint={form.descriptionHint}
          value={values.description}
          required={false}
          maxLength={200}
        />
        <Choices name="which" legend={form.which} value={values.which} choices={choices} />
      </ConfirmedForm>
    </SettingsLayout>
  )
}
