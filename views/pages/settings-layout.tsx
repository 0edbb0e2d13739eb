/** The frame of the pages under Settings, with links to the sections that this person may open. */
import type { ComponentChildren } from 'preact'
import { Layout, type PageContext, type PageUser } from '../layout.tsx'
import { Input, type ValidationErrors } from '../parts/form.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Tabs } from '../parts/tabs.tsx'

/** The link Settings in the header leads to the first section. */
const SECTIONS = [
  { href: '/settings/tokens', name: 'tokens', forAdmins: false },
  { href: '/settings/organisation', name: 'organisation', forAdmins: true },
  { href: '/settings/seal', name: 'seal', forAdmins: true },
  { href: '/outbox', name: 'email', forAdmins: true },
] as const

export type SettingsUser = PageUser

interface Props {
  context: PageContext
  user: SettingsUser
  /** Address of the section. */
  here: string
  children: ComponentChildren
}

export function SettingsLayout({ context, user, here, children }: Props) {
  const { label, sections: names } = context.texts.settings
  const sections = SECTIONS.filter(({ forAdmins }) => user.isAdmin || !forAdmins)
  return (
    <Layout context={context} user={user}>
      {sections.length > 1 && (
        <Tabs label={label} tabs={sections.map(({ href, name }) => ({ href, text: names[name], isCurrent: href === here }))} />
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
  const { label, hint } = usePageTexts().settings.password
  if (!asked) return null
  return (
    <Input name="password" label={label} hint={hint(reason)} type="password" autoComplete="current-password" errors={errors} />
  )
}
