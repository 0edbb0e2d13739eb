/** The context of every page under Settings: the sections there, and which of them this person may enter. */
import type { ComponentChildren } from 'preact'
import { Input, Layout, type PageContext, type ValidationErrors } from '../layout.tsx'

interface SettingsSection {
  href: string
  name: string
  forAdmins: boolean
}

/** The first is where Settings in the header leads. */
const SECTIONS: SettingsSection[] = [
  { href: '/settings/tokens', name: 'API tokens', forAdmins: false },
  { href: '/settings/organisation', name: 'Organisation', forAdmins: true },
  { href: '/settings/seal', name: 'Seal', forAdmins: true },
]

export interface SettingsUser {
  name: string
  csrf: string
  section: string
  isAdmin: boolean
}

interface Props {
  context: PageContext
  user: SettingsUser
  /** Address of the section. */
  here: string
  children: ComponentChildren
}

/** What only administrators enter is not shown to others; a single section needs no way to it. */
export function SettingsLayout({ context, user, here, children }: Props) {
  const sections = SECTIONS.filter(section => user.isAdmin || !section.forAdmins)
  return (
    <Layout context={context} user={user}>
      {sections.length > 1 && (
        <nav class="sections" aria-label="Settings">
          {sections.map(section => (
            <a key={section.href} href={section.href} {...(section.href === here ? { 'aria-current': 'page' as const } : {})}>
              {section.name}
            </a>
          ))}
        </nav>
      )}
      {children}
    </Layout>
  )
}

/** The person's own password once more, before what cannot be taken back; `why` says what for. Nothing where it was given a moment ago. */
export function PasswordAgain({ asked, why, errors }: { asked: boolean; why: string; errors: ValidationErrors }) {
  if (!asked) return null
  return (
    <Input
      name="password"
      label="Your password"
      hint={`${why} So we ask for your password again.`}
      type="password"
      autoComplete="current-password"
      errors={errors}
    />
  )
}
