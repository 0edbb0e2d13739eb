/** Ticked rows: how many, and all at once. The rows are replaced when the page updates itself. */

export function upgradeTicks(within: ParentNode): void {
  for (const bar of within.querySelectorAll<HTMLFormElement>('form[data-ticks]')) upgrade(bar)
}

const boxesOf = (form: HTMLFormElement) =>
  [...form.elements].filter((e): e is HTMLInputElement => e instanceof HTMLInputElement && e.name.startsWith('pick.'))

function upgrade(form: HTMLFormElement): void {
  const all = form.querySelector<HTMLInputElement>('[data-tick-all]')
  const shown = form.querySelector<HTMLElement>('[data-ticked]')
  if (!all || !shown) return
  const label = all.closest('label')
  if (label) label.hidden = false
  const count = () => {
    const boxes = boxesOf(form)
    const ticked = boxes.filter(box => box.checked).length
    all.checked = ticked > 0 && ticked === boxes.length
    all.indeterminate = ticked > 0 && ticked < boxes.length
    shown.textContent = (shown.dataset.ticked ?? '').replace('{n}', String(ticked))
  }
  all.addEventListener('change', () => {
    for (const box of boxesOf(form)) box.checked = all.checked
    count()
  })
  document.addEventListener('change', event => {
    if (event.target instanceof HTMLInputElement && event.target.form === form) count()
  })
  count()
}
