/** Settings → Organisation: what the organisation says of itself, and its logo. */
import { Csrf, ErrorSummary, type Faults, FileInput, type Frame, Input, Select } from '../layout.tsx'
import { SettingsLayout, type SettingsUser } from './settings-frame.tsx'

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
  frame: Frame
  user: SettingsUser
  told: string | undefined
  faults: Faults
  values: { name: string; contact: string; timeZone: string; language: string }
  timeZones: Option[]
  languages: Option[]
  /** Address of the picture. */
  logo: string | undefined
}

export function OrganisationPage({ frame, user, told, faults, values, timeZones, languages, logo }: Props) {
  const { csrf } = user
  return (
    <SettingsLayout frame={frame} user={user} here="/settings/organisation">
      <h1>Organisation</h1>
      {told && (
        <div class="note" role="status">
          {told}
        </div>
      )}
      <ErrorSummary faults={faults} labels={LABELS} />
      <form method="post" action="/settings/organisation" class="sheet">
        <Csrf token={csrf} />
        <Input
          name="name"
          label={LABELS.name}
          hint="Everyone you ask to sign sees this name. The seal’s certificate takes it over when it is renewed."
          value={values.name}
          autoComplete="organization"
          maxLength={200}
          faults={faults}
        />
        <Input
          name="contact"
          label={LABELS.contact}
          hint="An e-mail address, shown to recipients for questions. It is also mailed what happens to documents that an API key without an owner created."
          type="email"
          value={values.contact}
          required={false}
          maxLength={254}
          faults={faults}
        />
        <Select
          name="timeZone"
          label={LABELS.timeZone}
          hint="Where your organisation is. Times on pages are shown in it; on certificate pages it stands beside UTC."
          value={values.timeZone}
          options={timeZones}
          faults={faults}
        />
        <Select
          name="language"
          label={LABELS.language}
          hint="For documents that name no language themselves."
          value={values.language}
          options={languages}
          faults={faults}
        />
        <button type="submit" class="wide">
          Save
        </button>
      </form>
      <h2>Logo</h2>
      <Logo csrf={csrf} logo={logo} faults={faults} />
    </SettingsLayout>
  )
}

function Logo({ csrf, logo, faults }: { csrf: string; logo: string | undefined; faults: Faults }) {
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
          faults={faults}
        />
        <button type="submit" class="wide">
          Upload logo
        </button>
      </form>
    </div>
  )
}
