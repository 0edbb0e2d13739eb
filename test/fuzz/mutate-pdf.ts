/**
 * Changes PDFs: objects of a file whose cross-reference is then right again, updates behind a
 * signed file, and bytes.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import type { Chance } from '../simulation/chance.ts'
import { type PdfParts, pdfOf } from '../support/make-pdf.ts'
import { type Change, changeAnywhere, LIMITS } from './changes.ts'

type Objects = Record<number, PdfParts['objects'][number]>

const MAX_OBJECTS = 400
const KEYS = [
  ...['/Type', '/Kids', '/Parent', '/Count', '/Length', '/Filter', '/DecodeParms', '/Resources', '/Contents', '/Annots', '/Rect'],
  ...[
    '/MediaBox',
    '/CropBox',
    '/Rotate',
    '/UserUnit',
    '/AcroForm',
    '/Fields',
    '/FT',
    '/V',
    '/DV',
    '/T',
    '/Ff',
    '/AP',
    '/N',
    '/AS',
  ],
  ...['/OpenAction', '/AA', '/A', '/Names', '/Dests', '/Outlines', '/First', '/Next', '/Prev', '/XObject', '/Font', '/Encoding'],
  ...['/ToUnicode', '/Widths', '/FontFile2', '/DescendantFonts', '/W', '/DW', '/Matrix', '/BBox', '/ByteRange', '/SubFilter'],
  ...['/Perms', '/DocMDP', '/DSS', '/VRI', '/Certs', '/StructTreeRoot', '/OCProperties', '/Metadata', '/PageLabels', '/Subtype'],
  ...[
    '/ObjStm',
    '/XRef',
    '/Index',
    '/Size',
    '/Root',
    '/Encrypt',
    '/ID',
    '/Lock',
    '/XFA',
    '/Extends',
    '/IRT',
    '/Popup',
    '/QuadPoints',
  ],
]
const VALUES = [
  ...[
    'null',
    'true',
    '[]',
    '<< >>',
    '()',
    '<>',
    '(\\377\\376a)',
    '<FEFF>',
    '/',
    '/#00',
    '/Sig',
    '/Tx',
    '/Widget',
    '/Page',
    '/Pages',
  ],
  ...[
    '/FlateDecode',
    '[/FlateDecode /FlateDecode]',
    '/LZWDecode',
    '/ASCII85Decode',
    '/ASCIIHexDecode',
    '/RunLengthDecode',
    '/JPXDecode',
  ],
  ...[
    '<< /Predictor 12 /Columns 99999999 >>',
    '<< /Predictor 2 /Colors 255 /BitsPerComponent 16 /Columns 1 >>',
    '1 0 R',
    '2 0 R',
  ],
  ...[
    '0 0 R',
    '9999999 0 R',
    '1 65535 R',
    '-1 0 R',
    '(D:20261127000000Z)',
    '[0 0 0 0]',
    '[1e30 -1e30 0 0]',
    '[(a) -1e9 (b)]',
    '1.',
    '.',
    '--1',
  ],
  ...[
    '[0 0 R]',
    '/Identity-H',
    '/DeviceRGB',
    '[[[[[[[[]]]]]]]]',
    'endobj',
    'stream',
    '%',
    '<<',
    '>>',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    'R',
    'obj',
  ],
]

/** Objects as texts, and decoded where they are compressed in the usual way. */
function objectsIn(bytes: Uint8Array): Objects {
  const text = Buffer.from(bytes).toString('latin1')
  const objects: Objects = {}
  for (const [, number = '', body = ''] of text.matchAll(/(?:^|[\r\n ])(\d{1,6}) 0 obj\b([\s\S]*?)\bendobj/g)) {
    if (Object.keys(objects).length > MAX_OBJECTS) break
    if (!/\/Type\s*\/(XRef|ObjStm)/.test(body)) objects[Number(number)] = objectOf(body)
    else if (body.includes('/ObjStm')) addCompressed(body, objects)
  }
  return objects
}

function objectOf(body: string): Objects[number] {
  const [, head, data] = /^\s*<<([\s\S]*?)>>\s*stream\r?\n([\s\S]*?)\r?\nendstream\s*$/.exec(body) ?? []
  if (head === undefined || data === undefined) return body.trim()
  const plain = /\/Filter\s*\/FlateDecode/.test(head) && !head.includes('/DecodeParms') ? inflated(data) : undefined
  const rest = head.replace(/\/Length\s+\d+(\s+\d+\s+R)?/, '')
  return plain === undefined ? { head: rest, data } : { head: rest.replace(/\/Filter\s*\/FlateDecode/, ''), data: plain }
}

function inflated(data: string): string | undefined {
  try {
    return inflateSync(Buffer.from(data, 'latin1'), { maxOutputLength: 1 << 19 }).toString('latin1')
  } catch {
    return undefined
  }
}

