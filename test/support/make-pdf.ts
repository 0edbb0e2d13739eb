/** Makes small PDFs from object texts. The cross-reference is correct unless a test changes it. */

export interface PdfParts {
  /** Text of each object by number. A stream: the entries of its dictionary and its data. */
  objects: Readonly<Record<number, string | { head: string; data: string | Uint8Array }>>
  root?: number
  style?: 'table' | 'stream'
  /** /W of the cross-reference stream. */
  widths?: readonly [number, number, number]
  /** Further entries of the trailer. */
  trailer?: string
  header?: string
}

const bytesOf = (text: string | Uint8Array): Buffer =>
  typeof text === 'string' ? Buffer.from(text, 'latin1') : Buffer.from(text)

function objectBytes(number: number, object: PdfParts['objects'][number]): Buffer {
  if (typeof object === 'string') return bytesOf(`${number} 0 obj\n${object}\nendobj\n`)
  const data = bytesOf(object.data)
  const head = `${number} 0 obj\n<< ${object.head} /Length ${data.length} >>\nstream\n`
  return Buffer.concat([bytesOf(head), data, bytesOf('\nendstream\nendobj\n')])
}

function rowOf(offset: number, [type, second, third]: readonly [number, number, number]): Buffer {
  const row = Buffer.alloc(type + second + third)
  row.writeUIntBE(offset === 0 ? 0 : 1, 0, type)
  row.writeUInt32BE(offset, type + second - 4)
  return row
}

/** A file, or with `below` a further revision of it. */
export function pdfOf(
  { objects, root = 1, style = 'table', widths = [1, 4, 0], trailer = '', header = '%PDF-1.7\n' }: PdfParts,
  below?: Uint8Array,
): Buffer {
  const parts: Buffer[] = [below === undefined ? bytesOf(header) : Buffer.from(below)]
  let position = parts[0]?.length ?? 0
  const offsets = new Map<number, number>()
  for (const [key, object] of Object.entries(objects)) {
    const bytes = objectBytes(Number(key), object)
    offsets.set(Number(key), position)
    parts.push(bytes)
    position += bytes.length
  }
  const numbers = [...offsets.keys()]
  const size = Math.max(...numbers, below === undefined ? 0 : 99) + 1
  const previous = below === undefined ? '' : `/Prev ${startxref(below)}`
  const shared = `/Root ${root} 0 R ${previous} ${trailer}`
  if (style === 'table') {
    const rows = numbers.map(n => `${n} 1\n${String(offsets.get(n)).padStart(10, '0')} 00000 n\r\n`).join('')
    parts.push(
      bytesOf(`xref\n0 1\n0000000000 65535 f\r\n${rows}trailer\n<< /Size ${size} ${shared} >>\nstartxref\n${position}\n%%EOF\n`),
    )
    return Buffer.concat(parts)
  }
  offsets.set(size, position)
  const data = Buffer.concat([...numbers, size].map(n => rowOf(offsets.get(n) ?? 0, widths)))
  const index = [...numbers, size].map(n => `${n} 1`).join(' ')
  const head = `/Type /XRef /Size ${size + 1} /W [${widths.join(' ')}] /Index [${index}] ${shared}`
  parts.push(objectBytes(size, { head, data }), bytesOf(`startxref\n${position}\n%%EOF\n`))
  return Buffer.concat(parts)
}

/** The offset after the last startxref. */
export function startxref(bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString('latin1')
  return Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1])
}

export interface PageParts {
  media?: readonly number[]
  crop?: readonly number[]
  rotate?: number
  userUnit?: number
  content?: string
  /** Further entries of the page. */
  more?: string
}

export interface DocumentParts {
  pages?: readonly PageParts[]
  /** Further entries of the catalog. */
  catalog?: string
  /** Further objects, from number 50. */
  objects?: PdfParts['objects']
  style?: 'table' | 'stream'
  widths?: NonNullable<PdfParts['widths']>
  trailer?: string
  header?: string
}

/** Object 1 is the catalog, 2 the page tree, 3 + 2n a page, 4 + 2n its content. */
export function makePdf({ pages = [{}], catalog = '', objects = {}, ...rest }: DocumentParts = {}): Buffer {
  const all: Record<number, PdfParts['objects'][number]> = {
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${3 + 2 * i} 0 R`).join(' ')}] >>`,
  }
  pages.forEach((page, i) => {
    const { media = [0, 0, 595, 842], crop, rotate, userUnit, content = '', more = '' } = page
    const optional = [
      crop === undefined ? '' : `/CropBox [${crop.join(' ')}]`,
      rotate === undefined ? '' : `/Rotate ${rotate}`,
      userUnit === undefined ? '' : `/UserUnit ${userUnit}`,
    ].join(' ')
    const head = `/Type /Page /Parent 2 0 R /MediaBox [${media.join(' ')}] /Resources << >> /Contents ${4 + 2 * i} 0 R`
    all[3 + 2 * i] = `<< ${head} ${optional} ${more} >>`
    all[4 + 2 * i] = { head: '', data: content }
  })
  return pdfOf({ objects: { ...all, ...objects }, ...rest })
}
