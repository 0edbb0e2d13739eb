/** One `signet serve` of a cluster: started, killed, stopped and continued by its pid. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/executable.ts'
import { type Program, type Programs, treeOf } from './programs.ts'

const GREETING_MS = 60_000
const READY_REQUEST_MS = 5_000

export class SignetNode {
  readonly name: string
  readonly folder: string
  readonly port: number
  readonly #programs: Programs
  readonly #env: Record<string, string>
  #executable: string
  #program: Program | undefined
  #isStopped = false
  /** Whether it should run: false after it was killed, ended or refused. */
  #isWanted = false
  /** Log lines of the runs before this one. */
  readonly #pastLogs: string[] = []

  private constructor(
    programs: Programs,
    name: string,
    folder: string,
    port: number,
    executable: string,
    env: Record<string, string>,
  ) {
    this.#programs = programs
    this.name = name
    this.folder = folder
    this.port = port
    this.#executable = executable
    this.#env = env
  }

  static async create(
    programs: Programs,
    { name, folder, executable, env }: { name: string; folder: string; executable: string; env: Record<string, string> },
  ): Promise<SignetNode> {
    const own = join(folder, name)
    mkdirSync(own, { recursive: true, mode: 0o700 })
    return new SignetNode(programs, name, own, await freePort(), executable, env)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    return this.#program?.pid ?? 0
  }

  isRunning(): boolean {
    return this.#program?.isRunning() === true
  }

  /** Ended without being asked to. */
  hasFailed(): boolean {
    return this.#isWanted && !this.isRunning()
  }

  isStopped(): boolean {
    return this.#isStopped
  }

  /** The settings of this node, for verbs beside it. */
  get env(): Record<string, string> {
    return { ...this.#env, SIGNET_DATA: join(this.folder, 'data') }
  }

  /** Of the database, in place of its owner. */
  logInAs(login: string): void {
    this.#env.SIGNET_DATABASE_URL = this.#env.SIGNET_DATABASE_URL?.replace('//signet:', `//${login}:`) ?? ''
  }

  /** Variables of its next start. */
  set(env: Record<string, string>): void {
    Object.assign(this.#env, env)
  }

  /** Without waiting for it. */
  launch(executable = this.#executable): void {
    if (this.#program !== undefined) this.#pastLogs.push(this.#program.log())
    this.#executable = executable
    this.#isStopped = false
    this.#isWanted = true
    const command = [executable, 'serve', '--port', String(this.port)]
    this.#program = this.#programs.start(this.name, command, { cwd: this.folder, env: this.env })
  }

  /** Resolves when it has greeted; throws with its log when it ends instead. */
  async greeted(): Promise<void> {
    const deadline = performance.now() + GREETING_MS
    while (!/\bserves\b/.test(this.#program?.log() ?? '')) {
      if (!this.isRunning()) throw new Error(`${this.name} ended:\n${this.#program?.log()}`)
      if (performance.now() > deadline) throw new Error(`${this.name} did not start:\n${this.#program?.log()}`)
      await Bun.sleep(20)
    }
  }

  async start(executable = this.#executable): Promise<void> {
    this.launch(executable)
    await this.greeted()
  }

  /** Resolves with its exit code, for a start that is to be refused. */
  async refused(): Promise<{ code: number; log: string }> {
    this.#isWanted = false
    const code = await Promise.race([this.#program?.exited ?? 0, Bun.sleep(GREETING_MS).then(() => -1)])
    return { code, log: this.#program?.log() ?? '' }
  }

  async kill(): Promise<void> {
    this.#isWanted = false
    await this.#program?.end('SIGKILL')
  }

  /** Orderly. */
  async end(): Promise<number> {
    this.#isWanted = false
    return this.#program?.end('SIGTERM') ?? 0
  }

  /** Starts again without the copies of files that its folder has. */
  async clearCache(): Promise<void> {
    await this.end()
    rmSync(join(this.folder, 'data'), { recursive: true, force: true })
    await this.start()
  }

  /** The process alone, or with the children that read PDFs. */
  stop(withChildren = false): void {
    for (const pid of withChildren ? treeOf(this.pid) : [this.pid]) process.kill(pid, 'SIGSTOP')
    this.#isStopped = true
  }

  continue(): void {
    this.#isStopped = false
    if (this.isRunning()) for (const pid of treeOf(this.pid)) process.kill(pid, 'SIGCONT')
  }

  /** As a balancer asks. */
  async isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(READY_REQUEST_MS) })).ok
    } catch {
      return false
    }
  }

  /** The lines of its log, of all its runs. */
  log(): string[] {
    return [...this.#pastLogs, this.#program?.log() ?? ''].join('\n').split('\n')
  }
}
