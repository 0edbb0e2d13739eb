/** Counts the objects that the current trailer reaches, according to qpdf. */
import { run } from '../verify/tools.ts'

export interface Inventory {
  pages: number
  fields: number
  annotations: number
  links: number
  bookmarks: number
  structureElements: number
  layers: number
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const isReference = (value: Json): value is string => typeof value === 'string' && /^\d+ \d+ R$/.test(value)

/** Objects by reference. For a stream, its dictionary. */
function objectsOf(path: string): { trailer: Json; at: (reference: string) => Json } {
  const { bytes } = run(['qpdf', '--json=2', '--json-key=qpdf', path])
  const [, objects = {}] = (JSON.parse(Buffer.from(bytes).toString()) as { qpdf: Record<string, { [key: string]: Json }>[] }).qpdf
  const dictionary = (object: { [key: string]: Json } | undefined): Json => {
    const stream = object?.stream
    if (typeof stream === 'object' && stream !== null && !Array.isArray(stream)) return stream.dict ?? null
    return object?.value ?? null
  }
  return { trailer: dictionary(objects.trailer), at: reference => dictionary(objects[`obj:${reference}`]) }
}

function count(inventory: Inventory, dictionary: { [key: string]: Json }): void {
  const has = (...keys: string[]) => keys.every(key => key in dictionary)
  const type = dictionary['/Type']
  if (type === '/Page') inventory.pages++
  if (has('/T') && (has('/FT') || has('/Kids') || has('/V'))) inventory.fields++
  if (has('/Subtype', '/Rect')) inventory.annotations++
  if (dictionary['/Subtype'] === '/Link' && has('/Rect')) inventory.links++
  if (has('/Title', '/Parent')) inventory.bookmarks++
  if (type === '/StructElem' || has('/S', '/P', '/K')) inventory.structureElements++
  if (type === '/OCG') inventory.layers++
}

export function inventoryOf(path: string): Inventory {
  const { trailer, at } = objectsOf(path)
  const inventory = { pages: 0, fields: 0, annotations: 0, links: 0, bookmarks: 0, structureElements: 0, layers: 0 }
  const seen = new Set<string>()
  const waiting = [trailer]
  while (waiting.length > 0) {
    const next = waiting.pop() ?? null
    if (isReference(next)) {
      if (!seen.has(next)) waiting.push(at(next))
      seen.add(next)
    } else if (Array.isArray(next)) for (const item of next) waiting.push(item)
    else if (typeof next === 'object' && next !== null) {
      count(inventory, next)
      for (const value of Object.values(next)) waiting.push(value)
    }
  }
  return inventory
}
