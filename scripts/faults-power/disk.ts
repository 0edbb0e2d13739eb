/**
 * A folder as a disk has it after a power failure at any call. Idea: ALICE (Pillai et al., OSDI
 * 2014). Not modelled: memory maps, and a part of the unsynced calls surviving.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { type Call, descriptorOf, stringsIn } from './trace.ts'

/**
 * `killed`: everything written survives. `ext4`: names at once, content when synced. `posix`: names
 * too only when their folder is synced.
 */
export const LOSSES = ['killed', 'ext4', 'posix'] as const
export type Loss = (typeof LOSSES)[number]

interface File {
  now: Buffer
  durable: Buffer
}
interface Folder {
  now: Map<string, Node>
  durable: Map<string, Node>
}
type Node = File | Folder

const isFolder = (node: Node | undefined): node is Folder => node?.now instanceof Map
const newFile = (): File => ({ now: Buffer.alloc(0), durable: Buffer.alloc(0) })
const newFolder = (): Folder => ({ now: new Map(), durable: new Map() })
/** Locks hold no data, and SQLite makes its shared memory anew. */
const isIgnored = (path: string): boolean => /(signet\.lock|signet\.lock-journal|signet\.holder|-shm)$/.test(path)

function load(path: string): Node {
  if (!lstatSync(path).isDirectory()) {
    const content = readFileSync(path)
    return { now: content, durable: content }
  }
  const entries = readdirSync(path).filter(name => !isIgnored(name))
  const nodes = new Map(entries.map(name => [name, load(join(path, name))]))
  return { now: nodes, durable: new Map(nodes) }
}

export class TracedDisk {
  readonly #root: string
  readonly #tree: Node

  /** `start`: what the folder `root` held when the trace began. */
  constructor(root: string, start: string) {
    this.#root = root
    this.#tree = load(start)
  }

  /** Returns what the call changed, undefined for nothing. */
  apply(call: Call): string | undefined {
    const { name } = call
    if (/^(open|openat|creat)$/.test(name)) return this.#opened(call)
    if (/^(write|pwrite64)$/.test(name)) return this.#written(call)
    if (name === 'ftruncate') return this.#truncated(call)
    if (/^f(data)?sync$/.test(name)) return this.#synced(call)
    if (/^mkdir/.test(name)) return this.#changed(call, paths => this.#put(paths[0], newFolder()))
    if (/^(unlink|rmdir)/.test(name)) return this.#changed(call, paths => this.#take(paths[0]) !== undefined)
    if (/^link/.test(name)) return this.#changed(call, ([from, to]) => this.#put(to, this.#find(from)))
    // A message to a child process may name a path.
    if (/^send(to|msg)$/.test(name)) return undefined
    if (/^rename/.test(name)) return this.#changed(call, ([from, to]) => this.#put(to, this.#take(from)))
    if (call.args.includes(hexOf(this.#root))) throw new Error(`${name} is not modelled`)
    return undefined
  }

  /** A digest of what survives: equal ones need one check. */
  state(loss: Loss): string {
    const lines: string[] = []
    walk(this.#tree, loss, '', (path, content) => lines.push(`${path} ${content === undefined ? '' : hashOf(content)}`))
    return sha256Hex(lines.sort().join('\n'))
  }

  writeTo(folder: string, loss: Loss): void {
    walk(this.#tree, loss, '', (path, content) => {
      if (content === undefined) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 })
      else writeFileSync(join(folder, path), content, { mode: 0o600 })
    })
  }

  #find(path: string | undefined): Node | undefined {
    if (path === undefined || isIgnored(path)) return undefined
    if (path === this.#root) return this.#tree
    if (!path.startsWith(`${this.#root}/`)) return undefined
    const parent = this.#find(dirname(path))
    return isFolder(parent) ? parent.now.get(basename(path)) : undefined
  }

  #put(path: string | undefined, node: Node | undefined): boolean {
    const parent = path === undefined || isIgnored(path) ? undefined : this.#find(dirname(path))
    if (!isFolder(parent) || node === undefined) return false
    parent.now.set(basename(path ?? ''), node)
    return true
  }

  #take(path: string | undefined): Node | undefined {
    const node = this.#find(path)
    const parent = path === undefined ? undefined : this.#find(dirname(path))
    if (node === undefined || !isFolder(parent)) return undefined
    parent.now.delete(basename(path ?? ''))
    return node
  }

  #changed(call: Call, change: (paths: string[]) => boolean): string | undefined {
    const paths = stringsIn(call).map(String)
    return change(paths) ? `${call.name} ${paths.map(path => basename(path)).join(' ')}` : undefined
  }

  #opened({ name, args, opened }: Call): string | undefined {
    const node = this.#find(opened)
    if (node === undefined && args.includes('O_CREAT')) return this.#put(opened, newFile()) ? `create ${opened}` : undefined
    if (node === undefined || isFolder(node) || !args.includes('O_TRUNC')) return undefined
    node.now = Buffer.alloc(0)
    return `${name} truncates`
  }

  /** `write` appends: nothing here seeks. */
  #written(call: Call): string | undefined {
    const node = this.#find(descriptorOf(call))
    if (node === undefined || isFolder(node)) return undefined
    const data = (stringsIn(call)[0] ?? Buffer.alloc(0)).subarray(0, call.result)
    const at = call.name === 'write' ? node.now.length : Number(call.args.slice(call.args.lastIndexOf(',') + 1))
    const grown = Buffer.alloc(Math.max(node.now.length, at + data.length))
    node.now.copy(grown)
    data.copy(grown, at)
    node.now = grown
    return `write ${descriptorOf(call)}`
  }

  #truncated(call: Call): string | undefined {
    const node = this.#find(descriptorOf(call))
    if (node === undefined || isFolder(node)) return undefined
    const cut = Buffer.alloc(Number(call.args.slice(call.args.lastIndexOf(',') + 1)))
    node.now.copy(cut)
    node.now = cut
    return `truncate ${descriptorOf(call)}`
  }

  #synced(call: Call): string | undefined {
    const node = this.#find(descriptorOf(call))
    if (isFolder(node)) node.durable = new Map(node.now)
    else if (node) node.durable = node.now
    return node && `sync ${descriptorOf(call)}`
  }
}

/** Content is replaced, never changed. */
const hashes = new WeakMap<Buffer, string>()

function hashOf(content: Buffer): string {
  const hash = hashes.get(content) ?? sha256Hex(content)
  hashes.set(content, hash)
  return hash
}

const hexOf = (text: string): string => [...Buffer.from(text)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

function walk(node: Node, loss: Loss, path: string, visit: (path: string, content: Buffer | undefined) => void): void {
  visit(path, isFolder(node) ? undefined : loss === 'killed' ? node.now : node.durable)
  if (!isFolder(node)) return
  for (const [name, entry] of loss === 'posix' ? node.durable : node.now) walk(entry, loss, join(path, name), visit)
}
