/** Makes text of unknown origin, such as a name in a certificate, safe for display among others. */

/** Returns a user's URL for a link if it is http or https, otherwise `undefined`. */
export function safeHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { protocol } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? url : undefined
}

/** More than any script has on one letter. Normalising takes time by the square of their number. */
const STACK = /(\p{M}{10})\p{M}+/gu

export const withoutStacks = (text: string): string => text.replace(STACK, '$1')

/** Control characters and bidi overrides could change the words around, many marks hide them. */
export const toSafeText = (text: string): string =>
  withoutStacks(text).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '?')
