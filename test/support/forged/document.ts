/** The document of forged files, its signatures and updates. ISO 32000-2 §7.5, §12.8. */
import { THIS_MACHINE } from '../../../src/lib/this-machine.ts'
import { type ByteRange, rangesOf } from '../../../src/pades/byte-range.ts'
import { newPlaceholder, writeByteRange } from '../../../src/pades/placeholder.ts'
import { digestOf } from '../../../src/pki/algorithm.ts'
import { fillContents } from '../seal.ts'
import { cmsOf, type Entity, issue, pemOf, tokenOf } from './pki.ts'

/** Object numbers: 14 and 15 are the first signature's field and value; 16 is free. */
export const OBJECT = {
  catalog: 1,
  pages: 2,
  page: 3,
  content: 4,
  font: 5,
  form: 6,
  text: 7,
  xmp: 8,
  info: 9,
  appearance: 10,
  hidden: 11,
  layer: 12,
  page2: 13,
}
export const [FIELD, VALUE, FREE] = [14, 15, 16] as const

export const streamOf = (data: string, head = ''): string => `<< ${head} /Length ${data.length} >>\nstream\n${data}\nendstream`

const PAID = 'BT /F1 24 Tf 50 700 Td (Pay 100 EUR) Tj ET /OC /L1 BDC BT /F1 12 Tf 50 500 Td (Draft) Tj ET EMC /X1 Do'
/** The text that the victim did not sign. */
export const FORGED_CONTENT = streamOf('BT /F1 24 Tf 50 700 Td (Pay 999 EUR) Tj ET /X1 Do')
export const XMP = (title: string): string =>
  streamOf(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><title>${title}</title></x:xmpmeta>`, '/Type /Metadata /Subtype /XML')

const RESOURCES = '/Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> /Properties << /L1 12 0 R >> >>'

export interface CatalogParts {
  fields?: readonly number[]
  /** More text for the form, and for the catalog. */
  form?: string
  more?: string
  pages?: number
  layers?: string
}

/** The catalog's text. */
export function catalog({
  fields = [7, FIELD],
  form = '',
  more = '',
  pages = 2,
  layers = '/ON [12 0 R]',
}: CatalogParts = {}): string {
  const list = fields.map(number => `${number} 0 R`).join(' ')
  const dr = '/DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >>'
  return (
    `<< /Type /Catalog /Pages ${pages} 0 R /Metadata 8 0 R /OCProperties << /OCGs [12 0 R] /D << /Order [12 0 R] ${layers} >> >>` +
    ` /AcroForm << /Fields [${list}] ${fields.length > 1 ? '/SigFlags 3' : ''} ${dr} ${form} >> ${more} >>`
  )
}

export interface PageParts {
  annotations?: readonly number[]
  content?: number
  /** More text for the page. */
  more?: string
  box?: string
  parent?: number
}

/** The first page's text. */
export function page({
  annotations = [7, FIELD],
  content = 4,
  more = '',
  box = '0 0 595 842',
  parent = 2,
}: PageParts = {}): string {
  const list = annotations.map(number => `${number} 0 R`).join(' ')
  return `<< /Type /Page /Parent ${parent} 0 R /MediaBox [${box}] ${RESOURCES} /Contents ${content} 0 R /Annots [${list}] ${more} >>`
}

export const pages = (kids: string, count: number): string => `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`

/** A text field's widget with its value. */
export const textField = (value: string, more = '/AP << /N 10 0 R >>'): string =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (${value}) /DA (/F1 12 Tf 0 g) /F 4 /Rect [50 600 250 620] /P 3 0 R ${more} >>`

export const formXObject = (data: string): string =>
  streamOf(data, '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>')

type Objects = Readonly<Record<number, string>>

/** The document's own objects. */
const OBJECTS: Objects = {
  1: catalog({ fields: [7] }),
  2: pages('3 0 R', 1),
  3: page({ annotations: [7] }),
  4: streamOf(PAID),
  5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  6: formXObject('BT /F1 18 Tf 50 650 Td (to Ada Lovelace) Tj ET'),
  7: textField('Ada'),
  8: XMP('Invoice'),
  9: '<< /Title (Invoice) /Producer (Writer) /CreationDate (D:20260101000000Z) >>',
  10: formXObject('BT /F1 12 Tf 2 5 Td (Ada) Tj ET').replace('595 842', '200 20'),
  11: FORGED_CONTENT,
  12: '<< /Type /OCG /Name (Draft) >>',
  13: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> >> /Contents 11 0 R >>',
}

export interface UpdateOptions {
  /** Value of /Prev; `undefined`: none. Default: the last cross-reference. */
  prev?: number | string | undefined
  root?: number
  size?: number
  /** More text for the trailer. */
  trailer?: string
  /** Rows of the table that differ: number → row without its end of line. */
  rows?: Readonly<Record<number, string>>
  /** Replaces the number behind startxref; `undefined`: no startxref. */
  startxref?: number | undefined
  /** Text before the table, behind the objects. */
  between?: string
  eof?: string
}

/** The offset of the last cross-reference, from startxref. */
export const lastStartxref = (bytes: Uint8Array): number =>
  Number(
    [
      ...Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/startxref\s+(\d+)/g),
    ].at(-1)?.[1],
  )

