/** The Content-Security-Policy of pages. CSP Level 3. */
export interface PolicyOptions {
  /** The page loads parts of its script and a worker when it needs them. */
  isScripted?: boolean
  /** It shows another document of this service in a frame. */
  hasFrame?: boolean
}

/** Of an e-mail that is shown alone in a frame: nothing in it runs, loads or navigates. */
export const MAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** `framers`: the origins that may show the page in a frame. */
export function contentPolicy(
  nonce: string,
  baseUrl: string,
  { isScripted, hasFrame }: PolicyOptions,
  framers: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'${isScripted ? ` ${baseUrl}/static/` : ''}`,
    ...(isScripted ? ["worker-src 'self'"] : []),
    ...(hasFrame ? ["frame-src 'self'"] : []),
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${framers.length > 0 ? framers.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}
