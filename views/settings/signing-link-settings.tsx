/** Settings → Organisation → Signing links: who may hand them out, which sites may show them. */
import { ORGANISATION_PATH, SIGNING_LINKS_PATH } from '../../src/core/page-paths.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { ariaOf, CodeText, ErrorSummary, FieldError } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { ConfirmedForm, SettingsLayout } from './settings-layout.tsx'

interface Props {
  context: PageContext
  notice: string | undefined
  isAllowed: boolean
  /** One on each line. */
  origins: string
}

export function SigningLinkSettingsPage({ context, notice, isAllowed, origins }: Props) {
  const { frame, settings } = context.texts
  const t = settings.signingLinks
  return (
    <SettingsLayout context={context} here={ORGANISATION_PATH}>
      <PageHead title={t.title} back={{ href: ORGANISATION_PATH, text: settings.organisation.title }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary labels={{ embedOrigins: t.origins }} />
      <ConfirmedForm action={SIGNING_LINKS_PATH} reason={t.reason} submit={frame.save}>
        <label class="tick">
          <input type="checkbox" name="signingLinks" checked={isAllowed} aria-describedby="signingLinks-hint" />
          <span>{t.allow}</span>
        </label>
        <div class="hint" id="signingLinks-hint">
          <CodeText text={t.allowHint} />
        </div>
        <label for="embedOrigins">
          {t.origins} <span class="quiet">({frame.optional})</span>
        </label>
        <div class="hint" id="embedOrigins-hint">
          <CodeText text={t.originsHint} />
        </div>
        <FieldError name="embedOrigins" label={t.origins} />
        <textarea
          id="embedOrigins"
          name="embedOrigins"
          rows={4}
          value={origins}
          spellcheck={false}
          {...ariaOf('embedOrigins', context.errors, t.originsHint)}
        />
      </ConfirmedForm>
    </SettingsLayout>
  )
}
