/** Makes text of unknown origin, such as a name in a certificate, safe for display among others. */

/** Control characters or bidi overrides in a name could change the words around it. */
export const toSafeText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '?')
