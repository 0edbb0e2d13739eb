/** The frame of every page under Settings: the rooms there, and which of them this person may enter. */
import type { ComponentChildren } from 'preact'
import { type Frame, Input, Layout, type ValidationErrors } from '../layout.tsx'

interface SettingsRoom {
  href: string
  name: string
  forAdmins: boolean
}

/** The first is where Settings in the header leads. */
const ROOMS: SettingsRoom[] = [
  { href: '/settings/tokens', name: 'API tokens', forAdmins: false },
  { href: '/settings/organisation', name: 'Organisation', forAdmins: true },
  { href: '/settings/seal', name: 'Seal', forAdmins: true },
]

export interface SettingsUser {
  name: string
  csrf: string
  room: string
  isAdmin: boolean
}

interface Props {
  frame: Frame
  user: SettingsUser
  /** Address of the room. */
  here: string
  children: ComponentChildren
}

/** What only administrators enter is not shown to others; a single room needs no way to it. */
export function SettingsLayout({ frame, user, here, children }: Props) {
  const rooms = ROOMS.filter(room => user.isAdmin || !room.forAdmins)
  return (
    <Layout frame={frame} user={user}>
      {rooms.length > 1 && (
        <nav class="rooms" aria-label="Settings">
          {rooms.map(room => (
            <a key={room.href} href={room.href} {...(room.href === here ? { 'aria-current': 'page' as const } : {})}>
              {room.name}
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
