/** Names of files inside an archive that every system can unpack, each once. */

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
