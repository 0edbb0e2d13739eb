/** An address from user data that may stand in a link: http and https only, everything else is no link. */

export function safeHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { protocol } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? url : undefined
}
