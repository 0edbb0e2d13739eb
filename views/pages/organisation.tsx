/** Settings → Organisation: name, contact, time zone, language and logo. */
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ActionForm, Csrf, ErrorSummary, Input, Select, type ValidationErrors } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { SettingsLayout, type SettingsUser } from './settings-layout.tsx'

interface Option {
  value: string
  text: string
}

interface Props {
  context: PageContext
  user: SettingsUser
  notice: string | undefined
  errors: ValidationErrors
  values: { name: string; contact: string; timeZone: string; language: string }
  timeZones: Option[]
  languages: Option[]
  /** Address of the picture. */
  logo: string | undefined
}

export function OrganisationPage({ context, user, notice, errors, values, timeZones, languages, logo }: Props) {
  const t = context.texts.settings.organisation
  const { name, contact, timeZone, language, logoSubject: file } = t
  const labels = { name, contact, timeZone, language, file }
  return (
    <SettingsLayout context={context} user={user} here="/settings/organisation">
      <PageHead title={t.title} />
      <Notice text={notice} />
      <ErrorSummary errors={errors} labels={labels} />
      <form method="post" action="/settings/organisation" class="sheet">
        <Csrf token={user.csrf} />
        <Input
          name="name"
          label={t.name}
          hint={t.nameHint}
          value={values.name}
          autoComplete="organization"
          maxLength={200}
          errors={errors}
        />
        <Input
          name="contact"
          label={t.contact}
          hint={t.contactHint}
          type="email"
          value={values.contact}
          required={false}
          maxLength={254}
          errors={errors}
        />
        <Select
          name="timeZone"
          label={t.timeZone}
          hint={t.timeZoneHint}
          value={values.timeZone}
          options={timeZones}
          errors={errors}
        />
        <Select
          name="language"
          label={t.language}
          hint={t.languageHint}
          value={values.language}
          options={languages}
          errors={errors}
        />
        <div class="form-actions">
          <Button kind="primary">{context.texts.frame.save}</Button>
        </div>
      </form>
      <h2>{t.logo}</h2>
      <Logo texts={context.texts} csrf={user.csrf} logo={logo} errors={errors} />
    </SettingsLayout>
  )
}

type LogoProps = Pick<Props, 'logo' | 'errors'> & { texts: AppTexts; csrf: string }

function Logo({ texts: { frame, settings }, csrf, logo, errors }: LogoProps) {
  const t = settings.organisation
  return (
    <div class="sheet">
      {logo === undefined ? (
        <p class="quiet">{t.noLogo}</p>
      ) : (
        <>
          <p class="picture">
            <img src={logo} alt={t.logoAlt} />
          </p>
          <ActionForm action="/settings/organisation/logo/remove" csrf={csrf} text={t.removeLogo} kind="danger" />
        </>
      )}
      <form method="post" action="/settings/organisation/logo" encType="multipart/form-data">
        <Csrf token={csrf} />
        <FileDrop
          choose={frame.chooseFile}
          drop={frame.orDrop}
          label={logo === undefined ? t.picture : t.anotherPicture}
          subject={t.logoSubject}
          hint={t.pictureHint}
          accept="image/png,image/jpeg"
          errors={errors}
        />
        <Button>{t.uploadLogo}</Button>
      </form>
    </div>
  )
}
