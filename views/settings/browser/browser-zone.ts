/** Offers the browser's time zone under the list that `data-browser-zone` names. */

export function upgradeBrowserZones(within: ParentNode): void {
  for (const place of within.querySelectorAll<HTMLElement>('[data-browser-zone]')) offer(place)
}

/** Shown while the list has another zone. */
function offer(place: HTMLElement): void {
  const list = document.getElementById(place.dataset.browserZone ?? '')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!(list instanceof HTMLSelectElement) || ![...list.options].some(({ value }) => value === zone)) return
  const follow = () => {
    place.hidden = list.value === zone
  }
  const choose = () => {
    list.value = zone
    follow()
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button plain compact'
  button.textContent = place.dataset.offer?.replace('{zone}', zone) ?? ''
  button.addEventListener('click', () => {
    choose()
    list.focus()
  })
  place.replaceChildren(button)
  list.addEventListener('change', follow)
  if (place.dataset.preset === undefined) follow()
  else choose()
}
