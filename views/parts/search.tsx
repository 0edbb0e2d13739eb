/** The search above a list: a form, so that each search has an address. */
import { MAX_QUERY_LENGTH } from '../../src/core/document/document-limits.ts'
import { Button } from './button.tsx'

interface Props {
  /** The address of the list. */
  action: string
  /** Says what is searched, also inside the empty field. */
  label: string
  button: string
  value: string
}

export function ListSearch({ action, label, button, value }: Props) {
  return (
    <search>
      <form method="get" action={action} class="list-search">
        <label class="unseen" for="q">
          {label}
        </label>
        <input type="search" id="q" name="q" value={value} maxLength={MAX_QUERY_LENGTH} placeholder={label} data-search />
        <Button icon="search" type="submit">
          {button}
        </Button>
      </form>
    </search>
  )
}
