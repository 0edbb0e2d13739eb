/**
 * Names of files that every system can store, inside of an archive each once, and in the header of
 * a download.
 */

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

/** Not allowed in names on Windows, or read as a path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: must not reach a file name
const UNSAFE = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Names of devices on Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
/** File systems allow 255 bytes, of which a number and the extension take some. */
const MAX_STEM_BYTES = 200

function safeStem(stem: string): string {
  const clean = stem.toWellFormed().normalize('NFC').replace(UNSAFE, '_').trim()
  // Dots and blanks at the end are lost on Windows.
  const short = cut(clean)
    .replace(/[. ]+$/, '')
    .replace(/^\.+/, '')
  return RESERVED.test(short) ? `_${short}` : short || 'document'
}

/** Cut between characters. */
function cut(text: string): string {
  let bytes = 0
  return [...text]
    .filter(character => {
      bytes += Buffer.byteLength(character)
      return bytes <= MAX_STEM_BYTES
    })
    .join('')
}

/** Fits on a line of a document. */
const MAX_NAME_CHARACTERS = 100

/** Without the folders of the sender, and with an extension of the type that the file has. */
export function cleanFileName(name: string, extensions: readonly [string, ...string[]]): string {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  const extension = /\.([a-z]{3,4})$/i.exec(base)?.[1] ?? ''
  const isRight = extensions.includes(extension.toLowerCase())
  const stem = safeStem(isRight ? base.slice(0, -extension.length - 1) : base)
  return `${[...stem].slice(0, MAX_NAME_CHARACTERS).join('')}.${isRight ? extension.toLowerCase() : extensions[0]}`
}

export class ArchiveNames {
  readonly #used = new Set<string>()

  /** A safe name with this extension, numbered if another file has it. */
  unique(name: string, extension: string): string {
    const stem = safeStem(name.replace(new RegExp(`\\.${extension}$`, 'i'), ''))
    let candidate = `${stem}.${extension}`
    for (let i = 2; this.#used.has(keyOf(candidate)); i++) candidate = `${stem} (${i}).${extension}`
    this.#used.add(keyOf(candidate))
    return candidate
  }
}

/** Many systems do not tell upper from lower case. */
const keyOf = (name: string) => name.toLowerCase()
