/** Arranges several fields, and copies fields to other pages. */
import { useState } from 'preact/hooks'
import type { IconName } from '../../parts/icons.ts'
import type { Alignment } from './arrange.ts'
import type { Target } from './copies.ts'
import { PlainButton, ToolButton, type Ui } from './ui.tsx'

const ALIGNMENT_ICONS: Record<Alignment, IconName> = {
  left: 'align-start-vertical',
  centre: 'align-center-vertical',
  right: 'align-end-vertical',
  top: 'align-start-horizontal',
  middle: 'align-center-horizontal',
  bottom: 'align-end-horizontal',
}

export function Arrange({ ui: { actions, texts } }: { ui: Ui }) {
  return (
    <fieldset class="arrange">
      <legend>{texts.arrange}</legend>
      {(Object.keys(ALIGNMENT_ICONS) as Alignment[]).map(to => (
        <ToolButton key={to} icon={ALIGNMENT_ICONS[to]} label={texts.alignments[to]} onPress={() => actions.align(to)} />
      ))}
      <ToolButton icon="align-horizontal-space-between" label={texts.distributeX} onPress={() => actions.distribute('x')} />
      <ToolButton icon="align-vertical-space-between" label={texts.distributeY} onPress={() => actions.distribute('y')} />
      <ToolButton icon="move-horizontal" label={texts.sameWidth} onPress={() => actions.equalise(['width'])} />
      <ToolButton icon="move-vertical" label={texts.sameHeight} onPress={() => actions.equalise(['height'])} />
      <ToolButton icon="scaling" label={texts.sameSize} onPress={() => actions.equalise(['width', 'height'])} />
    </fieldset>
  )
}

const TARGETS = ['all', 'butFirst', 'butLast', 'range'] as const
type TargetName = (typeof TARGETS)[number]

export function CopyToPages({ ui: { actions, pages, texts } }: { ui: Ui }) {
  const [name, setName] = useState<TargetName>('all')
  const [from, setFrom] = useState(1)
  const [to, setTo] = useState(pages.count)
  if (pages.count < 2) return null
  const target: Target = name === 'range' ? { from, to } : name
  return (
    <div class="property copy-to-pages">
      <label for="copy-to">{texts.copyToPages}</label>
      <div class="row">
        <select id="copy-to" value={name} onChange={event => setName(event.currentTarget.value as TargetName)}>
          {TARGETS.map(each => (
            <option key={each} value={each}>
              {texts.targets[each]}
            </option>
          ))}
        </select>
        <PlainButton icon="copy" onPress={() => actions.copies.toPages(target)}>
          {texts.copy}
        </PlainButton>
      </div>
      {name === 'range' && (
        <div class="row">
          <PageInput id="copy-from-page" label={texts.from} value={from} max={pages.count} onChange={setFrom} />
          <PageInput id="copy-to-page" label={texts.to} value={to} max={pages.count} onChange={setTo} />
        </div>
      )}
    </div>
  )
}

interface PageInputProps {
  id: string
  label: string
  value: number
  max: number
  onChange(page: number): void
}

function PageInput({ id, label, value, max, onChange }: PageInputProps) {
  return (
    <span class="page-input">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={1}
        max={max}
        value={value}
        onChange={event => onChange(Math.min(Math.max(Math.round(event.currentTarget.valueAsNumber) || 1, 1), max))}
      />
    </span>
  )
}
