/** Reads the properties of a document in its metadata. ISO 16684-1 §7; ISO 32000-2 §14.3.2. */

/** The properties that readers show, by namespace and name; named as in table 349. */
const SHOWN = new Map([
  ['http://purl.org/dc/elements/1.1/ title', 'Title'],
  ['http://purl.org/dc/elements/1.1/ creator', 'Author'],
  ['http://purl.org/dc/elements/1.1/ description', 'Subject'],
  ['http://purl.org/dc/elements/1.1/ subject', 'Keywords'],
  ['http://ns.adobe.com/pdf/1.3/ Keywords', 'Keywords'],
  ['http://ns.adobe.com/xap/1.0/ CreateDate', 'CreationDate'],
])
/** Readers know these prefixes also where they are not declared. */
const USUAL_PREFIXES: readonly (readonly [string, string])[] = [
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['pdf', 'http://ns.adobe.com/pdf/1.3/'],
  ['xmp', 'http://ns.adobe.com/xap/1.0/'],
  ['xap', 'http://ns.adobe.com/xap/1.0/'],
]

/** The texts of each property. */
export type XmpProperties = ReadonlyMap<string, readonly string[]>

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
  return new TextDecoder(isBig ? 'utf-16be' : isLittle ? 'utf-16le' : 'utf-8').decode(bytes)
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The text without its character references (XML 1.0 §4.1). */
export const withoutReferences = (text: string): string =>
  text.replace(/&(?:#(x?)([0-9a-f]{1,8})|([a-z]{2,4}));/gi, (whole, hex, digits, name) => {
    if (digits === undefined) return ENTITIES[name] ?? whole
    const code = Number.parseInt(digits, hex ? 16 : 10)
    return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

interface Tag {
  name: string
  attributes: readonly (readonly [string, string])[]
}

type Part = { text: string } | { start: Tag; isEmpty: boolean } | 'end'

/** A word without a value is taken too, so that a long one is read once. */
const ATTRIBUTE = /\s*([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/gy

function readTag(body: string): Tag {
  const [, name = '', rest = ''] = /^([^\s/]+)([\s\S]*)$/.exec(body) ?? []
  const attributes = [...rest.matchAll(ATTRIBUTE)].map(
    ([, key = '', double, single]) => [key, withoutReferences(double ?? single ?? '')] as const,
  )
  return { name, attributes }
}

/** The offset of the `>` that ends a tag: quoted values may contain one. */
function endOfTag(xml: string, from: number): number {
  let quote = ''
  for (let at = from; at < xml.length; at++) {
    const one = xml[at] ?? ''
    if (quote !== '') quote = one === quote ? '' : quote
    else if (one === '"' || one === "'") quote = one
    else if (one === '>') return at
  }
  return -1
}

/** Comments and processing instructions say nothing; CDATA sections are text (XML §2.5 to §2.7). */
const SECTIONS = [
  ['<!--', '-->', 'nothing'],
  ['<?', '?>', 'nothing'],
  ['<![CDATA[', ']]>', 'text'],
] as const

interface Token {
  part: Part | undefined
  next: number
}

function readSection(xml: string, at: number): Token | 'damaged' | undefined {
  const section = SECTIONS.find(([start]) => xml.startsWith(start, at))
  if (section === undefined) return undefined
  const [start, stop, kind] = section
  const end = xml.indexOf(stop, at + start.length)
  if (end === -1) return 'damaged'
  return { part: kind === 'text' ? { text: xml.slice(at + start.length, end) } : undefined, next: end + stop.length }
}

/** Declarations could give a text another meaning. */
function readElementTag(xml: string, at: number): Token | 'damaged' {
  const end = endOfTag(xml, at)
  if (end === -1 || xml[at + 1] === '!') return 'damaged'
  if (xml[at + 1] === '/') return { part: 'end', next: end + 1 }
  const body = xml.slice(at + 1, end)
  return { part: { start: readTag(body), isEmpty: body.endsWith('/') }, next: end + 1 }
}

function readText(xml: string, at: number): Token {
  const found = xml.indexOf('<', at)
  const next = found === -1 ? xml.length : found
  return { part: { text: withoutReferences(xml.slice(at, next)) }, next }
}

/** Undefined if it is damaged or has declarations. */
function readParts(xml: string): Part[] | undefined {
  const parts: Part[] = []
  for (let at = 0; at < xml.length; ) {
    const token = xml[at] === '<' ? (readSection(xml, at) ?? readElementTag(xml, at)) : readText(xml, at)
    if (token === 'damaged') return undefined
    if (token.part !== undefined) parts.push(token.part)
    at = token.next
  }
  return parts
}

const tagsOf = (parts: readonly Part[]): Tag[] => parts.flatMap(part => (part !== 'end' && 'start' in part ? [part.start] : []))

/** The namespace of each prefix; undefined if one has two, which readers may mix up. */
function readPrefixes(tags: readonly Tag[]): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  for (const [key, value] of tags.flatMap(({ attributes }) => attributes)) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue
    const prefix = key.slice('xmlns:'.length)
    if ((found.get(prefix) ?? value) !== value) return undefined
    found.set(prefix, value)
  }
  return new Map([...USUAL_PREFIXES, ...found])
}

/** The shown property of an element or attribute. Without a prefix, attributes are of none. */
function propertyOf(prefixes: ReadonlyMap<string, string>, name: string, isAttribute = false): string | undefined {
  const [local = '', prefix = ''] = name.split(':', 2).reverse()
  return isAttribute && prefix === '' ? undefined : SHOWN.get(`${prefixes.get(prefix)} ${local}`)
}

/** Undefined if the metadata cannot be read, or readers may read it differently. */
export function readXmp(bytes: Uint8Array): XmpProperties | undefined {
  const parts = readParts(decode(bytes))
  const prefixes = parts && readPrefixes(tagsOf(parts))
  if (parts === undefined || prefixes === undefined) return undefined
  return collectProperties(parts, prefixes)
}

function collectProperties(parts: readonly Part[], prefixes: ReadonlyMap<string, string>): XmpProperties {
  const found = new Map<string, string[]>()
  const add = (property: string | undefined, text: string): void => {
    if (property === undefined || text.trim() === '') return
    const known = found.get(property)
    if (known === undefined) found.set(property, [text.trim()])
    else known.push(text.trim())
  }
  const open: (string | undefined)[] = []
  for (const part of parts) {
    if (part === 'end') open.pop()
    else if ('text' in part) add(open.at(-1), part.text)
    else {
      for (const [key, value] of part.start.attributes) add(propertyOf(prefixes, key, true), value)
      if (!part.isEmpty) open.push(propertyOf(prefixes, part.start.name) ?? open.at(-1))
    }
  }
  return found
}
