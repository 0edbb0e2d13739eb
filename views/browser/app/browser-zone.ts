/** Offers the browser's time zone beside the list that `data-browser-zone` names. */

export function upgradeBrowserZones(within: ParentNode): void {
  for (const place of within.querySelectorAll<HTMLElement>('[data-browser-zone]')) offer(place)
}

function offer(place: HTMLElement): void {
  const list = document.getElementById(place.dataset.browserZone ?? '')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!(list instanceof HTMLSelectElement)) return
  const has = [...list.options].some(option => option.value === zone)
  if (!has || list.value === zone) return
  // Before the set-up nobody has chosen one.
  if (place.dataset.offer === undefined) {
    list.value = zone
    return
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button plain compact'
  button.textContent = place.dataset.offer.replace('{zone}', zone)
  button.addEventListener('click', () => {
    list.value = zone
    list.focus()
    place.hidden = true
  })
  place.replaceChildren(button)
  place.hidden = false
}
