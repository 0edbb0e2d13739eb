/** The page of the parts. In production there is nothing at its address. */
import { DesignPage } from '../../../../views/reference/design.tsx'
import { chooseAppLanguage } from '../../../core/language.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { appTextsOf } from '../../../locales/app.ts'
import type { PageRoute } from '../../frame/page.tsx'

export const designPages: PageRoute[] = [
  {
    method: 'GET',
    path: '/design',
    access: 'public',
    run: async ({ app, url, context, language: own }) => {
      if (app.instance.isProduction) throw new Refusal('not_found', violation('nothing_here'))
      const language = chooseAppLanguage(url.searchParams.get('language') ?? own, null)
      return { html: <DesignPage context={{ ...context('Design'), language, texts: appTextsOf(language) }} /> }
    },
  },
]
