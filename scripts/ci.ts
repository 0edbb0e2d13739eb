/** Checks types, style, the executable and the tests, in this order. Stops at the first failure. */

const bun = process.execPath

const STEPS: { name: string; command: string[] }[] = [
  { name: 'types', command: [bun, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'] },
  { name: 'style', command: ['node_modules/.bin/biome', 'ci', '.'] },
  { name: 'executable', command: [bun, 'scripts/build.ts'] },
  { name: 'tests', command: [bun, 'test', '--timeout=60000'] },
]

/** Runs a step with its output shown. Answers its exit code and the text. */
async function run(command: string[]): Promise<{ code: number; text: string }> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' })
  let text = ''
  const show = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      const part = decoder.decode(chunk, { stream: true })
      text += part
      process.stdout.write(part)
    }
  }
  await Promise.all([show(child.stdout), show(child.stderr)])
  return { code: await child.exited, text }
}

export {}

let summary = ''
for (const { name, command } of STEPS) {
  console.log(`— ${name}`)
  const { code, text } = await run(command)
  if (name === 'tests') {
    const count = (word: string) => /\d+/.exec(text.match(new RegExp(`^ *\\d+ ${word}$`, 'gm'))?.at(-1) ?? '0')?.[0] ?? '0'
    summary = `${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped`
  }
  if (code !== 0) {
    console.log(summary || `— ${name} failed`)
    process.exit(code)
  }
}
console.log(summary)
