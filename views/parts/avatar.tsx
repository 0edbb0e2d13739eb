/** People as initials in their colour. The name is read out; the colour repeats after eight. */
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { initialsOf, personClass } from './initials.ts'

export interface AvatarProps {
  name: string
  index?: number
  /** Shown at the corner, such as `check` for one who has signed. */
  icon?: IconName | undefined
  tone?: 'good' | 'bad' | undefined
  /** False where the name is beside it. */
  named?: boolean
}

export function Avatar({ name, index = 0, icon, tone = 'good', named = false }: AvatarProps) {
  const initials = initialsOf(name)
  return (
    <span class={`avatar ${personClass(index)}`} {...(named ? { title: name } : {})}>
      <span aria-hidden="true">{initials || <Icon name="user" />}</span>
      {named && <span class="unseen">{name}</span>}
      {icon && (
        <span class={`avatar-sign ${tone}`}>
          <Icon name={icon} />
        </span>
      )}
    </span>
  )
}

/** The rest is counted. */
const MAX_AVATARS = 4

export function AvatarStack({ people }: { people: readonly Omit<AvatarProps, 'named'>[] }) {
  const shown = people.length > MAX_AVATARS ? people.slice(0, MAX_AVATARS - 1) : people
  const rest = people.slice(shown.length)
  return (
    <span class="avatars">
      {shown.map((person, i) => (
        <Avatar key={`${i}-${person.name}`} index={i} {...person} named />
      ))}
      {rest.length > 0 && (
        <span class="avatar rest" title={rest.map(({ name }) => name).join(', ')}>
          <span aria-hidden="true">+{rest.length}</span>
          <span class="unseen">{rest.map(({ name }) => name).join(', ')}</span>
        </span>
      )}
    </span>
  )
}
