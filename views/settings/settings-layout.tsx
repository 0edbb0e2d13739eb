/** The frame of the pages under Settings, with links to the sections that this person may open. */
import type { ComponentChildren } from 'preact'
import {
  AUDIT_PATH,
  BACKUPS_PATH,
  CONFIRM_PATH,
  HEALTH_PATH,
  MAIL_PATH,
  ORGANISATION_PATH,
  PEOPLE_PATH,
  PROFILE_PATH,
  RETENTION_PATH,
  SEAL_PATH,
  SETTINGS_PATH,
  SIGN_IN_SETTINGS_PATH,
  TOKENS_PATH,
  WEBHOOKS_PATH,
} from '../../src/core/page-paths.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { type Bundle, Layout, type PageContext, type SignedInPerson } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, Input } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { usePage, usePageTexts } from '../parts/page-texts.ts'
import { PasskeyButton } from '../parts/passkey.tsx'

interface Section {
  href: string
  name: keyof AppTexts['settings']['sections']
  /** That of its page. */
  access: SignedInPerson['opens'][number]
}

interface Group {
  name: keyof AppTexts['settings']['groups']
  sections: Section[]
}

/** A section is here once its page exists. */
const SECTIONS: Group[] = [
  { name: 'you', sections: [{ href: PROFILE_PATH, name: 'profile', access: 'session' }] },
  {
    name: 'programs',
    sections: [
      { href: TOKENS_PATH, name: 'tokens', access: 'session' },
      { href: WEBHOOKS_PATH, name: 'webhooks', access: 'session' },
    ],
  },
  {
    name: 'organisation',
    sections: [
      { href: ORGANISATION_PATH, name: 'organisation', access: 'admin' },
      { href: PEOPLE_PATH, name: 'people', access: 'admin' },
      { href: SIGN_IN_SETTINGS_PATH, name: 'signIn', access: 'admin' },
      { href: MAIL_PATH, name: 'email', access: 'admin' },
      { href: SEAL_PATH, name: 'seal', access: 'admin' },
      { href: RETENTION_PATH, name: 'retention', access: 'admin' },
    ],
  },
  {
    name: 'operation',
    sections: [
      { href: BACKUPS_PATH, name: 'backups', access: 'admin' },
      { href: AUDIT_PATH, name: 'audit', access: 'auditor' },
      { href: HEALTH_PATH, name: 'health', access: 'auditor' },
    ],
  },
]

/** The groups and sections that somebody may open, in order. */
export function sectionsFor({ opens }: Pick<SignedInPerson, 'opens'>): Group[] {
  return SECTIONS.flatMap(({ name, sections }) => {
    const open = sections.filter(({ access }) => opens.includes(access))
    return open.length > 0 ? [{ name, sections: open }] : []
  })
}

interface Props {
  context: PageContext
  /** Address of the section. */
  here: string
  /** A script of its own. */
  bundle?: Bundle
  children: ComponentChildren
}

export function SettingsLayout({ here, children, ...layout }: Props) {
  const { context } = layout
  const { label, sections: names } = context.texts.settings
  const groups = context.user ? sectionsFor(context.user) : []
  const all = groups.flatMap(({ sections }) => sections)
  const current = all.find(({ href }) => href === here)
  if (all.length < 2) {
    return (
      <Layout {...layout} section={SETTINGS_PATH}>
        {children}
      </Layout>
    )
  }
  return (
    <Layout {...layout} section={SETTINGS_PATH}>
      <div class="settings">
        <nav class="settings-list" aria-label={label}>
          <Groups groups={groups} here={here} place="list" />
        </nav>
        <nav class="settings-menu" aria-label={label}>
          <details>
            <summary>
              <span class="quiet">{label}</span>
              <span>{current && names[current.name]}</span>
              <Icon name="chevron-down" />
            </summary>
            <Groups groups={groups} here={here} place="menu" />
          </details>
        </nav>
        <div class="settings-page">{children}</div>
      </div>
    </Layout>
  )
}

function Groups({ groups, here, place }: { groups: Group[]; here: string; place: 'list' | 'menu' }) {
  const t = usePageTexts().settings
  return (
    <div class="settings-groups">
      {groups.map(({ name, sections }) => (
        <div key={name}>
          <p id={`${place}-${name}`}>{t.groups[name]}</p>
          <ul aria-labelledby={`${place}-${name}`}>
            {sections.map(section => (
              <li key={section.href}>
                <a href={section.href} {...(section.href === here ? { 'aria-current': 'page' as const } : {})}>
                  {t.sections[section.name]}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** Asks for the person's own password again, unless it was entered a short while ago. */
export function PasswordAgain({ reason }: { reason: string }) {
  const { label, hint } = usePageTexts().settings.password
  const { confirmFirst } = usePageTexts().openIdConnect
  const { person, asksForPassword } = usePage()
  if (!asksForPassword) return null
  if (person && !person.hasPassword) {
    return (
      <>
        <p>{confirmFirst(reason)}</p>
        <OtherProofs />
      </>
    )
  }
  return (
    <>
      <Input name="password" label={label} hint={hint(reason)} type="password" autoComplete="current-password" />
      <OtherProofs />
    </>
  )
}

interface ConfirmedFormProps {
  action: string
  reason: string
  submit: string
  kind?: 'primary' | 'danger' | 'plain'
  /** The page that the person goes back to without a change. */
  cancel?: string
  children?: ComponentChildren
}

/** A form that asks for the password again. */
export function ConfirmedForm({ action, reason, submit, kind = 'primary', cancel, children }: ConfirmedFormProps) {
  return (
    <form method="post" action={action} class="sheet">
      <Csrf />
      {children}
      <PasswordAgain reason={reason} />
      <div class="form-actions">
        <Button kind={kind}>{submit}</Button>
        {cancel !== undefined && <a href={cancel}>{usePageTexts().frame.cancel}</a>}
      </div>
    </form>
  )
}

/** Below a field for the password, or in its place. `next`: by default this page. */
export function OtherProofs({ next }: { next?: string }) {
  const { person } = usePage()
  const { passkeys, openIdConnect } = usePageTexts()
  if (!person) return null
  const { hasPassword, hasPasskey, provider, path, section } = person
  if (!hasPassword && !hasPasskey && provider === undefined) return <p>{openIdConnect.confirmNoWay}</p>
  return (
    <>
      {hasPasskey && <PasskeyButton optionsFrom={`${CONFIRM_PATH}/passkey`} text={passkeys.confirm} />}
      {provider !== undefined && (
        <p class="other-proof">
          <LinkButton href={`${CONFIRM_PATH}/oidc?next=${encodeURIComponent(next ?? (path || section))}`}>
            {openIdConnect.confirmWith(provider)}
          </LinkButton>
        </p>
      )}
    </>
  )
}
