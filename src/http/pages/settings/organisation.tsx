/** Settings → Organisation, with the signing links and the logo. Administrators only. */
import { composeMail } from '../../../../views/mail/mail.tsx'
import { brandCss } from '../../../../views/parts/brand-css.ts'
import { OrganisationPage } from '../../../../views/settings/organisation.tsx'
import { SigningLinkSettingsPage } from '../../../../views/settings/signing-link-settings.tsx'
import { DEFAULT_REMINDERS } from '../../../core/document/create-document.ts'
import { daysAfter } from '../../../core/document/document.ts'
import { roleOf } from '../../../core/document/new-document.ts'
import { LANGUAGES } from '../../../core/language.ts'
import { ORGANISATION_PATH, SIGNING_LINKS_PATH } from '../../../core/page-paths.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { fromMailbox, letterFacts } from '../../../documents/lifecycle/mail-facts.ts'
import { readableTime } from '../../../lib/clock-format.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import type { MailLogoFile } from '../../../ports.ts'
import { changeLogo, removeLogo } from '../../../settings/logo.ts'
import {
  changeHabits,
  changeOrganisation,
  type HabitsInput,
  type Organisation,
  readOrganisation,
} from '../../../settings/organisation.ts'
import { changeServiceSettings, readServiceSettings } from '../../../settings/service-settings.ts'
import { logoAddress } from '../../frame/brand.ts'
import { type FormState, type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import { MAIL_HEADERS } from '../../frame/page-policy.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from './settings-access.ts'

/** Above the limit of a logo, so that a larger one gets an error at its field. */
export const MAX_UPLOAD_BYTES = 16_000_000

/** All time zones, with the present one even if it is no longer listed. */
function timeZonesWith(chosen: string) {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])
  return [...zones].map(zone => ({ value: zone, text: zone }))
}

export async function page(visit: Visit, { errors = [], status = 200 }: FormState = {}): Promise<PageResponse> {
  const { app, form, texts } = visit
  const { title, notices } = texts.settings.organisation
  const current = await readOrganisation(app.db)
  const { signingLinks, embedOrigins } = await readServiceSettings(app)
  const values = {
    name: form.name ?? current.name,
    contact: form.contact ?? current.contact ?? '',
    timeZone: form.timeZone ?? current.timeZone,
    language: form.language ?? current.language,
    colour: form.colour ?? current.colour ?? '',
  }
  return {
    html: (
      <OrganisationPage
        context={visit.context(title, { errors })}
        notice={visit.noticeIn(notices)}
        values={values}
        colour={current.colour}
        habits={form.expiresInDays === undefined ? habitsOf(current) : habitsIn(form)}
        timeZones={timeZonesWith(current.timeZone)}
        languages={LANGUAGES.map(language => ({ value: language, text: LANGUAGE_NAMES[language] }))}
        logo={logoAddress(current)}
        from={(await fromMailbox(app, current.name)).name}
        signingLinks={{ isAllowed: signingLinks.value === 'on', sites: embedOrigins.value.length }}
      />
    ),
    status,
    hasFrame: true,
  }
}

export async function save(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const { name = '', contact = '', timeZone = '', language = '', colour = '' } = visit.form
  const input = { name, contact, timeZone, language, colour }
  const result = await runFormAction(() => changeOrganisation(visit.app, origin, input))
  return 'errors' in result ? page(visit, result) : { redirect: `${ORGANISATION_PATH}?notice=saved` }
}

function habitsIn(form: Record<string, string>): HabitsInput {
  const text = (name: string) => form[name]?.trim() ?? ''
  return {
    expiresInDays: text('expiresInDays'),
    reminds: form.reminds === 'on',
    firstAfterDays: text('firstAfterDays'),
    everyDays: text('everyDays'),
    maxReminders: text('maxReminders'),
    quietFrom: text('quietFrom'),
    quietTo: text('quietTo'),
    quietWeekends: form.quietWeekends === 'on',
    deviceKey: text('deviceKey'),
  }
}

function habitsOf({ defaults, quietHours, deviceKey }: Organisation): HabitsInput {
  const { firstAfterDays, everyDays, max } = defaults.reminders ?? DEFAULT_REMINDERS
  const hasHours = quietHours !== undefined && quietHours.from !== quietHours.to
  return {
    expiresInDays: String(defaults.expiresInDays),
    reminds: defaults.reminders !== undefined,
    firstAfterDays: String(firstAfterDays),
    everyDays: String(everyDays),
    maxReminders: String(max),
    quietFrom: hasHours ? quietHours.from : '',
    quietTo: hasHours ? quietHours.to : '',
    quietWeekends: quietHours?.weekends ?? false,
    deviceKey,
  }
}

