/** Serving: the App, its doors and its worker together, until the process is told to end. Wires; decides nothing. */
import { createServer } from 'node:net'
import { issueSetupToken } from './accounts/people.ts'
import { openApp, StartError, version } from './app.ts'
import { baseUrlOf, type Config } from './config.ts'
import { createRequestLimits } from './http/api/pipeline.ts'
import { buildServer, failed, type ServerState } from './http/server.ts'
import { HANDLERS } from './jobs/handlers.ts'
import { runSchedule, startSchedule } from './jobs/schedule.ts'
import { Worker } from './jobs/worker.ts'
import { raiseOpenFiles } from './lib/process-guard.ts'
import type { App } from './ports.ts'
import { noteServiceAddress } from './settings/service-address.ts'

const DRAIN_MS = 25_000
/** A mail server that is silent for this long at the end is not waited for. */
const MAIL_PATIENCE_MS = 10_000
/** No limit of Bun's own: each door reads as much as it takes, and refuses the rest in its own words. */
const NO_BODY_LIMIT = 2 ** 40
/** sysexits.h, EX_SOFTWARE: a supervisor starts the program again. */
const EXIT_SYNC_FAULT = 70
/** Time to answer those who wait. */
const LAST_WORDS_MS = 500

/** Serves until SIGTERM or SIGINT. `say` prints a line for the person who started it; `command` starts this program for its children. */
export async function serveUntilSignal(config: Config, command: string[], say: (line: string) => void): Promise<void> {
  const end = told()
  demandOpenFiles()
  await demandFreePort(config)
  const { app, close } = await openApp(config, {
    command,
    exclusive: true,
    who: `signet serve on ${config.baseUrl}`,
    onSyncError: () => void setTimeout(() => process.exit(EXIT_SYNC_FAULT), LAST_WORDS_MS),
  })
  const worker = new Worker(app, HANDLERS)
  app.wake = worker.wake
  const state: ServerState = { stopping: false, running: 0 }
  const server = listen(app, config, state)
  await worker.start()
  app.damage.checkAfterStart()
  // Beside the first requests: what fell due while the service was down may take a while.
  const caughtUp = runSchedule(app, () => state.stopping)
  const stopSchedule = startSchedule(app)
  await greet(app, say)
  await end
  state.stopping = true
  app.log('info', 'stopping', { running: state.running })
  stopSchedule()
  setTimeout(() => app.mailer.close(), MAIL_PATIENCE_MS).unref()
  await Promise.race([Promise.all([server.stop(), worker.stop(), caughtUp]), Bun.sleep(DRAIN_MS)])
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
    // What is left: a failure of the runtime itself, which names no request.
    error(error) {
      app.log('error', 'request failed outside every door', { error: error.stack ?? error.message })
      return new Response('Internal error. Try again.\n', { status: 500, headers: { 'cache-control': 'no-store' } })
    },
  })
  elysia.server = server
  // Port 0: the system chose one, links must name it.
  if (config.port === 0 && server.port !== undefined) {
    config.port = server.port
    if (new URL(config.baseUrl).port === '0' || config.baseUrl.endsWith(':0'))
      config.baseUrl = baseUrlOf('', config.host, server.port, () => {})
  }
  return server
}

type Service = ReturnType<typeof buildServer>

/** Also what fails outside every route is answered in the shape that its address promises. */
function answerOf(app: App, elysia: Service, request: Request): Response | Promise<Response> {
  const told = (error: unknown) => failed(app, request, error, app.newId('req'))
  try {
    const answer = elysia.fetch(withLongHost(request))
    return answer instanceof Promise ? answer.catch(told) : answer
  } catch (error) {
    return told(error)
  }
}

/** Elysia looks for the path behind the eleventh character of the address, where it does not find it after a host as short as `a`. */
const SHORTEST_HOST_ENDS = 11

function withLongHost(request: Request): Request {
  // Of a malformed Host, Bun tells the path alone: it is refused behind this.
  if (request.url.startsWith('/') || request.url.indexOf('/', 'https://'.length) >= SHORTEST_HOST_ENDS) return request
  const { pathname, search } = new URL(request.url)
  return new Request(`http://localhost${pathname}${search}`, request)
}

/** Of connections, files and children: below this not even a quiet service goes on without failures. */
const MIN_OPEN_FILES = 256

function demandOpenFiles(): void {
  const limit = raiseOpenFiles()
  if (limit === undefined || limit >= MIN_OPEN_FILES) return
  const how = 'raise the hard limit (ulimit -Hn, or LimitNOFILE= of the systemd unit)'
  throw new StartError(`Only ${limit} files and connections may be open at once, at least ${MIN_OPEN_FILES} are needed: ${how}.`)
}

/** Asked before the data folder is touched: a taken port leaves no trace. */
function demandFreePort({ host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: Error & { code?: string }) => {
      const what =
        error.code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is taken by another program`
          : `${host}:${port} cannot be listened on (${error.code})`
      reject(new StartError(`${what}: choose another with --port, or stop that program.`))
    })
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

async function greet(app: App, say: (line: string) => void): Promise<void> {
  const { baseUrl, dataFolder, smtpUrl } = app.config
  await noteServiceAddress(app)
  const token = await issueSetupToken(app)
  say(`Signet ${version} serves ${baseUrl} (environment ${app.instance.environment}, data in ${dataFolder})`)
  if (smtpUrl === undefined) say(`No mail server is set: mails lie in ${dataFolder}/outbox and under ${baseUrl}/outbox`)
  if (token) say(`Set up the first administrator within 30 minutes: ${baseUrl}/setup/${token}`)
}

/** Settles at the first SIGTERM or SIGINT; a second one ends the process at once. */
function told(): Promise<void> {
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
