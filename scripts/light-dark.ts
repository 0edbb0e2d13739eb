/** Style sheets for browsers that do not know `light-dark()`. */

/** For browsers of before 2024: the colours of the tokens by a media query. */
export function withoutLightDark(tokens: string): string {
  const colours = [...tokens.matchAll(/(--[\w-]+):\s*light-dark\(([^,()]+), ([^,()]+)\);/g)]
  const rule = (at: 2 | 3) => `:root{${colours.map(colour => `${colour[1]}:${colour[at]}`).join(';')}}`
  return `@supports not (color:light-dark(red,red)){${rule(2)}@media(prefers-color-scheme:dark){${rule(3)}}}`
}
