/** Settings → Webhooks → Allowed networks. Administrators only. */
import { WebhookNetworksPage } from '../../../../views/webhooks/webhook-networks.tsx'
import { readServiceSettings } from '../../../settings/service-settings.ts'
import { changeAllowedNetworks } from '../../../webhooks/networks.ts'
import type { FormState, PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from '../settings/settings-access.ts'
import { noticeOf, WEBHOOKS_PATH } from './webhook-access.ts'

const NETWORKS_PATH = `${WEBHOOKS_PATH}/networks`

async function page(visit: Visit, { errors = [], status = 200, asksForPassword }: FormState = {}): Promise<PageResponse> {
  const { webhookAllow } = await readServiceSettings(visit.app)
  return {
    html: (
      <WebhookNetworksPage
        context={visit.context(visit.texts.webhooks.networks.title, { errors, asksForPassword })}
        notice={errors.length === 0 ? noticeOf(visit) : undefined}
        value={visit.form.networks ?? webhookAllow.value.map(({ text }) => text).join('\n')}
        isFixed={webhookAllow.source === 'environment'}
      />
    ),
    status,
  }
}

async function save(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const origin = originOf(visit)
  const result = await runConfirmedAction(visit, () => changeAllowedNetworks(app, origin, form.networks ?? ''))
  return 'errors' in result ? page(visit, result) : { redirect: `${NETWORKS_PATH}?notice=networks` }
}

export const webhookNetworkPages: PageRoute[] = [
  { method: 'GET', path: NETWORKS_PATH, access: 'admin', run: visit => page(visit) },
  { method: 'POST', path: NETWORKS_PATH, access: 'admin', run: save },
]
