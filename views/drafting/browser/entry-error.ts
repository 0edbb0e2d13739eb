/** The error beside an entry, until the entry is changed. */

/** `name`: of the entry, or of a group of choices. */
export function clearEntryError(within: ParentNode, name: string): void {
  const area = within.querySelector<HTMLElement>(`[id="${name}-error"]`)
  if (!area || area.hidden) return
  area.hidden = true
  area.textContent = ''
  within.querySelector(`[id="${name}"]`)?.removeAttribute('aria-invalid')
}
