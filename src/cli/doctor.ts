/** `signet doctor`: looks at everything a start needs and says what to do. First form: folder, database, files, audit log, keys, seal, mail settings, disk. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { verifyChain } from '../audit/log.ts'
import { testSealOf } from '../documents/test-seal.ts'
import { allFiles } from '../files/queries.ts'
import { roomIn } from '../lib/disk.ts'
import type { App } from '../ports.ts'
import { describeSealCertificate } from '../settings/seal-certificate.ts'
import { configFrom, DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

interface Finding {
  name: string
  verdict: 'ok' | 'warning' | 'fault'
  says: string
}

const WARN_DAYS = 30
const DAY_MS = 86_400_000

export const doctor: Verb = {
  name: 'doctor',
  usage: 'signet doctor [--json] [--data DIR]',
  summary: 'checks data folder, database, files, audit log, keys and seal; exit 1 when something is wrong',
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    if (!existsSync(join(config.dataFolder, 'signet.db'))) {
      io.err(`${config.dataFolder} holds no signet.db: start signet serve once, or name the folder with --data.`)
      return 1
    }
    const { app, close } = await io.open(config, 'signet doctor', false)
    try {
      const { findings, sqlite } = await examine(app)
      const sound = findings.every(f => f.verdict !== 'fault')
      if (parsed.switches.has('--json')) io.out(JSON.stringify({ sound, findings, sqlite }))
      else for (const f of findings) io.out(`${f.verdict.padEnd(7)}  ${f.name}: ${f.says}`)
      return sound ? 0 : 1
    } finally {
      await close()
    }
  },
}

async function examine(app: App): Promise<{ findings: Finding[]; sqlite: { synchronous: number } }> {
  const { openRaw } = await import('../db/open.ts')
  const raw = openRaw(join(app.config.dataFolder, 'signet.db'))
  const integrity = String(raw.pragma('integrity_check', { simple: true }))
  const synchronous = Number(raw.pragma('synchronous', { simple: true }))
  raw.close()
  const findings: Finding[] = [
    integrity === 'ok' ? fine('database', 'intact') : fault('database', `damaged (${integrity}): restore a backup`),
    await files(app),
    await chain(app),
    await certificate(app),
    await seal(app),
    masterKey(app),
    mail(app),
    address(app),
    await disk(app),
  ]
  return { findings, sqlite: { synchronous } }
}

const fine = (name: string, says: string): Finding => ({ name, verdict: 'ok', says })
const warning = (name: string, says: string): Finding => ({ name, verdict: 'warning', says })
const fault = (name: string, says: string): Finding => ({ name, verdict: 'fault', says })

async function files(app: App): Promise<Finding> {
  const all = await allFiles(app.db)
  for (const { sha256 } of all) {
    const found = await app.storage.hashOf(sha256)
    if (found === undefined) return fault('files', `${sha256}.pdf is missing in files/: restore it from a backup`)
    if (found !== sha256) return fault('files', `${sha256}.pdf has changed on disk: restore it from a backup`)
  }
  return fine('files', `${all.length} files, every one with the hash of its name`)
}

async function chain(app: App): Promise<Finding> {
  const walked = await verifyChain(app.db)
  if ('brokenAt' in walked)
    return fault('audit log', `entry ${walked.brokenAt} does not follow from the one before: the log was changed`)
  return fine('audit log', `${walked.count} entries, head ${walked.head}`)
}

async function certificate(app: App): Promise<Finding> {
  const { subject, notAfter } = await describeSealCertificate(app.db)
  const days = Math.floor((notAfter.getTime() - app.now().getTime()) / DAY_MS)
  if (days < 0) return fault('seal certificate', `${subject} ended on ${notAfter.toISOString()}`)
  if (days < WARN_DAYS) return warning('seal certificate', `${subject} ends in ${days} days`)
  return fine('seal certificate', `${subject}, valid until ${notAfter.toISOString().slice(0, 10)}`)
}

async function seal(app: App): Promise<Finding> {
  const reasons = await testSealOf(app, await app.sealKey())
  return reasons.length === 0 ? fine('seal', 'a test page was sealed and judged sound') : fault('seal', reasons.join('; '))
}

function masterKey({ config }: App): Finding {
  return config.masterKeyFile
    ? fine('master key', `in ${config.masterKeyFile}`)
    : warning('master key', 'lies beside the data it protects: keep it elsewhere with SIGNET_MASTER_KEY_FILE')
}

function mail({ config }: App): Finding {
  return config.smtpUrl ? fine('mail', 'a mail server is set') : warning('mail', 'no mail server is set: mails lie in outbox/')
}

function address({ config }: App): Finding {
  return config.baseUrl.startsWith('https://')
    ? fine('address', config.baseUrl)
    : warning('address', `${config.baseUrl} is not https: signing links can be read on the way, cookies are not bound to https`)
}

async function disk({ config }: App): Promise<Finding> {
  const { freeBytes, isScarce } = await roomIn(config.dataFolder)
  const words = `${Math.round(freeBytes / 1e6)} MB free`
  return isScarce ? fault('disk', `only ${words}`) : fine('disk', words)
}
