/** Routes for a person who proved lately who they are. Others are asked first. */
import { confirmPage } from '../pages/accounts/account.tsx'
import { confirmIdentityIn, sessionOf } from '../pages/settings/settings-access.ts'
import { type PageRoute, runFormAction } from './page.tsx'

/**
 * What somebody at an open browser must not do. What a form contains is kept, without its files.
 */
export function confirmedRoute(route: PageRoute, back: string): PageRoute {
  return {
    ...route,
    run: async visit => {
      if (sessionOf(visit).confirmed) return route.run(visit)
      const { csrf: _csrf, password = '', passkey = '', ...kept } = visit.form
      const action = route.upload ? undefined : visit.url.pathname
      if (action === undefined || (password === '' && passkey === '')) {
        return { html: confirmPage(visit, back, [], action, kept), status: 403 }
      }
      const result = await runFormAction(() => confirmIdentityIn(visit))
      if ('done' in result) return route.run(visit)
      return { html: confirmPage(visit, back, result.errors, action, kept), status: result.status }
    },
  }
}
