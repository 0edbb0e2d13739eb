/** The frame of the pages under Settings, with links to the sections that this person may open. */
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { AppTexts } from '../../src/locales/app.ts'
import { type Bundle, Layout, type PageContext, type PageUser } from '../layout.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Input, type ValidationErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { PagePerson } from '../parts/page-person.ts'
import { usePageTexts } from '../parts/page-texts.ts'
import { PasskeyButton } from '../parts/passkey.tsx'

interface Section {
  href: string
  name: keyof AppTexts['settings']['sections']
  /** That of its page. */
  access: PageUser['opens'][number]
}

interface Group {
  name: keyof AppTexts['settings']['groups']
  sections: Section[]
}

/** A section is here once its page exists. */
const SECTIONS: Group[] = [
  { name: 'you', sections: [{ href: '/profile', name: 'profile', access: 'session' }] },
  {
    name: 'programs',
    sections: [
      { href: '/settings/tokens', name: 'tokens', access: 'session' },
      { href: '/settings/webhooks', name: 'webhooks', access: 'session' },
    ],
  },
  {
    name: 'organisation',
    sections: [
      { href: '/settings/organisation', name: 'organisation', access: 'admin' },
      { href: '/settings/people', name: 'people', access: 'admin' },
      { href: '/settings/sign-in', name: 'signIn', access: 'admin' },
      { href: '/settings/email', name: 'email', access: 'admin' },
      { href: '/settings/seal', name: 'seal', access: 'admin' },
      { href: '/settings/retention', name: 'retention', access: 'admin' },
    ],
  },
  {
    name: 'operation',
    sections: [
      { href: '/settings/backups', name: 'backups', access: 'admin' },
      { href: '/settings/audit', name: 'audit', access: 'auditor' },
      { href: '/settings/health', name: 'health', access: 'auditor' },
    ],
  },
]

/** The groups and sections that somebody may open, in order. */
export function sectionsFor({ opens }: Pick<PageUser, 'opens'>): Group[] {
  return SECTIONS.flatMap(({ name, sections }) => {
    const open = sections.filter(({ access }) => opens.includes(access))
    return open.length > 0 ? [{ name, sections: open }] : []
  })
}

export type SettingsUser = PageUser

interface Props {
  context: PageContext
  user: SettingsUser
  /** Address of the section. */
  here: string
  /** A script of its own. */
  bundle?: Bundle
  children: ComponentChildren
}

export function SettingsLayout({ here, children, ...layout }: Props) {
  const { context, user } = layout
  const { label, sections: names } = context.texts.settings
  const groups = sectionsFor(user)
  const all = groups.flatMap(({ sections }) => sections)
  const current = all.find(({ href }) => href === here)
  if (all.length < 2) {
    return <Layout {...layout}>{children}</Layout>
  }
  return (
    <Layout {...layout}>
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

interface PasswordProps {
  /** False if the person has entered the password a short while ago. */
  asked: boolean
  reason: string
  errors: ValidationErrors
}

/** Asks for the person's own password again, before a change that cannot be undone. */
export function PasswordAgain({ asked, reason, errors }: PasswordProps) {
  const { label, hint } = usePageTexts().settings.password
  const { confirmFirst } = usePageTexts().openIdConnect
  const person = useContext(PagePerson)
  if (!asked) return null
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
      <Input name="password" label={label} hint={hint(reason)} type="password" autoComplete="current-password" errors={errors} />
      <OtherProofs />
    </>
  )
}

/** Below a field for the password, or in its place. `next`: by default this page. */
export function OtherProofs({ next }: { next?: string }) {
  const person = useContext(PagePerson)
  const { passkeys, openIdConnect } = usePageTexts()
  if (!person) return null
  const { hasPassword, hasPasskey, provider, path, section } = person
  if (!hasPassword && !hasPasskey && provider === undefined) return <p>{openIdConnect.confirmNoWay}</p>
  return (
    <>
      {hasPasskey && <PasskeyButton optionsFrom="/confirm/passkey" text={passkeys.confirm} />}
      {provider !== undefined && (
        <p class="other-proof">
          <LinkButton href={`/confirm/oidc?next=${encodeURIComponent(next ?? (path || section))}`}>
            {openIdConnect.confirmWith(provider)}
          </LinkButton>
        </p>
      )}
    </>
  )
}
