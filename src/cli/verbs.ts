/** All verbs. Each is loaded when it is called: no start waits for the code of the others. */
import type { Verb } from './verb.ts'

const LOADERS: Record<string, () => Promise<Verb>> = {
  serve: async () => (await import('./serve.ts')).serve,
  'key create': async () => (await import('./key-create.ts')).keyCreate,
  'key print': async () => (await import('./key-print.ts')).keyPrint,
  'key rotate-master': async () => (await import('./key-rotate-master.ts')).keyRotateMaster,
  'admin create': async () => (await import('./admin-create.ts')).adminCreate,
  'admin reset': async () => (await import('./admin-reset.ts')).adminReset,
  verify: async () => (await import('./verify.ts')).verify,
  'evidence verify': async () => (await import('./evidence-verify.ts')).evidenceVerify,
  'cert show': async () => (await import('./cert-show.ts')).certShow,
  'cert renew': async () => (await import('./cert-renew.ts')).certRenew,
  'cert import': async () => (await import('./cert-import.ts')).certImport,
  'cert revoke': async () => (await import('./cert-revoke.ts')).certRevoke,
  doctor: async () => (await import('./doctor.ts')).doctor,
  health: async () => (await import('./health.ts')).health,
  'service install': async () => (await import('./service-install.ts')).serviceInstall,
  'service print': async () => (await import('./service-print.ts')).servicePrint,
  'service run': async () => (await import('./service-run.ts')).serviceRun,
  'audit verify': async () => (await import('./audit-verify.ts')).auditVerify,
  'audit checkpoint': async () => (await import('./audit-checkpoint.ts')).auditCheckpoint,
  clock: async () => (await import('./clock.ts')).clock,
  migrate: async () => (await import('./migrate.ts')).migrate,
  backup: async () => (await import('./backup.ts')).backup,
  'backup extract': async () => (await import('./backup-extract.ts')).backupExtract,
  restore: async () => (await import('./restore.ts')).restore,
  move: async () => (await import('./move.ts')).move,
  version: async () => (await import('./help.ts')).version,
  licences: async () => (await import('./help.ts')).licences,
  help: async () => (await import('./help.ts')).helpVerb(loadVerbs),
}

export const VERB_NAMES = Object.keys(LOADERS)

/** In the order of the help. */
export function loadVerbs(): Promise<Verb[]> {
  return Promise.all(Object.values(LOADERS).map(load => load()))
}

/** The verb that the first one or two words name. */
export async function findVerb([first = '', second = '']: string[]): Promise<Verb | undefined> {
  const name = [`${first} ${second}`, first].find(words => Object.hasOwn(LOADERS, words))
  return name === undefined ? undefined : LOADERS[name]?.()
}
