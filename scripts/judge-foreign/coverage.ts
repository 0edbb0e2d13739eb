/**
 * Writes the table of what the verifier supports, with the files of other products that show it.
 * Only signatures count that the verifier found intact, and only files that it did not refuse.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HASHES } from '../../src/pki/algorithm.ts'
import { CMS_OID } from '../../src/pki/oid.ts'
import { CURVES } from '../../src/pki/public-key.ts'
import { PADES, PKCS7 } from '../../src/verify/cms.ts'
import type { Opinion } from '../judge-tools/survey.ts'
import { factsOf } from './facts.ts'
import { FEATURES } from './features.ts'

const ROOT = join(import.meta.dir, '../..')
export const COVERAGE_PATH = join(import.meta.dir, 'COVERAGE.md')

/** Folder of a file → who made it. Real files and those of other people's tests come first. */
const MAKERS: readonly (readonly [string, string])[] = [
  ['dss-tests/', 'tests of EU DSS'],
  ['pyhanko-tests/', 'tests of pyHanko'],
  ['shared/corpus/', 'tests of pdf.js'],
  ['dss/', 'signed by EU DSS here'],
  ['pyhanko/', 'signed by pyHanko here'],
]
const REFUSED = new Set(['not-valid', 'unreadable', 'not-signed', 'refused', 'FAILED', 'no answer'])

export interface CoveredFile {
  name: string
  path: string
  ours: Opinion
}

/** The features that one file shows. */
export function featuresShown(bytes: Uint8Array, { kind, signatures = [], changes = [] }: Opinion): Set<string> {
  const facts = factsOf(bytes)
  const intact = signatures.filter(({ integrity }) => integrity === 'intact')
  const shown = new Set(intact.flatMap(({ field }) => [...(facts.signatures.get(field) ?? [])]))
  for (const { level } of intact) if (level !== undefined) shown.add(`level:${level}`)
  if (REFUSED.has(kind.replace(/ then$/, '')) || intact.length === 0) return shown
  for (const id of [...facts.file, ...changes.map(change => `later:${change}`)]) shown.add(id)
  return shown
}

const makerOf = (name: string): number => MAKERS.findIndex(([folder]) => name.startsWith(folder))
const shortName = (name: string): string => name.split('/').at(-1) ?? name

/** Of each maker the first, two at most. */
function examplesOf(names: readonly string[]): string {
  const ordered = names.toSorted((a, b) => makerOf(a) - makerOf(b) || (a < b ? -1 : 1))
  const firsts = ordered.filter((name, i) => ordered.findIndex(other => makerOf(other) === makerOf(name)) === i)
  return firsts
    .slice(0, 2)
    .map(name => `\`${shortName(name)}\` (${MAKERS[makerOf(name)]?.[1] ?? name})`)
    .join(', ')
}

/** A level depends on the day: authorities of real files expire. Those signed here are new. */
const isSteady = (id: string, name: string): boolean => !id.startsWith('level:') || makerOf(name) > 2

/** What the code knows and no row names, and tests that are not there; sentences. */
export function findGaps(): string[] {
  const { signingTime, signingCertificate, signingCertificateV2, algorithmProtection } = CMS_OID
  const known = [
    ...Object.values(HASHES).map(hash => `hash:${hash}`),
    ...Object.values(CURVES).map(curve => `key:${curve}`),
    ...[PADES, PKCS7].map(filter => `filter:${filter}`),
    ...[signingTime, signingCertificate, signingCertificateV2, algorithmProtection].map(id => `cms:${id}`),
  ]
  const tests = Object.values(FEATURES).map(({ own }) => own)
  return [
    ...known.filter(id => !Object.hasOwn(FEATURES, id)).map(id => `features.ts does not list ${id}`),
    ...tests.filter(own => !existsSync(join(ROOT, own))).map(own => `there is no ${own}`),
  ]
}

/** Markdown. */
export function describeCoverage(files: readonly CoveredFile[]): string {
  const byFeature = new Map<string, string[]>()
  for (const { name, path, ours } of files)
    for (const id of featuresShown(readFileSync(path), ours))
      if (isSteady(id, name)) byFeature.set(id, [...(byFeature.get(id) ?? []), name])
  const rows = Object.entries(FEATURES).map(([id, { group, what, own }]) => {
    const names = byFeature.get(id) ?? []
    const shown = names.length === 0 ? '**none**' : examplesOf(names)
    return `| ${group} | ${what} | ${names.length} | ${shown} | \`${own}\` |`
  })
  const bare = Object.entries(FEATURES).filter(([id]) => !byFeature.has(id))
  return `# What the verifier supports, and which files show it

\`sh scripts/judges --foreign --coverage\` writes this table, and \`sh scripts/judges --foreign\` fails when it is not true any
more. A file counts for a feature of a signature if our verifier found that signature intact, and for a feature of the
file if it did not refuse the file; whether the signer is trusted says nothing here. \`features.ts\` lists the features;
\`facts.ts\` finds them. Levels are counted on files that were signed for this run alone: authorities of older ones expire.

${files.length} files of other products were read. Of ${Object.keys(FEATURES).length} features, ${bare.length} are shown by files of our own alone:
${bare.map(([, { group, what }]) => `${group}: ${what}`).join('; ') || 'none'}.

| Group | Feature | Files | For example | Our own test |
|---|---|---|---|---|
${rows.join('\n')}
`
}
