/** Changes DER as a tree, so that the lengths around a change stay right, and its lengths alone. */
import { der } from '../../src/pki/der.ts'
import type { Chance } from '../simulation/chance.ts'
import { type Change, changeAnywhere } from './changes.ts'

interface Node {
  tag: number
  contents: Uint8Array
  children: Node[]
  /** A leading octet of a BIT STRING that has elements inside. */
  lead: Uint8Array
}

const MAX_DEPTH = 24
const MAX_NODES = 5_000
const NONE = new Uint8Array()

/** Elements that fill the bytes; undefined for other bytes. */
function parse(bytes: Uint8Array, depth: number, budget: { left: number }): Node[] | undefined {
  const nodes: Node[] = []
  for (let at = 0; at < bytes.length; ) {
    const [tag, first] = [bytes[at], bytes[at + 1]]
    if (tag === undefined || first === undefined || --budget.left < 0) return undefined
    const count = first < 0x80 ? 0 : first & 0x7f
    if (first === 0x80 || count > 4) return undefined
    let length = count === 0 ? first : 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0)
    const start = at + 2 + count
    if (start + length > bytes.length) return undefined
    nodes.push(nodeOf(tag, bytes.subarray(start, start + length), depth, budget))
    at = start + length
  }
  return nodes
}

/** Also strings that hold elements, such as extensions and keys. */
function nodeOf(tag: number, contents: Uint8Array, depth: number, budget: { left: number }): Node {
  const lead = tag === 0x03 && contents[0] === 0 ? contents.subarray(0, 1) : NONE
  const mayHold = (tag & 0x20) !== 0 || tag === 0x04 || tag === 0x03
  const inside = contents.subarray(lead.length)
  const children = mayHold && depth < MAX_DEPTH && inside.length > 1 ? parse(inside, depth + 1, budget) : undefined
  return { tag, contents, children: children ?? [], lead: children ? lead : NONE }
}

const encode = (node: Node): Uint8Array =>
  node.children.length > 0 ? der(node.tag, node.lead, ...node.children.map(encode)) : der(node.tag, node.contents)

const listOf = (nodes: readonly Node[]): Node[] => nodes.flatMap(node => [node, ...listOf(node.children)])

const TAGS = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x17, 0x18, 0x1e, 0x30, 0x31, 0x80, 0xa0, 0xa1, 0xa3, 0x1f]
const CONTENTS = ['', '00', 'ff', '80', '7fffffff', '00ffffffffffffffff', '8000000000000000', 'ffffffffffffff7f', '0700', '3000']
const TIMES = ['500101000000Z', '00000000000000Z', '20260230000000Z', '99991231235959Z', '20261231235960Z', '202601010000Z']

function changeContents(node: Node, chance: Chance, all: readonly Node[]): void {
  const other = chance.pick(all)
  const isTime = node.tag === 0x17 || node.tag === 0x18
  node.contents = chance.pick([
    isTime ? Buffer.from(chance.pick(TIMES)) : Buffer.from(chance.pick(CONTENTS), 'hex'),
    other.contents,
    changeAnywhere(node.contents, chance, { format: 'bytes', seeds: [other.contents], words: [] }),
  ])
  node.children = []
}

function changeTree(roots: Node[], chance: Chance): void {
  const all = listOf(roots)
  const node = chance.pick(all)
  const parent = all.find(each => each.children.includes(node))
  const siblings = parent?.children ?? roots
  const at = siblings.indexOf(node)
  switch (chance.below(8)) {
    case 0:
      siblings.splice(at, 1)
      break
    case 1:
      siblings.splice(at, 0, ...Array.from({ length: chance.happens(0.9) ? 1 : chance.below(400) }, () => structuredClone(node)))
      break
    case 2:
      node.tag = chance.pick(TAGS)
      break
    case 3:
      siblings[at] = structuredClone(chance.pick(all))
      break
    case 4:
      siblings.splice(at, 1)
      siblings.splice(chance.below(siblings.length + 1), 0, node)
      break
    case 5:
      for (let depth = chance.below(60); depth > 0; depth--)
        siblings[at] = { tag: chance.pick([0x30, 0x31, 0xa0]), contents: NONE, children: [siblings[at] ?? node], lead: NONE }
      break
    default:
      changeContents(node, chance, all)
  }
}

/** A length as BER allows: in more octets than needed, indefinite, or beyond the end. */
function changeLength(bytes: Uint8Array, chance: Chance): Uint8Array {
  const places: number[] = []
  for (let at = 0; at + 1 < bytes.length && places.length < 200; at += bytes[at + 1]! < 0x80 ? 2 : 2 + (bytes[at + 1]! & 7))
    places.push(at + 1)
  const at = places.length > 0 ? chance.pick(places) : 0
  const length = chance.pick([[0x80], [0x81, 0x05], [0x84, 0xff, 0xff, 0xff, 0xff], [0x85, 1, 0, 0, 0, 0], [0xff], [0x7f], [0]])
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(length), bytes.subarray(at + 1)])
}

export const mutateDer: Change = (bytes, chance, material) => {
  // Zeros fill the space behind a signature.
  const end = bytes.findLastIndex(octet => octet !== 0) + 1
  const roots = parse(bytes.subarray(0, end), 0, { left: MAX_NODES })
  if (roots === undefined || roots.length === 0) return changeAnywhere(bytes, chance, material)
  if (chance.happens(0.15)) return changeLength(bytes, chance)
  changeTree(roots, chance)
  return Buffer.concat(roots.map(encode))
}
