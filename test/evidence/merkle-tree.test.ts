/** The Merkle tree of RFC 9162 §2.1: known roots, and proofs of every pair of sizes. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  ConsistencyProver,
  EMPTY,
  inclusionProof,
  isFrontier,
  leafHash,
  rootOfLeaves,
  TreeBuilder,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '../../src/evidence/merkle-tree.ts'

/** The inputs and roots that the Certificate Transparency project tests its trees with. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const LEAVES = INPUTS.map(leafHash)

test('known inputs have the known roots, leaf by leaf', () => {
  const tree = new TreeBuilder()
  expect(tree.root).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  const roots = LEAVES.map(leaf => {
    tree.add(leaf)
    expect(isFrontier(tree.frontier)).toBe(true)
    expect(treeRoot(tree.frontier)).toBe(tree.root)
    return tree.root
  })
  expect(roots).toEqual(ROOTS)
})

test('known proofs: inclusion of the first and the sixth of eight, consistency of 6 with 8 and of 2 with 5', () => {
  expect(inclusionProof(LEAVES, 0)).toEqual([
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ])
  expect(inclusionProof(LEAVES, 5)).toEqual([
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ])
  expect(proofOf(6, 8)).toEqual([
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ])
  expect(proofOf(2, 5)).toEqual([
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  ])
})

const MOST = 40
const leaves = Array.from({ length: MOST + 1 }, (_, i) => leafHash(createHash('sha256').update(String(i)).digest('hex')))
const roots = Array.from({ length: MOST + 1 }, (_, size) => rootOfLeaves(leaves.slice(0, size)))

interface Sized {
  size: number
  root: string
}

const sized = (size: number): Sized => ({ size, root: roots[size] ?? '' })

function proofOf(oldSize: number, newSize: number, of: readonly string[] = LEAVES): string[] {
  const old = new TreeBuilder()
  for (const leaf of of.slice(0, oldSize)) old.add(leaf)
  const prover = new ConsistencyProver(old.frontier, newSize)
  for (const leaf of of.slice(oldSize, newSize)) prover.add(leaf)
  return prover.proof()
}

describe('of every size up to 40', () => {
  test('each leaf is included, by its own proof alone', () => {
    for (let size = 1; size <= MOST; size++)
      for (let index = 0; index < size; index++) {
        const proof = inclusionProof(leaves.slice(0, size), index)
        const given = { leaf: leaves[index] ?? '', index, ...sized(size) }
        expect(verifyInclusion(given, proof)).toBe(true)
        expect(verifyInclusion({ ...given, leaf: leaves[index + 1] ?? '' }, proof)).toBe(false)
        if (size > 1) expect(verifyInclusion({ ...given, index: (index + 1) % size }, proof)).toBe(false)
        expect(verifyInclusion({ ...given, index: size }, proof)).toBe(false)
        expect(verifyInclusion(given, [...proof, leaves[0] ?? ''])).toBe(false)
        if (proof.length > 0) expect(verifyInclusion(given, proof.slice(1))).toBe(false)
      }
  })

  test('each tree is consistent with every later one, and with no other', () => {
    for (let newSize = 2; newSize <= MOST; newSize++)
      for (let oldSize = 1; oldSize < newSize; oldSize++) {
        const [old, next] = [sized(oldSize), sized(newSize)]
        const proof = proofOf(oldSize, newSize, leaves)
        expect(verifyConsistency(old, next, proof)).toBe(true)
        const other = roots[oldSize - 1] ?? ''
        expect(verifyConsistency({ ...old, root: other }, next, proof)).toBe(false)
        expect(verifyConsistency(old, { ...next, root: other }, proof)).toBe(false)
        expect(verifyConsistency(old, next, proof.slice(1))).toBe(false)
        expect(verifyConsistency(old, next, [...proof, other])).toBe(false)
        expect(verifyConsistency(next, old, proof)).toBe(false)
      }
  })
})

test('equal sizes need no proof and the same root; every tree continues the empty one', () => {
  const [five, six] = [sized(5), sized(6)]
  expect(verifyConsistency(five, five, [])).toBe(true)
  expect(verifyConsistency(five, { ...five, root: six.root }, [])).toBe(false)
  expect(verifyConsistency(five, five, [six.root])).toBe(false)
  expect(verifyConsistency({ size: 0, root: treeRoot(EMPTY) }, six, [])).toBe(true)
})

test('a frontier whose parts do not belong together is not accepted', () => {
  const given = [EMPTY, { size: 1, peaks: [] }, { size: 2, peaks: ['a', 'b'] }, { size: -1, peaks: ['a'] }]
  expect(given.map(isFrontier)).toEqual([true, false, false, false])
})
