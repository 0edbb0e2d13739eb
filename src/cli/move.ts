/** `signet move`: everything of an installation to PostgreSQL and S3, or back to a data folder. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readEngineUrls } from '../config.ts'
import { counted, entriesText } from '../lib/counted.ts'
import { keysFolder, masterKeyPath } from '../lib/data-paths.ts'
import { type SecretBox, secretBox } from '../lib/secret-box.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { loadMasterKey } from '../master-key.ts'
import type { MoveReport } from '../move/move.ts'
import type { MoveEnd } from '../move/rows.ts'
import type { ServerUrls } from '../move/server-end.ts'
import { type FlagSpec, type Io, noPositionals, type ParsedFlags, parseFlags, UsageError, type Verb } from './verb.ts'

const FLAGS: FlagSpec = {
  '--data': 'value',
  '--to-database': 'value',
  '--to-files': 'value',
  '--from-database': 'value',
  '--from-files': 'value',
  '--to-data': 'value',
  '--dry-run': 'switch',
  '--allow-damaged': 'switch',
  '--undo-mark': 'switch',
}

export const move: Verb = {
  name: 'move',
  usage: 'signet move --data DIR --to-database URL --to-files URL [--dry-run] [--allow-damaged]',
  summary:
    'moves everything to PostgreSQL and S3; killed and started again it goes on. Back: --from-database URL --from-files URL --to-data DIR. --undo-mark with --data or --from-database: what was moved may be served again',
  async run(args, io) {
    const parsed = parseFlags(args, FLAGS)
    noPositionals(parsed)
    if (parsed.switches.has('--undo-mark')) await undoMark(parsed, io)
    else await moveOrSurvey(planOf(parsed, io.env), parsed.switches, io)
    return 0
  },
}

/** The folder, the servers, and which of them is the source. */
interface Plan {
  folder: string
  urls: ServerUrls
  isBack: boolean
}

function planOf({ values }: ParsedFlags, env: Io['env']): Plan {
  const { '--data': from, '--to-data': to } = values
  if (from !== undefined && to !== undefined) {
    throw new UsageError('to move a folder to another folder, copy it while nothing serves from it')
  }
  const folder = from ?? to
  if (folder === undefined) throw new UsageError('name the folder: --data to move to PostgreSQL and S3, --to-data to move back')
  const [side, other] = to === undefined ? (['to', 'from'] as const) : (['from', 'to'] as const)
  for (const flag of [`--${other}-database`, `--${other}-files`]) {
    if (flag in values) throw new UsageError(`${flag} is not expected with ${to === undefined ? '--data' : '--to-data'}`)
  }
  const { databaseUrl, filesUrl } = readEngineUrls(env)
  const [database, files] = [values[`--${side}-database`] ?? databaseUrl, values[`--${side}-files`] ?? filesUrl]
  if (!database) throw new UsageError(`--${side}-database is needed, or SIGNET_DATABASE_URL`)
  if (!files) throw new UsageError(`--${side}-files is needed, or SIGNET_FILES_URL`)
  return { folder: resolve(folder), urls: { database, files }, isBack: to !== undefined }
}

/** The key is never moved: it protects what is in the database. */
function keyOf({ folder, isBack }: Plan, env: Io['env']): { secrets: SecretBox; path: string | undefined } {
  const path = env.SIGNET_MASTER_KEY_FILE || undefined
  if (isBack && path === undefined && !existsSync(masterKeyPath(folder))) {
    throw new UsageError('SIGNET_MASTER_KEY_FILE is needed: the file with the master key of the nodes')
  }
  return { secrets: secretBox(loadMasterKey(folder, path, false), THIS_MACHINE.random), path }
}

async function moveOrSurvey(plan: Plan, switches: ReadonlySet<string>, io: Io): Promise<void> {
  const { moveInstallation, surveyInstallation } = await import('../move/move.ts')
  const key = keyOf(plan, io.env)
  const dryRun = switches.has('--dry-run')
  const options = {
    dryRun,
    allowDamaged: switches.has('--allow-damaged'),
    secrets: key.secrets,
    say: io.err,
    now: THIS_MACHINE.now,
  }
  const begunMs = THIS_MACHINE.steadyMs()
  const report = await withEnds(plan, dryRun, async (source, target) => {
    if (dryRun || !target) return surveyInstallation(source, target, options)
    io.err(`Moving ${source.name} to ${target.name}`)
    return moveInstallation(source, target, options)
  })
  for (const line of summaryOf(report)) io.out(line)
  if (dryRun) return io.out('Nothing was changed.')
  io.out(`Moved in ${((THIS_MACHINE.steadyMs() - begunMs) / 1000).toFixed(1)} s.`)
  for (const line of nextSteps(plan, report, key.path)) io.out(line)
}

