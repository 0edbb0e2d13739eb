/** What tests of the template pages without a script find on them. */
import type { Page } from './browser-less.ts'

export const idIn = (page: Page, prefix: string) => new RegExp(`${prefix}_[0-9a-z]{26}`).exec(page.url)?.[0] ?? ''
export const pathOf = ({ url }: Page) => new URL(url, 'http://signet.test').pathname

/** By the label on the page. */
export function nameOf(page: Page, label: string): string {
  const found = new RegExp(`<label for="([^"]+)">${label}`).exec(page.html)?.[1]
  if (found === undefined) throw new Error(`no entry ${label}`)
  return found
}