export async function saveHabits(visit: Visit): Promise<PageResponse> {
  const result = await runFormAction(() => changeHabits(visit.app, originOf(visit), habitsIn(visit.form)))
  return 'errors' in result ? page(visit, result) : { redirect: `${ORGANISATION_PATH}?notice=habits` }
}

export async function postLogo(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const result = await runFormAction(async () => {
    if (!visit.file) refuseIfInvalid(errorsIn([['file', violation('not_chosen')]]))
    await changeLogo(visit.app, origin, visit.file?.bytes ?? new Uint8Array())
  })
  return 'errors' in result ? page(visit, result) : { redirect: `${ORGANISATION_PATH}?notice=logo` }
}

/** The logo as it was uploaded. The policy makes it harmless even if it were not a picture. */
export async function getLogo(visit: Visit): Promise<PageResponse> {
  const { logoSha256 } = await readOrganisation(visit.app.db)
  if (logoSha256 === undefined) throw new Refusal('not_found', violation('no_logo'))
  const bytes = await visit.app.storage.read(logoSha256)
  const headers = {
    'content-type': bytes[0] === 0xff ? 'image/jpeg' : 'image/png',
    'cache-control': 'public, max-age=3600',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
  return { response: new Response(bytes as Uint8Array<ArrayBuffer>, { headers }) }
}

export async function getBrandStyleSheet({ app }: Visit): Promise<PageResponse> {
  const { colour } = await readOrganisation(app.db)
  if (colour === undefined) throw new Refusal('not_found', violation('no_colour'))
  const headers = {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=3600',
    'cross-origin-resource-policy': 'same-origin',
  }
  return { response: new Response(brandCss(colour), { headers }) }
}

/** As the signed-in person would send one. The frame loads nothing, so the logo is in the text. */
export async function sampleMail(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const organisation = await readOrganisation(app.db)
  const { language, timeZone, defaults } = organisation
  const { name, email } = sessionOf(visit).user
  const facts = await letterFacts(app, organisation, { name, email: '' }, language, { name, address: email })
  const { document: title, message } = facts.texts.sample
  const logo = facts.logo && { ...facts.logo, src: dataUrl(facts.logo) }
  const expires = readableTime(daysAfter(app.now(), defaults.expiresInDays), timeZone, language)
  const asked = { title, message, sender: name, role: roleOf({}), link: app.config.baseUrl, expires, toSender: false } as const
  const nobody = { by: undefined, to: undefined, reason: undefined, attached: false }
  const { html } = composeMail('invitation', { ...facts, ...asked, ...nobody, logo })
  return { response: new Response(html, { headers: MAIL_HEADERS }) }
}

const dataUrl = ({ content }: MailLogoFile) => `data:image/png;base64,${Buffer.from(content).toString('base64')}`

export async function postRemoveLogo(visit: Visit): Promise<PageResponse> {
  await removeLogo(visit.app, originOf(visit))
  return { redirect: `${ORGANISATION_PATH}?notice=no-logo` }
}

// Settings → Organisation → Signing links. Administrators only.

export async function signingLinkSettingsPage(
  visit: Visit,
  { errors = [], status = 200, asksForPassword }: FormState = {},
): Promise<PageResponse> {
  const { form, texts } = visit
  const { signingLinks, embedOrigins } = await readServiceSettings(visit.app)
  const t = texts.settings.signingLinks
  const isSent = form.embedOrigins !== undefined
  return {
    html: (
      <SigningLinkSettingsPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        isAllowed={isSent ? form.signingLinks === 'on' : signingLinks.value === 'on'}
        origins={form.embedOrigins ?? embedOrigins.value.join('\n')}
      />
    ),
    status,
  }
}

export async function saveSigningLinkSettings(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const origin = originOf(visit)
  const signingLinks = form.signingLinks === 'on' ? 'on' : ''
  const embedOrigins = (form.embedOrigins ?? '').trim()
  const result = await runConfirmedAction(visit, () =>
    app.write(tx => changeServiceSettings(tx, app, origin, { signingLinks, embedOrigins })),
  )
  return 'errors' in result ? signingLinkSettingsPage(visit, result) : { redirect: `${SIGNING_LINKS_PATH}?notice=saved` }
}
