/** Runs the App with its HTTP server, worker and schedule until the process gets a signal. */
import { createServer } from 'node:net'
import { issueSetupToken } from './accounts/people.ts'
import { openApp, StartError, version } from './app.ts'
import { baseUrlOf, type Config } from './config.ts'
import { SETUP_MINUTES } from './core/service-limits.ts'
import { KNOWN_LEVEL } from './db/feature-level.ts'
import { latestVersion } from './db/migrate.ts'
import { describeServer, parseDatabaseUrl } from './db/postgresql/url.ts'
import { createRequestLimits } from './http/api/pipeline.ts'
import { buildServer, errorResponse, type ServerState } from './http/server.ts'
import { HANDLERS } from './jobs/handlers.ts'
import { runSchedule, startSchedule } from './jobs/schedule.ts'
import { Worker } from './jobs/worker.ts'
import { commit, committedOn } from './lib/embedded-file.ts'
import { errorMessage } from './lib/log.ts'
import { EXIT_SOFTWARE, raiseOpenFiles } from './lib/process-guard.ts'
import { localOrigin, writeRunningAddress } from './lib/running-address.ts'
import { THIS_MACHINE } from './lib/this-machine.ts'
import { folderInUse } from './outbox/configured-mailer.ts'
import type { App } from './ports.ts'
import { noteServiceAddress } from './settings/service-address.ts'

const DRAIN_MS = 25_000
/** Mails that are still being sent this long after the signal are ended. */
const MAIL_DRAIN_MS = 10_000
/** Disables Bun's limit: each route limits its own bodies, with its own error response. */
const NO_BODY_LIMIT = 2 ** 40
/** As at a start: this executable cannot write any more. */
const EXIT_SCHEMA_TOO_NEW = 3
/** Time to send the responses of running requests. */
const EXIT_DELAY_MS = 500

/** Serves until SIGTERM or SIGINT. `command` starts this program as a child process. */
export async function serveUntilSignal(config: Config, command: string[], say: (line: string) => void): Promise<void> {
  const stopped = stopSignal()
  requireOpenFiles()
  await requireFreePort(config)
  const { app, close } = await openApp(config, {
    command,
    exclusive: true,
    lockHolder: `signet serve on ${config.baseUrl}`,
    onSyncError: () => void THIS_MACHINE.timers.after(EXIT_DELAY_MS, () => process.exit(EXIT_SOFTWARE)),
    onSchemaTooNew: error => {
      say(error.message)
      THIS_MACHINE.timers.after(EXIT_DELAY_MS, () => process.exit(EXIT_SCHEMA_TOO_NEW))
    },
    onKeyReplaced: error => {
      say(error.message)
      THIS_MACHINE.timers.after(EXIT_DELAY_MS, () => process.exit(1))
    },
  })
  app.log('info', 'starting', { version, commit, committedOn, schema: latestVersion(), featureLevel: KNOWN_LEVEL })
  const worker = new Worker(app, HANDLERS)
  app.wake = worker.wake
  const state: ServerState = { leaving: false, stopping: false, activeRequests: 0 }
  await app.node.start()
  // Before anything is written at a time that may be wrong.
  await app.clock.isBelieved()
  const server = listen(app, config, state)
  await worker.start()
  app.damage.checkAfterStart()
  // Not awaited: work that became due while the service was down may take long.
  const caughtUp = runSchedule(app, () => state.stopping)
  const stopSchedule = startSchedule(app)
  await greet(app, say)
  // Not awaited: the first child may be slow to start.
  void sayMissingConfinement(app, say)
  await stopped
  state.leaving = true
  // Balancers ask /readyz every few seconds, and send requests here until they know.
  if (config.stopDelayMs > 0) {
    app.log('info', 'leaving', { stopDelayMs: config.stopDelayMs })
    await app.timers.sleep(config.stopDelayMs)
  }
  state.stopping = true
  app.eventStreams.close()
  app.log('info', 'stopping', { running: state.activeRequests })
  app.timers.after(MAIL_DRAIN_MS, () => app.mailer.close())
  await Promise.race([Promise.all([server.stop(), worker.stop(), stopSchedule(), caughtUp]), app.timers.sleep(DRAIN_MS)])
  await close()
  app.log('info', 'stopped')
}