/** /Size of the newest trailer. */
const lastSize = (bytes: Uint8Array): number =>
  Number(
    [
      ...Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/\/Size (\d+)/g),
    ].at(-1)?.[1] ?? 0,
  )

const row = (offset: number, generation = 0, kind = 'n'): string =>
  `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${kind}`

/** `bytes` and one update behind them, with a cross-reference table. */
export function update(bytes: Uint8Array, objects: Objects, options: UpdateOptions = {}): Buffer {
  const isFirst = bytes.length === 0
  const prev = 'prev' in options ? options.prev : isFirst ? undefined : lastStartxref(bytes)
  const numbers = [...Object.keys(objects), ...Object.keys(options.rows ?? {})].map(Number)
  const {
    root = 1,
    size = Math.max(lastSize(bytes), ...numbers.map(number => number + 1)),
    trailer = '',
    rows = {},
    between = '',
    eof = '%%EOF\n',
  } = options
  let text = isFirst ? '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n' : '\n'
  const table: Record<number, string> = {}
  for (const [number, body] of Object.entries(objects)) {
    table[Number(number)] = row(bytes.length + text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  text += between
  const at = bytes.length + text.length
  const all = { ...(isFirst ? { 0: row(0, 65535, 'f') } : {}), ...table, ...rows }
  text += `xref\n${Object.entries(all)
    .map(([number, entry]) => `${number} 1\n${entry} \n`)
    .join('')}`
  text += `trailer\n<< /Size ${size} /Root ${root} 0 R /Info 9 0 R ${prev === undefined ? '' : `/Prev ${prev}`} ${trailer} >>\n`
  const startxref = 'startxref' in options ? options.startxref : at
  if (startxref !== undefined) text += `startxref\n${startxref}\n`
  return Buffer.concat([bytes, Buffer.from(text + eof, 'latin1')])
}

/** The document before anybody signed it; `changes` replace objects. */
export const document = (changes: Objects = {}, options: UpdateOptions = {}): Buffer =>
  update(new Uint8Array(), { ...OBJECTS, ...changes }, options)

export interface SignOptions {
  /** Object numbers of field and value. */
  field?: number
  name?: string
  /** Access permission of a certification (§12.8.2.2). */
  certifies?: 1 | 2 | 3
  kind?: 'Sig' | 'DocTimeStamp'
  subFilter?: string
  rect?: string
  /** More text for the field, and for the signature dictionary. */
  fieldMore?: string
  more?: string
  /** More objects of the update, or others in place of its own. */
  changes?: Objects
  options?: UpdateOptions
  /** Changes the bytes before they are signed. */
  bytes?: (bytes: Buffer) => Buffer
  /** /M, a PDF date. */
  at?: string
  /** The contents over the digest of the two ranges, and over the ranges themselves. */
  contents?: (digest: Uint8Array, signed: Uint8Array) => Uint8Array
}

const CERTIFICATION = (level: number): string =>
  `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P ${level} /V /1.2 >> >>]`

const CONTENTS_BYTES = 2500
const pdfDate = (at: Date): string => `D:${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`

/**
 * The signers of all forgeries. `certifies` makes the victim's signature a certification; 1 a seal
 * by Signet.
 */
export class Kit {
  constructor(readonly certifies?: 1 | 2 | 3) {}

  readonly root = issue({ name: 'Signers Root' })
  readonly timeRoot = issue({ name: 'Time Root' })
  readonly signer = issue({ name: 'Victim', issuer: this.root, use: 'documents' })
  readonly time = issue({ name: 'Time-stamps', issuer: this.timeRoot, use: 'timestamps' })
  readonly strangerRoot = issue({ name: 'Signers Root' })
  readonly stranger = issue({ name: 'Victim', issuer: this.strangerRoot, use: 'documents' })
  readonly at = new Date(Date.now() - 3_600_000)
  readonly trust = { signers: pemOf(this.root), times: pemOf(this.timeRoot) }

  /** The CMS of a signer over a digest. */
  readonly by =
    (signer: Entity = this.signer, issuer: Entity = this.root): NonNullable<SignOptions['contents']> =>
    digest =>
      cmsOf({ signer, digest, issuers: [issuer] })

  /** One more revision with a signature. */
  sign(bytes: Uint8Array = document(), sign: SignOptions = {}): Buffer {
    const { field = FIELD, name = `Signature${field}`, kind = 'Sig', subFilter = 'ETSI.CAdES.detached' } = sign
    const certifies = sign.certifies ?? (field === FIELD && kind === 'Sig' ? this.certifies : undefined)
    const placeholder = newPlaceholder(CONTENTS_BYTES, THIS_MACHINE.random)
    const before = [7, ...Array.from({ length: (field - FIELD) / 2 }, (_, i) => FIELD + 2 * i)]
    const objects = {
      1: catalog({ fields: [...before, field], more: certifies === undefined ? '' : `/Perms << /DocMDP ${field + 1} 0 R >>` }),
      3: page({ annotations: [...before, field] }),
      [field]: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /F 132 /Rect [${sign.rect ?? '0 0 0 0'}] /P 3 0 R /V ${field + 1} 0 R ${sign.fieldMore ?? ''} >>`,
      [field + 1]:
        `<< /Type /${kind} /Filter /Adobe.PPKLite /SubFilter /${subFilter} /ByteRange [${placeholder.byteRange.join(' ')}] /Contents <${placeholder.contentsHex}>` +
        ` ${kind === 'Sig' ? `/M (${sign.at ?? pdfDate(this.at)})` : ''} ${certifies === undefined ? '' : CERTIFICATION(certifies)} ${sign.more ?? ''} >>`,
    }
    const updated = update(bytes, { ...objects, ...sign.changes }, sign.options)
    const out = sign.bytes?.(updated) ?? updated
    const range: ByteRange = writeByteRange(out, placeholder)
    const signed = Buffer.concat([out.subarray(0, range[1]), out.subarray(range[2])])
    fillContents(out, range, (sign.contents ?? this.by())(digestOf('sha256', ...rangesOf(out, range)), signed))
    return out
  }

  /** A document time-stamp over everything before it. */
  stamp(bytes: Uint8Array, options: SignOptions = {}): Buffer {
    const contents = (digest: Uint8Array) => tokenOf(this.time, digest, this.at)
    return this.sign(bytes, { kind: 'DocTimeStamp', subFilter: 'ETSI.RFC3161', field: FREE, contents, ...options })
  }
}

/** A file that was forged, and what is said of it. */
export interface Forgery {
  name: string
  /** The published attack, or the part of the format that is abused. */
  source: string
  /** The verdict of our verifier. */
  verdict: 'valid' | 'valid-changed' | 'not-valid' | 'unreadable' | 'signer-unknown' | 'not-signed' | 'not-checked'
  make: (kit: Kit) => Uint8Array
  /** Trust that differs from the kit's: PEM. */
  trust?: (kit: Kit) => { signers: string; times: string }
  /** Why another product answers otherwise. */
  note?: string
}

type Rows = Readonly<Record<string, Forgery['make'] | Omit<Partial<Forgery> & Pick<Forgery, 'make'>, 'name' | 'source'>>>

/** Forgeries of one source by name: how each is made, and where it differs from the others. */
const tableOf =
  (others: Pick<Forgery, 'verdict' | 'note'>) =>
  (source: string, rows: Rows): Forgery[] =>
    Object.entries(rows).map(([name, row]) => ({ source, name, ...others, ...(typeof row === 'function' ? { make: row } : row) }))

export const refused = tableOf({ verdict: 'not-valid' })
export const unknown = tableOf({ verdict: 'signer-unknown' })
export const accepted = tableOf({ verdict: 'valid' })
export const permitted = tableOf({
  verdict: 'valid-changed',
  note: 'The report lists the change, with the value before and after and its page.',
})

/** The bytes with `from` replaced; it must be there. The first, or with `last` the last. */
export function swap(bytes: Uint8Array, from: string | RegExp, to: string, last = false): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  const at = typeof from === 'string' ? (last ? text.lastIndexOf(from) : text.indexOf(from)) : text.search(from)
  if (at === -1) throw new Error(`${from} is not in the file`)
  const length = typeof from === 'string' ? from.length : (from.exec(text.slice(at))?.[0].length ?? 0)
  return Buffer.from(text.slice(0, at) + to + text.slice(at + length), 'latin1')
}

/** The same, and not a byte longer or shorter. */
export function overwrite(bytes: Uint8Array, from: string | RegExp, to: string): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  const found = typeof from === 'string' ? from : (from.exec(text)?.[0] ?? '')
  if (to.length > found.length) throw new Error(`${to} is longer than ${found}`)
  return swap(bytes, found, to.padEnd(found.length))
}
