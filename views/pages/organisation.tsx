/** Settings → Organisation: name, contact, time zone, language and logo. */
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ActionForm, Csrf, ErrorSummary, Input, Select, type ValidationErrors } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { SettingsLayout, type SettingsUser } from './settings-layout.tsx'

const LABELS = {
  name: 'Name',
  contact: 'Contact',
  timeZone: 'Time zone',
  language: 'Language',
  file: 'The logo',
}

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
  return (
    <SettingsLayout context={context} user={user} here="/settings/organisation">
      <PageHead title="Organisation" />
      <Notice text={notice} />
      <ErrorSummary errors={errors} labels={LABELS} />
      <form method="post" action="/settings/organisation" class="sheet">
        <Csrf token={user.csrf} />
        <Input
          name="name"
          label={LABELS.name}
          hint="Everyone you ask to sign sees this name. The next seal certificate will carry it too."
          value={values.name}
          autoComplete="organization"
          maxLength={200}
          errors={errors}
        />
        <Input
          name="contact"
          label={LABELS.contact}
          hint="An e-mail address that recipients can send questions to. It also receives the notifications about documents that an API token without an owner created."
          type="email"
          value={values.contact}
          required={false}
          maxLength={254}
          errors={errors}
        />
        <Select
          name="timeZone"
          label={LABELS.timeZone}
          hint="Times on pages are shown in this time zone. The audit certificate shows it next to UTC."
          value={values.timeZone}
          options={timeZones}
          errors={errors}
        />
        <Select
          name="language"
          label={LABELS.language}
          hint="The language of e-mails and audit certificates for documents that do not specify one."
          value={values.language}
          options={languages}
          errors={errors}
        />
        <div class="form-actions">
          <Button kind="primary">Save</Button>
        </div>
      </form>
      <h2>Logo</h2>
      <Logo frame={context.texts.frame} csrf={user.csrf} logo={logo} errors={errors} />
    </SettingsLayout>
  )
}

type LogoProps = Pick<Props, 'logo' | 'errors'> & { frame: AppTexts['frame']; csrf: string }

function Logo({ frame, csrf, logo, errors }: LogoProps) {
  return (
    <div class="sheet">
      {logo === undefined ? (
        <p class="quiet">No logo yet. It is printed at the top of the audit certificate, above the organisation’s name.</p>
      ) : (
        <>
          <p class="picture">
            <img src={logo} alt="The organisation’s logo" />
          </p>
          <ActionForm action="/settings/organisation/logo/remove" csrf={csrf} text="Remove logo" kind="danger" />
        </>
      )}
      <form method="post" action="/settings/organisation/logo" encType="multipart/form-data">
        <Csrf token={csrf} />
        <FileDrop
          choose={frame.chooseFile}
          drop={frame.orDrop}
          label={logo === undefined ? 'Picture' : 'Another picture'}
          subject={LABELS.file}
          hint="PNG or JPEG, at most 2 MB and 4000 by 4000 pixels."
          accept="image/png,image/jpeg"
          errors={errors}
        />
        <Button>Upload logo</Button>
      </form>
    </div>
  )
}
