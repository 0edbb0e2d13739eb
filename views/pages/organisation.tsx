/** Settings → Organisation: what the organisation says of itself, and its logo. */
import { Csrf, ErrorSummary, FileInput, Input, type PageContext, Select, type ValidationErrors } from '../layout.tsx'
import { SettingsLayout, type SettingsUser } from './settings-layout.tsx'

const LABELS = {
  name: 'Name',
  contact: 'Contact',
  timeZone: 'Time zone',
  language: 'Language of mails and certificate pages',
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
  const { csrf } = user
  return (
    <SettingsLayout context={context} user={user} here="/settings/organisation">
      <h1>Organisation</h1>
      {notice && (
        <div class="note" role="status">
          {notice}
        </div>
      )}
      <ErrorSummary errors={errors} labels={LABELS} />
      <form method="post" action="/settings/organisation" class="sheet">
        <Csrf token={csrf} />
        <Input
          name="name"
          label={LABELS.name}
          hint="Everyone you ask to sign sees this name. The seal’s certificate takes it over when it is renewed."
          value={values.name}
          autoComplete="organization"
          maxLength={200}
          errors={errors}
        />
        <Input
          name="contact"
          label={LABELS.contact}
          hint="An e-mail address, shown to recipients for questions. It is also mailed what happens to documents that an API key without an owner created."
          type="email"
          value={values.contact}
          required={false}
          maxLength={254}
          errors={errors}
        />
        <Select
          name="timeZone"
          label={LABELS.timeZone}
          hint="Where your organisation is. Times on pages are shown in it; on certificate pages it stands beside UTC."
          value={values.timeZone}
          options={timeZones}
          errors={errors}
        />
        <Select
          name="language"
          label={LABELS.language}
          hint="For documents that name no language themselves."
          value={values.language}
          options={languages}
          errors={errors}
        />
        <button type="submit" class="wide">
          Save
        </button>
      </form>
      <h2>Logo</h2>
      <Logo csrf={csrf} logo={logo} errors={errors} />
    </SettingsLayout>
  )
}

function Logo({ csrf, logo, errors }: { csrf: string; logo: string | undefined; errors: ValidationErrors }) {
  return (
    <div class="sheet">
      {logo === undefined ? (
        <p class="quiet">No logo yet. It stands at the head of the certificate pages, above the organisation’s name.</p>
      ) : (
        <>
          <p class="picture">
            <img src={logo} alt="The organisation’s logo" />
          </p>
          <form method="post" action="/settings/organisation/logo/remove">
            <Csrf token={csrf} />
            <button type="submit" class="danger">
              Remove logo
            </button>
          </form>
        </>
      )}
      <form method="post" action="/settings/organisation/logo" encType="multipart/form-data">
        <Csrf token={csrf} />
        <FileInput
          label={logo === undefined ? 'Picture' : 'Another picture'}
          subject={LABELS.file}
          hint="PNG or JPEG, at most 2 MB and 4000 pixels a side."
          accept="image/png,image/jpeg"
          errors={errors}
        />
        <button type="submit" class="wide">
          Upload logo
        </button>
      </form>
    </div>
  )
}
