/** Serving: the App, its doors and its worker together, until the process is told to end. Wires; decides nothing. */
import { createServer } from 'node:net'
import { issueSetupToken } from './accounts/people.ts'
import { openApp, StartFault, version } from './app.ts'
import { baseUrlOf, type Config } from './config.ts'
import { openGate } from './http/api/pipeline.ts'
import { buildServer, type ServerState } from './http/server.ts'
import { HANDLERS } from './jobs/handlers.ts'
import { startSchedule, tick } from './jobs/schedule.ts'
import { openWorker } from './jobs/worker.ts'
import type { App } from './ports.ts'

const DRAIN_MS = 25_000
/** Above the largest body the API takes: the API itself answers 413, with its envelope. */
const BODY_MARGIN_BYTES = 16_000_000

/** Serves until SIGTERM or SIGINT. `say` prints a line for the person who started it; `command` starts this program for its children. */
export async function serveUntilTold(config: Config, command: string[], say: (line: string) => void): Promise<void> {
  await demandFreePort(config)
  const { app, close } = await openApp(config, { command, exclusive: true, who: `signet serve on ${config.baseUrl}` })
  const worker = openWorker(app, HANDLERS)
  app.wake = worker.wake
  const state: ServerState = { stopping: false, running: 0 }
  const server = listen(app, config, state)
  await worker.start()
  await tick(app)
  const stopSchedule = startSchedule(app)
  await greet(app, say)
  await told()
  state.stopping = true
  app.log('info', 'stopping', { running: state.running })
  stopSchedule()
  await Promise.race([server.stop(), Bun.sleep(DRAIN_MS)])
  await worker.stop()
  await close()
  app.log('info', 'stopped')
}

function listen(app: App, config: Config, state: ServerState) {
  const elysia = buildServer(app, openGate(app), state)
  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    reusePort: false,
    idleTimeout: 30,
    maxRequestBodySize: Math.ceil((config.maxPdfBytes * 4) / 3) + BODY_MARGIN_BYTES,
    fetch: elysia.fetch,
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

/** Asked before the data folder is touched: a taken port leaves no trace. */
function demandFreePort({ host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: Error & { code?: string }) => {
      const what =
        error.code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is taken by another program`
          : `${host}:${port} cannot be listened on (${error.code})`
      reject(new StartFault(`${what}: choose another with --port, or stop that program.`))
    })
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

async function greet(app: App, say: (line: string) => void): Promise<void> {
  const { baseUrl, dataFolder, smtpUrl } = app.config
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
