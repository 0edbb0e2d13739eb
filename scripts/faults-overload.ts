/**
 * Creations at twice the rate that the executable was found to make in the same run: each is made,
 * or refused with the time to come back. Prints figures; exits 1 when a promise is broken.
 */
import { demandBinary, emptyFolder, run, serve } from '../test/support/executable.ts'
import { type Answer, type ApiClient, apiClient, isMadeOrBusy, seconds } from './faults-client.ts'
import { exitCode, note, report } from './faults-report.ts'

const MEASURED_MS = 10_000
const AT_ONCE = 4
const OVERLOAD = 2
const OVERLOAD_MS = 30_000
const BACK_WITHIN_MS = 10_000
const PROBES = 10
/** “As before”: what a machine with other work may add to the slowest of the quiet service. */
const SLOWER = 2
const NOISE_MS = 250
const REPEATED = 50

const worst = (answers: readonly { ms: number }[]) => Math.max(0, ...answers.map(({ ms }) => ms))

/** Creations a second, by clients that each wait for their answer. */
async function capacityOf({ create }: ApiClient): Promise<number> {
  const startMs = performance.now()
  let made = 0
  const clients = Array.from({ length: AT_ONCE }, async (_, client) => {
    for (let n = 0; performance.now() - startMs < MEASURED_MS; n++) {
      const { status } = await create(0, `capacity-${client}-${n}`)
      if (status !== 201) throw new Error(`a creation below the capacity answered ${status}`)
      made++
    }
  })
  await Promise.all(clients)
  return (made * 1000) / (performance.now() - startMs)
}

interface Asked {
  key: string
  answer: Answer | undefined
}

/** Asks at this rate, whatever becomes of what was asked before. */
async function askTooMuch({ create }: ApiClient, perSecond: number): Promise<Promise<Asked>[]> {
  const asked: Promise<Asked>[] = []
  const startMs = performance.now()
  for (let passedMs = 0; passedMs < OVERLOAD_MS; passedMs = performance.now() - startMs) {
    while (asked.length < (passedMs * perSecond) / 1000) {
      const key = `overload-${asked.length}`
      const noAnswer = () => ({ key, answer: undefined })
      asked.push(create(1, key).then(answer => ({ key, answer }), noAnswer))
    }
    await Bun.sleep(20)
  }
  return asked
}

async function probe({ create }: ApiClient, name: string): Promise<Answer[]> {
  const found: Answer[] = []
  for (let n = 0; n < PROBES; n++) found.push(await create(2, `${name}-${n}`))
  return found
}

/** Probes until all of a round are as quick as before. Answers the time until that round. */
async function backAfterMs(api: ApiClient, limitMs: number): Promise<number> {
  const startMs = performance.now()
  for (let round = 0; performance.now() - startMs < 6 * BACK_WITHIN_MS; round++) {
    const beginMs = performance.now() - startMs
    const answers = await probe(api, `after-${round}`)
    if (answers.every(({ status, ms }) => status === 201 && ms <= limitMs)) return beginMs
  }
  return Number.POSITIVE_INFINITY
}

function reportAnswers(asked: Asked[]): void {
  const answers = asked.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
  const counts = Map.groupBy(answers, ({ status }) => status)
  const statuses = [...counts].map(([status, { length }]) => `${length} times ${status}`).join(', ')
  const isAnswered = answers.length === asked.length
  report('each is made, or refused with Retry-After', isAnswered && answers.every(isMadeOrBusy), `${statuses} of ${asked.length}`)
  note(
    `slowest that was made ${seconds(worst(counts.get(201) ?? []))} s, slowest refusal ${seconds(worst(counts.get(503) ?? []))} s`,
  )
}

/** A refused key works afterwards, every 2xx is a document, and there is no other. */
async function reportKept(api: ApiClient, other: ApiClient, asked: Asked[]): Promise<void> {
  const refused = asked.filter(({ answer }) => answer?.status !== 201)
  const again = await Promise.all(refused.slice(0, REPEATED).map(({ key }) => api.create(1, key)))
  const isMade = again.every(({ status }) => status === 201)
  report('the Idempotency-Key of a refused one works afterwards', isMade, `${again.length} of ${refused.length} repeated`)
  const answered = api.made.union(other.made)
  const there = new Set(await api.ids())
  const [lost, more] = [answered.difference(there).size, there.difference(answered).size]
  const isKept = lost === 0 && more === 0
  report('none is lost, none is made twice', isKept, `${answered.size} answered, ${lost} lost, ${more} more than answered`)
}

demandBinary()
// The runtime's own fetch makes others wait beyond this number, and the service would not see them.
if (process.env.BUN_CONFIG_MAX_HTTP_REQUESTS === undefined) throw new Error('run it by `sh scripts/faults overload`')
const folder = emptyFolder()
const env = { SIGNET_SEAL_KEY: 'ec-p256', SIGNET_RATE_PER_MINUTE: '1000000' }
const serving = await serve(folder.path, { env })
try {
  const key = (name: string) => run(folder.path, ['key', 'create', '--name', name]).out.trim()
  const [api, other] = [apiClient(serving, key('busy')), apiClient(serving, key('other'))]
  // The children are warm then, and the check of the database has ended.
  await Bun.sleep(3_000)
  const quiet = await probe(api, 'before')
  const perSecond = await capacityOf(api)
  const limitMs = SLOWER * worst(quiet) + NOISE_MS
  note(`${perSecond.toFixed(1)} creations a second by ${AT_ONCE} clients; alone one took at most ${Math.round(worst(quiet))} ms`)
  const asking = askTooMuch(api, OVERLOAD * perSecond)
  await Bun.sleep(OVERLOAD_MS / 2)
  const meanwhile = await other.create(3, 'meanwhile')
  note(`meanwhile another token got ${meanwhile.status} after ${seconds(meanwhile.ms)} s`)
  const promised = await asking
  note(`asked for ${OVERLOAD_MS / 1000} s at ${(OVERLOAD * perSecond).toFixed(1)} a second`)
  const afterMs = await backAfterMs(api, limitMs)
  const asked = await Promise.all(promised)
  reportAnswers(asked)
  report(
    'as quick as before within 10 s',
    afterMs <= BACK_WITHIN_MS,
    `${seconds(afterMs)} s (limit ${Math.round(limitMs)} ms each)`,
  )
  await reportKept(api, other, asked)
  const { code, out } = run(folder.path, ['doctor'])
  report('doctor finds nothing', code === 0, out.trim().split('\n').at(-1) ?? '')
} finally {
  await serving.end('SIGKILL')
  folder.remove()
}
process.exit(exitCode())
