/** Settings: leads to the first section that the person may open. */
import { sectionsFor } from '../../../views/pages/settings-layout.tsx'
import type { PageRoute } from '../page.tsx'
import { SETTINGS_PATH, settingsUser } from './settings-access.ts'

export const settingsPages: PageRoute[] = [
  {
    method: 'GET',
    path: SETTINGS_PATH,
    access: 'session',
    run: async visit => ({ redirect: sectionsFor(settingsUser(visit))[0]?.sections[0]?.href ?? '/documents' }),
  },
]