function addCompressed(body: string, objects: Objects): void {
  const stream = objectOf(body)
  if (typeof stream === 'string') return
  const text = String(stream.data)
  const first = Number(/\/First\s+(\d+)/.exec(stream.head)?.[1] ?? 0)
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number)
  for (let i = 0; i + 1 < numbers.length; i += 2)
    objects[numbers[i] ?? 0] = text
      .slice(first + (numbers[i + 1] ?? 0), numbers[i + 3] === undefined ? undefined : first + numbers[i + 3]!)
      .trim()
}

/** One place of an object's text becomes something else that PDF has words for. */
function changeText(text: string, chance: Chance, numbers: readonly number[]): string {
  const replace = (pattern: RegExp, by: () => string): string => {
    const found = [...text.matchAll(pattern)]
    if (found.length === 0) return `${text} ${by()}`
    const one = chance.pick(found)
    return text.slice(0, one.index) + by() + text.slice(one.index + one[0].length)
  }
  switch (chance.below(8)) {
    case 0:
      return replace(/\d+ \d+ R/g, () => `${chance.pick(numbers)} 0 R`)
    case 1:
      return replace(/[-+]?\d*\.?\d+/g, () => String(chance.pick(LIMITS)))
    case 2:
      return replace(/\/[A-Za-z0-9]+/g, () => chance.pick(KEYS))
    case 3:
      return replace(/\/[A-Za-z0-9]+/g, () => `${chance.pick(KEYS)} ${chance.pick(VALUES)} `)
    case 4:
      return replace(/\[[^[\]]*\]|\([^()]*\)|<[0-9A-Fa-f]*>|\/[A-Za-z0-9]+|\d+ \d+ R/g, () => chance.pick(VALUES))
    case 5:
      return replace(
        />>/g,
        () => `${chance.pick(KEYS)} ${chance.happens(0.5) ? chance.pick(VALUES) : `${chance.pick(numbers)} 0 R`} >>`,
      )
    case 6:
      return replace(/\/[A-Za-z0-9]+\s+(\[[^[\]]*\]|\([^()]*\)|\/[A-Za-z0-9]+|[-\d.]+)/g, () => '')
    default:
      return Buffer.from(
        changeAnywhere(Buffer.from(text, 'latin1'), chance, {
          format: 'text',
          seeds: [Buffer.from(text, 'latin1')],
          words: VALUES,
        }),
      ).toString('latin1')
  }
}

function changed(object: Objects[number], chance: Chance, numbers: readonly number[]): Objects[number] {
  if (typeof object === 'string') return changeText(object, chance, numbers)
  if (chance.happens(0.4)) return { ...object, head: changeText(object.head, chance, numbers) }
  const data = changeText(String(object.data), chance, numbers)
  if (chance.happens(0.7)) return { ...object, data }
  const packed = deflateSync(Buffer.from(data, 'latin1'))
  return {
    head: `${object.head} /Filter /FlateDecode`,
    data: chance.happens(0.7) ? packed : packed.subarray(0, chance.below(packed.length)),
  }
}

const rootOf = (bytes: Uint8Array): number =>
  Number(
    [
      ...Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/\/Root\s+(\d+)/g),
    ].at(-1)?.[1] ?? 1,
  )

/** The whole file written again, or an update behind it with the changed objects alone. */
function withObjects(bytes: Uint8Array, chance: Chance, isUpdate: boolean): Uint8Array | undefined {
  const objects = objectsIn(bytes)
  const numbers = Object.keys(objects).map(Number)
  if (numbers.length === 0) return undefined
  const changes: Objects = {}
  for (let count = 1 + chance.below(3); count > 0; count--) {
    const number = chance.pick(numbers)
    const source = chance.happens(0.9) ? number : chance.pick(numbers)
    changes[chance.happens(0.95) ? number : Math.max(...numbers) + 1] = changed(objects[source] ?? 'null', chance, numbers)
  }
  const style = chance.happens(0.7) ? 'table' : 'stream'
  const parts = {
    root: rootOf(bytes),
    style,
    trailer: chance.happens(0.05) ? `${chance.pick(KEYS)} ${chance.pick(VALUES)}` : '',
  } as const
  if (isUpdate) return pdfOf({ objects: changes, ...parts }, bytes)
  const sizes = { widths: chance.happens(0.9) ? ([1, 4, 0] as const) : ([1, 4, 2] as const) }
  return pdfOf({ objects: { ...objects, ...changes }, ...parts, ...sizes })
}

export const mutatePdf: Change = (bytes, chance, material) => {
  const isSigned = Buffer.from(bytes).includes('/ByteRange')
  const isUpdate = chance.happens(isSigned ? 0.8 : 0.15)
  return withObjects(bytes, chance, isUpdate) ?? changeAnywhere(bytes, chance, material)
}
