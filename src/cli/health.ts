/** `signet health`: asks the instance of a data folder, as a container's health check does. */
import { localOrigin, readRunningAddress } from '../lib/running-address.ts'
import { THIS_FILE_SYSTEM } from '../lib/this-file-system.ts'
import { configFrom, DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

/** Longer than every check of `/readyz`. */
const MAX_WAIT_MS = 5_000

export const health: Verb = {
  name: 'health',
  usage: 'signet health [--live] [--data DIR]',
  summary: 'asks the running service whether it is ready, or with --live whether it answers; exit 1 when not',
  async run(args, io) {
    const parsed = parseFlags(args, { '--live': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const { dataFolder, host, port } = configFrom(parsed, io.env)
    // Without the file the service is starting, was killed, or belongs to a user of its own.
    const origin = (await readRunningAddress(THIS_FILE_SYSTEM, dataFolder))?.local ?? localOrigin(host, port)
    const { isWell, message } = await ask(`${origin}${parsed.switches.has('--live') ? '/healthz' : '/readyz'}`)
    const say = isWell ? io.out : io.err
    say(message)
    return isWell ? 0 : 1
  },
}

async function ask(url: string): Promise<{ isWell: boolean; message: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(MAX_WAIT_MS), redirect: 'error' })
    const body = (await response.json()) as { status?: unknown; checks?: Record<string, unknown> }
    const state = typeof body.status === 'string' ? body.status : `status ${response.status}`
    return { isWell: response.ok, message: [state, ...deviations(body.checks ?? {})].join(', ') }
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? `no answer within ${MAX_WAIT_MS / 1000} s` : 'no answer'
    return { isWell: false, message: `${why} from ${url}: signet serve does not run there, or is starting` }
  }
}

/** The checks that are not as they should be, such as `disk low`. */
function deviations(checks: Record<string, unknown>): string[] {
  const bad = Object.entries(checks).filter(([, value]) => value !== 'ok' && value !== 0 && value !== false)
  return bad.map(([name, value]) => `${name} ${String(value)}`)
}
