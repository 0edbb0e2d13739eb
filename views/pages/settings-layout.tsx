/** The frame of the pages under Settings, with links to the sections that this person may open. */
import type { ComponentChildren } from 'preact'
import { Layout, type PageContext, type PageUser } from '../layout.tsx'
import { Input, type ValidationErrors } from '../parts/form.tsx'
import { Tabs } from '../parts/tabs.tsx'

/** The link Settings in the header leads to the first section. */
const SECTIONS = [
  { href: '/settings/tokens', name: 'API tokens', forAdmins: false },
  { href: '/settings/organisation', name: 'Organisation', forAdmins: true },
  { href: '/settings/seal', name: 'Seal', forAdmins: true },
  { href: '/outbox', name: 'E-mail', forAdmins: true },
]

export type SettingsUser = PageUser

interface Props {
  context: PageContext
  user: SettingsUser
  /** Address of the section. */
  here: string
  children: ComponentChildren
}

export function SettingsLayout({ context, user, here, children }: Props) {
  const sections = SECTIONS.filter(({ forAdmins }) => user.isAdmin || !forAdmins)
  return (
    <Layout context={context} user={user}>
      {sections.length > 1 && (
        <Tabs label="Settings" tabs={sections.map(({ href, name }) => ({ href, text: name, isCurrent: href === here }))} />
      )}
      {children}
    </Layout>
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
  if (!asked) return null
  return (
    <Input
      name="password"
      label="Your password"
      hint={`${reason} Please enter your password again.`}
      type="password"
      autoComplete="current-password"
      errors={errors}
    />
  )
}
