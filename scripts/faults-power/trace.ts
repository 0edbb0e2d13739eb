/** System calls of a program, as strace records them. */

export interface Call {
  name: string
  args: string
  result: number
  /** Of the descriptor that the call returned. */
  opened: string | undefined
}

export const TRACED = [
  ...['openat', 'open', 'creat', 'pwrite64', 'write', 'writev', 'pwritev', 'pwritev2', 'ftruncate', 'truncate', 'fsync'],
  ...['fdatasync', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'rmdir', 'mkdir', 'mkdirat', 'link', 'linkat'],
  ...['symlink', 'symlinkat', 'copy_file_range', 'sendfile', 'fallocate', 'io_uring_setup', 'sendto', 'sendmsg'],
]

/** The command with all its children recorded into the file. */
export const traced = (trace: string, command: readonly string[]): string[] => [
  ...['strace', '-f', '-y', '-xx', '-s', '400000000', '-o', trace, '-e', `trace=${TRACED.join(',')}`],
  ...command,
]

/** Runs the command to its end. */
export function record(trace: string, command: readonly string[], cwd: string): { code: number; err: string } {
  const { exitCode, stderr } = Bun.spawnSync(traced(trace, command), { cwd, env: {} })
  return { code: exitCode, err: String(stderr) }
}

const CALL = /^(\w+)\((.*)\)\s+=\s+(-?\d+)(?:<((?:\\x..)+)>)?/
/** A group that repeats finds nothing in strings of megabytes. */
const HEX = /"([\\x0-9a-f]*)"/g
const UNFINISHED = '<unfinished ...>'

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/** Joins calls that another thread interrupted, and leaves out those that failed. */
export function* callsIn(text: string): Generator<Call> {
  const begun = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, thread = '', shown = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (shown.endsWith(UNFINISHED)) {
      begun.set(thread, shown.slice(0, -UNFINISHED.length))
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(shown)?.[1]
    const call = CALL.exec(resumed === undefined ? shown : (begun.get(thread) ?? '') + resumed)
    if (call === null || Number(call[3]) < 0) continue
    const [, name = '', args = '', result, opened] = call
    yield { name, args, result: Number(result), opened: opened && bytesOf(opened).toString() }
  }
}

/** The texts and buffers among the arguments. */
export const stringsIn = ({ args }: Call): Buffer[] => [...args.matchAll(HEX)].map(([, hex = '']) => bytesOf(hex))

/** The path of the first argument, if that is a descriptor. */
export function descriptorOf({ args }: Call): string | undefined {
  const hex = /^\d+<((?:\\x..)+)>/.exec(args)?.[1]
  return hex && bytesOf(hex).toString()
}

/** Whether the call begins an answer of an HTTP server. */
export const isAnswer = (call: Call): boolean =>
  /^(write|writev|sendto|sendmsg)$/.test(call.name) &&
  descriptorOf(call)?.startsWith('socket:') === true &&
  Buffer.concat(stringsIn(call).slice(0, 2)).toString('latin1').startsWith('HTTP/1.1 ')
