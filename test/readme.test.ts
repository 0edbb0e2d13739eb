/** What the Markdown files of the project name exists: verbs, flags, variables, linked files. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findVerb } from '../src/cli/verbs.ts'
import { SETTINGS, type SettingRow } from '../src/config.ts'
import { ROOT } from './support/executable.ts'

const FILES = ['README.md', ...new Bun.Glob('{src,views,scripts,test}/**/*.md').scanSync(ROOT)]
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The lines of code blocks, and the code in the text. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/```\w*\n(.*?)```/gs)].flatMap(([, block = '']) => block.split('\n'))
  const spans = [...text.replace(/```.*?```/gs, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replace(/\s+/g, ' '))
  return [...blocks, ...spans]
}

/** Each call of the program, with its line: `signet key create --name N`. */
const callsIn = (text: string) =>
  codeIn(text).flatMap(line => {
    // The verb that it runs has the flags.
    const [, words, rest = ''] =
      /(?:^|[\s/(])signet (?:service run (?=[a-z]))?([a-z][a-z-]*(?: [a-z][a-z-]*)?)([^#]*)/.exec(line) ?? []
    return words === undefined ? [] : [{ words: words.split(' '), flags: rest.match(/--[a-z][a-z-]*/g) ?? [], line }]
  })

test('every call of the program in a Markdown file names a verb with flags that it has', async () => {
  const wrong: string[] = []
  let calls = 0
  for (const file of FILES) {
    for (const { words, flags, line } of callsIn(textOf(file))) {
      calls++
      const verb = await findVerb(words)
      if (!verb) wrong.push(`${file}: no verb in “${line}”`)
      for (const flag of flags)
        if (verb && !`${verb.usage} ${verb.summary}`.includes(flag)) wrong.push(`${file}: no ${flag} in “${line}”`)
    }
  }
  expect(wrong).toEqual([])
  expect(calls).toBeGreaterThan(50)
})

test('every variable in a Markdown file is read somewhere', () => {
  const settings = Object.values(SETTINGS).flatMap(({ variable }: SettingRow) => [variable, `${variable}_FILE`])
  const sources = [...new Bun.Glob('{src,scripts,test}/**/*.{ts,yml,sh}').scanSync(ROOT)].map(textOf).join('\n')
  const known = new Set([...settings, ...(sources.match(/SIGNET_[A-Z0-9_]+/g) ?? [])])
  const named = FILES.flatMap(file => (textOf(file).match(/SIGNET_[A-Z0-9_]*[A-Z0-9]/g) ?? []).map(name => `${file}: ${name}`))
  expect(named.filter(each => !known.has(each.split(': ')[1] ?? ''))).toEqual([])
})

test('every link in a Markdown file to another file leads to one', () => {
  const links = FILES.flatMap(file =>
    [...textOf(file).matchAll(/(?:\]\(|^\[\w+\]: )(?!https?:|#)([^)#\s]+)/gm)].map(([, target = '']) => ({ file, target })),
  )
  expect(links.filter(({ file, target }) => !existsSync(join(ROOT, dirname(file), target)))).toEqual([])
  expect(links.length).toBeGreaterThan(8)
})
