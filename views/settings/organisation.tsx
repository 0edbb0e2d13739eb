/** Settings → Organisation: how it appears, and what its documents begin with. */
import { ACTION_COLOUR, brandColours } from '../../src/core/colour.ts'
import { ORGANISATION_PATH, SIGNING_LINKS_PATH } from '../../src/core/page-paths.ts'
import { MAX_ORGANISATION_NAME } from '../../src/core/service-limits.ts'
import { DEVICE_KEY_RULES } from '../../src/core/signing/device-key.ts'
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { BrowserZone } from '../parts/browser-zone.tsx'
import { Button } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ActionForm, Csrf, ErrorSummary, FieldError, Input, Select, useAria } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { SettingsLayout } from './settings-layout.tsx'

interface Option {
  value: string
  text: string
}

interface Props {
  context: PageContext
  notice: string | undefined
  values: { name: string; contact: string; timeZone: string; language: string; colour: string }
  /** In force. */
  colour: string | undefined
  habits: HabitValues
  timeZones: Option[]
  languages: Option[]
  /** Address of the picture. */
  logo: string | undefined
  /** How the sender of e-mails is shown. */
  from: string
  signingLinks: SigningLinks
}

interface SigningLinks {
  isAllowed: boolean
  /** Sites that may show them in a frame. */
  sites: number
}

export function OrganisationPage(props: Props) {
  const { context, notice, values, timeZones, languages, logo, colour, habits, from } = props
  const t = context.texts.settings.organisation
  const { name, contact, timeZone, language, logoSubject: file } = t
  const { label: deviceKey } = context.texts.deviceKeys
  const labels = { ...t.habits, deviceKey, name, contact, timeZone, language, file, colour: t.colour }
  return (
    <SettingsLayout context={context} here={ORGANISATION_PATH} bundle="settings">
      <PageHead title={t.title} />
      <Notice text={notice} />
      <ErrorSummary labels={labels} />
      <form method="post" action={ORGANISATION_PATH} class="sheet">
        <Csrf />
        <Input
          name="name"
          label={t.name}
          hint={t.nameHint}
          value={values.name}
          autoComplete="organization"
          maxLength={MAX_ORGANISATION_NAME}
        />
        <Input
          name="contact"
          label={t.contact}
          hint={t.contactHint}
          type="email"
          value={values.contact}
          required={false}
          maxLength={MAX_EMAIL_LENGTH}
        />
        <Select name="timeZone" label={t.timeZone} hint={t.timeZoneHint} value={values.timeZone} options={timeZones} />
        <BrowserZone list="timeZone" texts={context.texts.frame} />
        <Select name="language" label={t.language} hint={t.languageHint} value={values.language} options={languages} />
        <Input
          name="colour"
          label={t.colour}
          hint={t.colourHint}
          value={values.colour}
          required={false}
          maxLength={7}
          autoComplete="off"
          spellcheck={false}
          beside={<input type="color" hidden value={ACTION_COLOUR} aria-label={t.pickColour} data-colour-of="colour" />}
        />
        <ColourSamples colour={colour} texts={t} />
        <div class="form-actions">
          <Button kind="primary">{context.texts.frame.save}</Button>
        </div>
      </form>
      <h2>{t.logo}</h2>
      <Logo texts={context.texts} logo={logo} />
      <h2>{t.sample.title}</h2>
      <p class="quiet">{t.sample.text(from)}</p>
      <iframe class="mail-frame" title={t.sample.title} src={`${ORGANISATION_PATH}/mail`} sandbox="" loading="lazy" />
      <Habits values={habits} texts={context.texts} />
      <SigningLinkState {...props.signingLinks} texts={context.texts} />
    </SettingsLayout>
  )
}

/** How buttons look to recipients, in both themes. The script follows what is typed. */
function ColourSamples({ colour, texts: t }: { colour: string | undefined; texts: OrganisationTexts }) {
  const { light, dark } = brandColours(colour ?? ACTION_COLOUR)
  const samples = [
    { scheme: 'light', name: t.light, ground: '#ffffff', ...light },
    { scheme: 'dark', name: t.dark, ground: '#161c28', ...dark },
  ]
  return (
    <p class="colour-samples" hidden={colour === undefined}>
      {samples.map(({ scheme, name, ground, action, on }) => (
        <svg
          key={name}
          data-colour-sample={scheme}
          width="168"
          height="64"
          viewBox="0 0 168 64"
          role="img"
          aria-label={`${name}: ${action}`}
        >
          <rect x="0.5" y="0.5" width="167" height="63" rx="8" fill={ground} stroke="#7d879c" />
          <rect x="24" y="14" width="120" height="36" rx="8" fill={action} data-action />
          <text x="84" y="37" text-anchor="middle" font-size="15" font-weight="500" fill={on}>
            {name}
          </text>
        </svg>
      ))}
    </p>
  )
}

