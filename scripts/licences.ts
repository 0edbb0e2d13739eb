/**
 * The licence texts of all packages inside the executable. A package without a text is listed with
 * the licence that its package.json declares.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Package {
  name: string
  version: string
  /** SPDX expression. */
  license?: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const TEXT = /^(licen[cs]e|notice|copying|ofl)/i
/** pdf.js keeps those of its parts beside them; QuickJS is not taken along. */
const PARTS = ['wasm', 'standard_fonts', 'cmaps', 'iccs']

/** What a font says in its name table; its package brings no text. */
function openFont(...copyright: string[]): string {
  const licence = 'This Font Software is licensed under the SIL Open Font License, Version 1.1: https://scripts.sil.org/OFL'
  return [...copyright, licence].join('\n')
}

/** Licences of packages without a text: from the name table of the font, from Lucide’s site. */
const SAID_ELSEWHERE: Record<string, string> = {
  'lucide-static': [
    'ISC License',
    'Copyright (c) 2026 Lucide Icons and Contributors',
    'Portions are from Feather, under the MIT licence: Copyright (c) 2013-2023 Cole Bemis',
    '',
    'Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby',
    'granted, provided that the above copyright notice and this permission notice appear in all copies.',
    '',
    'THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL',
    'IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,',
    'INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN',
    'AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR',
    'PERFORMANCE OF THIS SOFTWARE.',
  ].join('\n'),
  '@expo-google-fonts/amita': openFont(
    'Copyright (c) 2014, Eduardo Rodriguez Tunni. Copyright (c) 2000, Modular Infotech, Pune, INDIA. All rights',
    'reserved. Copyright (c) 2011 by Brian J. Bonislawsky DBA Astigmatic (AOETI) (astigma@astigmatic.com). All rights',
    'reserved.',
  ),
  '@expo-google-fonts/charmonman': openFont(
    'Copyright 2018 The Charmonman Project Authors (https://github.com/cadsondemak/Charmonman)',
  ),
  '@expo-google-fonts/mynerve': openFont('Copyright 2022 The Mynerve Project Authors (https://github.com/carolinashort/MyNerve)'),
}

const packageAt = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package

/** Where a package finds another: beside itself or in a folder above, as Node.js does. */
function folderOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === dirname(folder)) return undefined
  }
}

function textsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    entry => entry.isFile() && TEXT.test(entry.name) && !/quickjs/i.test(entry.name),
  )
  return names.map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
}

/** Packages by folder, starting with those that `root` names. Skips packages of other platforms. */
export function carried(root: string): Map<string, Package> {
  const found = new Map<string, Package>()
  const waiting = Object.keys(packageAt(root).dependencies ?? {}).map(name => folderOf(name, root))
  while (waiting.length > 0) {
    const folder = waiting.pop()
    if (!folder || found.has(folder)) continue
    const own = packageAt(folder)
    found.set(folder, own)
    const peers = Object.keys(own.peerDependencies ?? {}).filter(name => !own.peerDependenciesMeta?.[name]?.optional)
    for (const name of [...Object.keys(own.dependencies ?? {}), ...peers]) waiting.push(folderOf(name, folder))
  }
  return found
}

/** Those of one package, in its folder. */
function licencesIn(folder: string, { name, license }: Package): string[] {
  const texts = [folder, ...PARTS.map(part => join(folder, part))].flatMap(textsIn)
  return texts.length > 0 ? texts : [SAID_ELSEWHERE[name] ?? `Declared as ${license ?? 'nothing'}; the package brings no text.`]
}

/** Each text once, after the packages that have it. */
function grouped(packages: Iterable<[folder: string, Package]>): { head: string; text: string }[] {
  const packagesByText = new Map<string, string[]>()
  for (const [folder, own] of packages)
    for (const text of licencesIn(folder, own))
      packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${own.name} ${own.version}`])
  const parts = [...packagesByText].map(([text, names]) => ({ head: names.sort().join('\n'), text }))
  return parts.sort((a, b) => (a.head < b.head ? -1 : 1))
}

/** One text, of the packages in these folders. */
export function licencesOf(folders: Iterable<string>): string {
  const packages = [...folders].map((folder): [string, Package] => [folder, packageAt(folder)])
  return grouped(packages)
    .map(({ head, text }) => `${head}\n\n${text}`)
    .join('\n\n')
}

/** One text: each licence once, after the packages that use it. `root`: the project's folder. */
export function licences(root: string): string {
  const parts = grouped(carried(root))
  const bun = `bun ${Bun.version}\n\nThe runtime: MIT, with JavaScriptCore under LGPL-2.1 and more: https://bun.com/docs/project/license`
  return `${[bun, ...parts.map(({ head, text }) => `${head}\n\n${text}`)].join(`\n\n${'='.repeat(80)}\n\n`)}\n`
}