function listen(app: App, config: Config, state: ServerState) {
  const elysia = buildServer(app, createRequestLimits(app), state)
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    reusePort: false,
    idleTimeout: 30,
    maxRequestBodySize: NO_BODY_LIMIT,
    development: false,
    fetch: request => answerOf(app, elysia, request),
    // Errors of the runtime itself, without a request.
    error(error) {
      app.log('error', 'request failed outside the server', { error: error.stack ?? error.message })
      return new Response('Internal error. Try again.\n', { status: 500, headers: { 'cache-control': 'no-store' } })
    },
  })
  elysia.server = server
  // Port 0: the system chose a port, which links must contain.
  if (config.port === 0 && server.port !== undefined) {
    config.port = server.port
    if (new URL(config.baseUrl).port === '0' || config.baseUrl.endsWith(':0'))
      config.baseUrl = baseUrlOf('', config.host, server.port, () => {})
  }
  return server
}

/** Errors outside every route also get a response in the format of their path. */
function answerOf(app: App, elysia: ReturnType<typeof buildServer>, request: Request): Response | Promise<Response> {
  const toResponse = (error: unknown) => errorResponse(app, request, error, app.newId('req'))
  try {
    const answer = elysia.fetch(withLongHost(request))
    return answer instanceof Promise ? answer.catch(toResponse) : answer
  } catch (error) {
    return toResponse(error)
  }
}

/** Elysia searches for the path after this index, and misses it after a short host like `a`. */
const MIN_PATH_INDEX = 11

function withLongHost(request: Request): Request {
  // For a malformed Host, Bun gives only the path: the server refuses it.
  if (request.url.startsWith('/') || request.url.indexOf('/', 'https://'.length) >= MIN_PATH_INDEX) return request
  const { pathname, search } = new URL(request.url)
  return new Request(`http://localhost${pathname}${search}`, request)
}

/** Connections, files and children together: with less even an idle service fails. */
const MIN_OPEN_FILES = 256

function requireOpenFiles(): void {
  const limit = raiseOpenFiles()
  if (limit === undefined || limit >= MIN_OPEN_FILES) return
  const how = 'raise the hard limit (ulimit -Hn, or LimitNOFILE= of the systemd unit)'
  throw new StartError(`Only ${limit} files and connections may be open at once, at least ${MIN_OPEN_FILES} are needed: ${how}.`)
}

/** Called before the data folder is opened, so that a port in use changes nothing. */
function requireFreePort({ host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: Error & { code?: string }) => {
      const what =
        error.code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is used by another program`
          : `${host}:${port} cannot be listened on (${error.code})`
      reject(new StartError(`${what}: choose another with --port, or stop that program.`))
    })
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

async function greet(app: App, say: (line: string) => void): Promise<void> {
  const { baseUrl, dataFolder, databaseUrl, host, nodeName, port } = app.config
  await noteServiceAddress(app)
  await writeRunningAddress(app.fileSystem, dataFolder, { baseUrl, local: localOrigin(host, port) })
  const token = await issueSetupToken(app)
  const place =
    databaseUrl === undefined
      ? `data in ${dataFolder}`
      : `node ${nodeName}, database ${describeServer(parseDatabaseUrl(databaseUrl))}`
  say(`Signet ${version} serves ${baseUrl} (environment ${app.instance.environment}, ${place})`)
  const folder = await folderInUse(app)
  if (folder !== undefined) say(`No mail server is set: mails are stored in ${folder}, see ${baseUrl}/outbox`)
  if (token) say(`Set up the first administrator within ${SETUP_MINUTES} minutes: ${baseUrl}/setup/${token}`)
}

/** Children that read uploads without the kernel's limits are never a silent loss. */
async function sayMissingConfinement(app: App, say: (line: string) => void): Promise<void> {
  try {
    const { missing } = await app.pdf.confinement()
    const [first] = missing
    if (first === undefined) return
    const measures = missing.map(({ what }) => what).join(', ')
    say(`Warning: not in force for the processes that read uploads: ${measures} (${first.why})`)
  } catch (error) {
    app.log('warn', 'the confinement of children is unknown', { error: errorMessage(error) })
  }
}

/** Resolves at the first SIGTERM or SIGINT; the second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    let first = true
    const end = () => {
      if (!first) process.exit(130)
      first = false
      resolve()
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
  })
}
