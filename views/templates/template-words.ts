/** How a template is named on pages. */

/** A placeholder such as `{{Tenant}}` is shown as `[Tenant]`. */
export function readable(text: string): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (_, name: string) => `[${name.trim()}]`)
}
