/** Settings → Organisation → Signing links. Administrators only. */
import { SigningLinkSettingsPage } from '../../../../views/settings/signing-link-settings.tsx'
import { changeServiceSettings, readServiceSettings } from '../../../settings/service-settings.ts'
import type { FormState, PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from './settings-access.ts'

const PATH = '/settings/organisation/signing-links'

async function page(visit: Visit, { errors = [], status = 200, asksForPassword }: FormState = {}): Promise<PageResponse> {
  const { form, texts, url } = visit
  const { signingLinks, embedOrigins } = await readServiceSettings(visit.app)
  const t = texts.settings.signingLinks
  const isSent = form.embedOrigins !== undefined
  return {
    html: (
      <SigningLinkSettingsPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={errors.length === 0 ? t.notices[url.searchParams.get('notice') ?? ''] : undefined}
        isAllowed={isSent ? form.signingLinks === 'on' : signingLinks.value === 'on'}
        origins={form.embedOrigins ?? embedOrigins.value.join('\n')}
      />
    ),
    status,
  }
}

async function save(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const origin = originOf(visit)
  const signingLinks = form.signingLinks === 'on' ? 'on' : ''
  const embedOrigins = (form.embedOrigins ?? '').trim()
  const result = await runConfirmedAction(visit, () =>
    app.write(tx => changeServiceSettings(tx, app, origin, { signingLinks, embedOrigins })),
  )
  return 'errors' in result ? page(visit, result) : { redirect: `${PATH}?notice=saved` }
}

export const signingLinkSettingsPages: PageRoute[] = [
  { method: 'GET', path: PATH, access: 'admin', run: visit => page(visit) },
  { method: 'POST', path: PATH, access: 'admin', run: save },
]
