/** Runs other programs for the judges: bounded in time, their words kept. */

export interface Outcome {
  /** 124 when the time was up, as `timeout` has it. */
  code: number
  /** Standard output, then standard error. */
  text: string
  out: string
}

export const isHere = (program: string): boolean => Bun.which(program) !== null

export interface RunOptions {
  cwd?: string
  env?: Record<string, string>
  /** Milliseconds after which the program is killed. */
  limitMs?: number
}

export async function run(command: string[], { cwd = '.', env = {}, limitMs = 60_000 }: RunOptions = {}): Promise<Outcome> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: Math.ceil(limitMs),
    killSignal: 'SIGKILL',
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  const isKilled = child.signalCode !== null
  return { code: isKilled ? 124 : code, text: isKilled ? `${out}${error}\nkilled after ${limitMs} ms` : `${out}${error}`, out }
}

/** Runs what has to succeed. @throws Error with the program's own words */
export async function must(command: string[], options?: RunOptions): Promise<Outcome> {
  const outcome = await run(command, options)
  if (outcome.code !== 0) throw new Error(`${command.slice(0, 3).join(' ')}: ${outcome.text.trim().slice(-600)}`)
  return outcome
}
