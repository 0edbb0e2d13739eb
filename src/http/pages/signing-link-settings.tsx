/** Settings → Organisation → Signing links: who may hand them out, which sites may show them. */
import { SERVICE_ROWS } from '../../config/service-rows.ts'
import { settingsPage } from './settings-page.tsx'

export const signingLinkSettingsPages = settingsPage({
  path: SERVICE_ROWS.signingLinks.page,
  section: { href: '/settings/organisation', name: texts => texts.settings.organisation.title },
  texts: texts => texts.settings.signingLinks,
  fields: ({ settings: { signingLinks: t } }) => ({
    signingLinks: { input: 'tick', label: t.allow, hint: t.allowHint },
    embedOrigins: { input: 'line', label: t.origins, hint: t.originsHint, rows: 4, spellcheck: false },
  }),
  shown: { embedOrigins: origins => origins.join('\n') },
})
