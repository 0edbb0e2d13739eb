/** The Content-Security-Policy of pages. CSP Level 3. */
export interface PolicyOptions {
  /** The page loads parts of its script and a worker when it needs them. */
  isScripted?: boolean
  /** It shows another document of this service in a frame. */
  hasFrame?: boolean
}

export function contentPolicy(nonce: string, baseUrl: string, { isScripted, hasFrame }: PolicyOptions): string {
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
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}
