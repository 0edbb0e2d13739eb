/** What a confined child cannot do, tried from within. Needs a kernel with system call filters. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'
import { useFolder } from '../support/folders.ts'
import { gone, isAlive } from '../support/scripted-pool.ts'

const SRC = join(import.meta.dir, '../../src')
const folder = useFolder()

/** Runs a program and returns what it printed. */
async function outputOf(name: string, text: string): Promise<string> {
  const path = join(folder, `${name}.ts`)
  writeFileSync(path, text)
  const child = Bun.spawn([process.execPath, path], { stdout: 'pipe', stderr: 'inherit', stdin: 'ignore' })
  const out = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return out
}

const CONFINE = `import { confine } from ${JSON.stringify(join(SRC, 'sandbox/confinement.ts'))}\n`

test('a child cannot connect to a listener on this machine by any means of the runtime', async () => {
  let connections = 0
  const server = createServer(socket => {
    connections++
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const tries = `
    const outcome = work => work.then(() => 'connected', () => 'refused')
    const tries = () => Promise.all([
      outcome(fetch('http://127.0.0.1:${port}/')),
      outcome(new Promise((resolve, reject) => {
        require('node:net').connect(${port}, '127.0.0.1').on('connect', resolve).on('error', reject)
      })),
      outcome((async () => new Worker(URL.createObjectURL(new Blob(['fetch("http://127.0.0.1:${port}/").then(() => postMessage(1), () => postMessage(0))']))))()
        .then(worker => new Promise((resolve, reject) => { worker.onmessage = ({ data }) => data ? resolve(1) : reject(0) }))),
    ])
    console.log(JSON.stringify(await tries()))
    process.exit(0)`
  try {
    expect(JSON.parse(await outputOf('free', tries))).toEqual(['connected', 'connected', 'connected'])
    expect(connections).toBe(3)
    expect(JSON.parse(await outputOf('confined', `${CONFINE} confine()\n${tries}`))).toEqual(['refused', 'refused', 'refused'])
    expect(connections).toBe(3)
  } finally {
    server.close()
  }
})

test('a child cannot start a program or dump its memory, and reads and writes files as before', async () => {
  const path = join(folder, 'file')
  const output = await outputOf(
    'acts',
    `${CONFINE}
    const { inForce, missing } = confine()
    let program = 'started'
    try { require('node:child_process').execFileSync('/bin/true') } catch { program = 'refused' }
    require('node:fs').writeFileSync(${JSON.stringify(path)}, 'written')
    const limits = require('node:fs').readFileSync('/proc/self/limits', 'utf8')
    const limit = name => new RegExp(name + ' +(\\\\S+) +(\\\\S+)').exec(limits).slice(1)
    const status = require('node:fs').readFileSync('/proc/self/status', 'utf8')
    console.log(JSON.stringify({
      program, missing, core: limit('Max core file size'), files: limit('Max open files'),
      status: ['NoNewPrivs', 'Seccomp'].map(name => new RegExp(name + ':\\\\s+(\\\\d)').exec(status)[1]),
    }))`,
  )
  expect(JSON.parse(output)).toEqual({
    program: 'refused',
    missing: [],
    core: ['0', '0'],
    files: ['64', '64'],
    status: ['1', '2'],
  })
  expect(readFileSync(path, 'utf8')).toBe('written')
})

test('a looping child does not outlive the process that started it', async () => {
  const child = join(folder, 'endless.ts')
  writeFileSync(
    child,
    `${CONFINE} confine()\nconsole.log(process.pid)\nconst end = Date.now() + 30_000\nwhile (Date.now() < end) {}\nawait Bun.write('${child}.survived', '')`,
  )
  const parent = join(folder, 'parent.ts')
  writeFileSync(parent, `Bun.spawn(['${process.execPath}', '${child}'], { stdout: 'inherit' })\nawait new Promise(() => {})`)
  const service = Bun.spawn([process.execPath, parent], { stdout: 'pipe' })
  const { value } = await service.stdout.getReader().read()
  const pid = Number(new TextDecoder().decode(value))
  expect(isAlive(pid)).toBe(true)
  service.kill('SIGKILL')
  await gone(pid)
  expect(existsSync(`${child}.survived`)).toBe(false)
})

test('a measure that this system lacks is reported with the reason, and the others are in force', async () => {
  const output = await outputOf(
    'elsewhere',
    `${CONFINE} Object.defineProperty(process, 'arch', { value: 'riscv64' })\nconsole.log(JSON.stringify(confine()))`,
  )
  expect(JSON.parse(output)).toEqual({
    inForce: ['no new privileges', 'no core dumps', 'few and bounded files', 'ended with the service'],
    missing: [{ what: 'no network, no other programs', why: 'no system call filter is known for riscv64' }],
  })
})

test('the real child reports the measures in force', async () => {
  const limits = { cpuMs: 60_000, wallMs: 120_000, rssBytes: 2 ** 30 }
  const tools = openPdfTools({ command: [process.execPath, join(SRC, 'main.ts'), '__pdf-child'], size: 1, limits })
  try {
    expect(await tools.confinement()).toEqual({
      inForce: [
        'no new privileges',
        'no network, no other programs',
        'no core dumps',
        'few and bounded files',
        'ended with the service',
      ],
      missing: [],
    })
  } finally {
    await tools.close()
  }
})