/** `target`: undefined for a dry run if it does not exist yet. */
async function withEnds<T>(
  { folder, urls, isBack }: Plan,
  dryRun: boolean,
  work: (source: MoveEnd, target: MoveEnd | undefined) => Promise<T>,
): Promise<T> {
  const [{ openSourceFolder, openTargetFolder }, { connectServers, openSource, openTarget }] = await Promise.all([
    import('../move/folder-end.ts'),
    import('../move/server-end.ts'),
  ])
  const options = { ...THIS_MACHINE, exclusive: !dryRun }
  const source = await (isBack ? openSource(await connectServers(urls, options), options) : openSourceFolder(folder, options))
  try {
    const target = await (isBack ? openTargetFolder(folder, options) : openTarget(await connectServers(urls, options), options))
    try {
      return await work(source, target)
    } finally {
      await target?.close()
    }
  } finally {
    await source.close()
  }
}

function summaryOf({ installation, environment, documents, rows, tables, files, verification }: MoveReport): string[] {
  const size = `${(files.bytes / 1e6).toFixed(1)} MB`
  const lines = [
    `Installation ${installation} (environment ${environment}): ${counted(documents, 'document')}, ${counted(rows, 'row')} in ${counted(tables, 'table')}, ${counted(files.count, 'file')} (${size})`,
  ]
  if (files.damaged.length > 0) {
    lines.push(`Files of the source that are missing or damaged: ${files.damaged.length}`)
    for (const { sha256, problem } of files.damaged) lines.push(`  ${sha256}.pdf ${problem}`)
  }
  if (verification === undefined) return lines
  const { events, head, documentId } = verification
  if (files.arrived > 0) lines.push(`${counted(files.arrived, 'file')} had arrived before.`)
  lines.push(
    `Verified at the target: count and hash of every table, the hash of every file, the audit log (${entriesText(events)}, head ${head})${documentId ? `, document ${documentId}` : ''}`,
  )
  return lines
}

/** What an administrator has to do before the target serves. */
function nextSteps({ folder, isBack }: Plan, { environment }: MoveReport, keyPath: string | undefined): string[] {
  if (isBack) {
    const key =
      keyPath === undefined || keyPath.startsWith(keysFolder(folder))
        ? ''
        : ` with SIGNET_MASTER_KEY_FILE=${keyPath}, or with that file copied to ${masterKeyPath(folder)}`
    return [
      `Serve from ${folder}: unset SIGNET_DATABASE_URL and SIGNET_FILES_URL, keep SIGNET_ENVIRONMENT=${environment}, and start signet serve --data ${folder}${key}.`,
    ]
  }
  const own = masterKeyPath(folder)
  return [
    keyPath === undefined
      ? `Copy ${own} to every node (mode 600) and name the copy in SIGNET_MASTER_KEY_FILE: the master key is not in the database.`
      : `Every node needs the master key ${keyPath}: name a copy of it (mode 600) in SIGNET_MASTER_KEY_FILE.`,
    `Set SIGNET_DATABASE_URL, SIGNET_FILES_URL and SIGNET_ENVIRONMENT=${environment} on every node. ${folder} is marked as moved and does not serve any more.`,
  ]
}

async function undoMark({ values, switches }: ParsedFlags, io: Io): Promise<void> {
  for (const flag of [...Object.keys(values), ...switches]) {
    if (!['--data', '--from-database', '--undo-mark'].includes(flag))
      throw new UsageError(`${flag} is not expected with --undo-mark`)
  }
  const folder = values['--data'] && resolve(values['--data'])
  const database = values['--from-database'] ?? (folder === undefined ? readEngineUrls(io.env).databaseUrl : undefined)
  if ((folder === undefined) === (database === undefined)) {
    throw new UsageError('name what was moved: --data for a folder, --from-database for a database')
  }
  const [{ undoMarkOfFolder }, { undoMarkOfDatabase }] = await Promise.all([
    import('../move/folder-end.ts'),
    import('../move/server-end.ts'),
  ])
  const options = { ...THIS_MACHINE, exclusive: true }
  const to = await (folder === undefined ? undoMarkOfDatabase(database ?? '', options) : undoMarkOfFolder(folder, options))
  io.out(`The mark is gone: ${folder ?? 'the database'} may be served again.`)
  io.err(`Do not serve ${to} any more: mails and signatures of the two would differ from now on.`)
}
