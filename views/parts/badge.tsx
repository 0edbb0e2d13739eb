/** A state in a word, with its colour and icon. */
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

export const TONE_ICONS: Record<Tone, IconName> = {
  neutral: 'circle-dashed',
  info: 'info',
  good: 'circle-check',
  warn: 'triangle-alert',
  bad: 'circle-alert',
}

export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName | undefined; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon ?? TONE_ICONS[tone]} />
      <span>{children}</span>
    </span>
  )
}

/** A number beside a word, as on a tab. */
export function Count({ value }: { value: number | string }) {
  return <span class="count">{value}</span>
}
