/** One choice among a few, each with its explanation. */
import { type ComponentChildren, Fragment } from 'preact'
import { ariaOf, FieldError, useErrors, type ValidationErrors } from './form.tsx'

export interface Choice {
  value: string
  text: string
  hint?: string | undefined
  /** Fields that belong to this choice. */
  more?: ComponentChildren
}

interface Props {
  name: string
  legend: string
  /** Nothing is chosen beforehand if it is none of the values. */
  value: string
  choices: readonly Choice[]
  errors?: ValidationErrors
  disabled?: boolean
}

/** The links of an error summary lead to the first choice. */
export function Choices({ name, legend, value, choices, errors: own, disabled = false }: Props) {
  const errors = useErrors(own)
  return (
    <fieldset class="choices" disabled={disabled} {...ariaOf(name, errors)}>
      <legend>{legend}</legend>
      <FieldError name={name} label={legend} errors={errors} />
      {choices.map((choice, i) => (
        <Fragment key={choice.value}>
          <label class="tick">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              {...(i === 0 ? { id: name } : {})}
            />
            <span>
              {choice.text}
              {choice.hint && <span class="hint choice-hint">{choice.hint}</span>}
            </span>
          </label>
          {choice.more && <div class="choice-more">{choice.more}</div>}
        </Fragment>
      ))}
    </fieldset>
  )
}

interface TicksProps {
  legend: string
  /** Read out, but not shown. */
  isLegendUnseen?: boolean
  /** The name of each tick is this and its value. */
  prefix: string
  chosen: readonly string[]
  choices: readonly (Choice & { code?: string })[]
}

/** Any number of choices. */
export function Ticks({ legend, isLegendUnseen = false, prefix, chosen, choices }: TicksProps) {
  return (
    <fieldset class="choices ticks">
      <legend class={isLegendUnseen ? 'unseen' : undefined}>{legend}</legend>
      {choices.map(({ value, text, hint, code }) => (
        <label key={value} class="tick">
          <input type="checkbox" name={`${prefix}${value}`} checked={chosen.includes(value)} />
          <span>
            {text} {code && <code class="quiet">{code}</code>}
            {hint && <span class="hint choice-hint">{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
