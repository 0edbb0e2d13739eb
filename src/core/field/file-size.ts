/** How sizes of files are written in a language. Pure. */

/** In megabytes, below one in kilobytes. */
export function fileSize(bytes: number, language: string): string {
  const [unit, value] = bytes >= 1_000_000 ? ['megabyte', bytes / 1_000_000] : ['kilobyte', bytes / 1_000]
  return new Intl.NumberFormat(language, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(Number(value))
}