interface HabitValues {
  expiresInDays: string
  reminds: boolean
  firstAfterDays: string
  everyDays: string
  maxReminders: string
  quietFrom: string
  quietTo: string
  quietWeekends: boolean
  deviceKey: string
}

interface HabitsProps {
  values: HabitValues
  texts: AppTexts
}

/** What new documents begin with, and when nobody is reminded. */
function Habits({ values, texts }: HabitsProps) {
  const t = texts.settings.organisation.habits
  const number = (name: 'expiresInDays' | 'firstAfterDays' | 'everyDays' | 'maxReminders') => (
    <div class="review-number">
      <Input name={name} label={t[name]} value={values[name]} inputMode="numeric" maxLength={4} required={false} note="" />
    </div>
  )
  return (
    <form method="post" action={`${ORGANISATION_PATH}/documents`}>
      <Csrf />
      <h2>{t.title}</h2>
      <div class="sheet">
        <p>{t.text}</p>
        {number('expiresInDays')}
        <fieldset class="review-reminders">
          <legend>{t.reminders}</legend>
          <label class="tick">
            <input type="checkbox" name="reminds" checked={values.reminds} />
            <span>{t.reminds}</span>
          </label>
          <div class="review-numbers">
            {number('firstAfterDays')}
            {number('everyDays')}
            {number('maxReminders')}
          </div>
        </fieldset>
        <fieldset>
          <legend>{t.quiet}</legend>
          <p class="hint" id="quiet-hint">
            {t.quietText}
          </p>
          <div class="review-numbers">
            {(['quietFrom', 'quietTo'] as const).map(name => (
              <div key={name}>
                <label for={name}>{t[name]}</label>
                <FieldError name={name} label={t[name]} />
                <input id={name} name={name} type="time" value={values[name]} {...useAria(name)} />
              </div>
            ))}
          </div>
          <label class="tick">
            <input type="checkbox" name="quietWeekends" checked={values.quietWeekends} />
            <span>{t.quietWeekends}</span>
          </label>
        </fieldset>
        <Select
          name="deviceKey"
          label={texts.deviceKeys.label}
          hint={texts.deviceKeys.hint}
          value={values.deviceKey}
          options={DEVICE_KEY_RULES.map(value => ({ value, text: texts.deviceKeys.rules[value] ?? '' }))}
        />
        <div class="form-actions">
          <Button>{texts.frame.save}</Button>
        </div>
      </div>
    </form>
  )
}

function SigningLinkState({ isAllowed, sites, texts }: SigningLinks & { texts: AppTexts }) {
  const t = texts.settings.signingLinks
  return (
    <>
      <h2>{t.section}</h2>
      <div class="sheet">
        <p>
          {isAllowed ? t.on : t.off} {isAllowed && sites > 0 && t.framed(sites)}
        </p>
        <p class="form-actions">
          <a class="button plain" href={SIGNING_LINKS_PATH} aria-label={`${t.change}: ${t.section}`}>
            {t.change}
          </a>
        </p>
      </div>
    </>
  )
}

type OrganisationTexts = AppTexts['settings']['organisation']

type LogoProps = Pick<Props, 'logo'> & { texts: AppTexts }

function Logo({ texts: { frame, settings }, logo }: LogoProps) {
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
          <ActionForm action={`${ORGANISATION_PATH}/logo/remove`} text={t.removeLogo} kind="danger" />
        </>
      )}
      <form method="post" action={`${ORGANISATION_PATH}/logo`} encType="multipart/form-data">
        <Csrf />
        <FileDrop
          choose={frame.chooseFile}
          drop={frame.orDrop}
          label={logo === undefined ? t.picture : t.anotherPicture}
          subject={t.logoSubject}
          hint={t.pictureHint}
          accept="image/png,image/jpeg"
        />
        <Button>{t.uploadLogo}</Button>
      </form>
    </div>
  )
}
