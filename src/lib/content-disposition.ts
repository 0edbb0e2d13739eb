/** Content-Disposition with a file name and its ASCII fallback. RFC 6266 §4, RFC 8187 §3.2. */

export function attachment(fileName: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: must not reach a header
  const name = fileName.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f/\\]/g, '_') || 'document.pdf'
  const ascii =
    name
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%/]/g, '_')
      // A word in parentheses of which nothing is left.
      .replace(/ *\( *\)/g, '')
      .trim() || 'document.pdf'
  const fallback = ascii.startsWith('.') ? `document${ascii}` : ascii
  const encoded = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`
}
