/** Elements that match, the given one included: an update of the page may add just that one. */
export function matching<T extends Element>(within: ParentNode, selector: string): T[] {
  const own = within instanceof Element && within.matches(selector) ? [within as unknown as T] : []
  return [...own, ...within.querySelectorAll<T>(selector)]
}
