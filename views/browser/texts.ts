/** The texts that a page passes to its script. */

/** The JSON in `data-texts`. */
export function textsOf<T>(element: HTMLElement): T {
  return JSON.parse(element.dataset.texts ?? '{}') as T
}

/** Replaces `{name}` by the value of that name. */
export function fillIn(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
