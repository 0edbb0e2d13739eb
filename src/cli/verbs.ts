/** All verbs. Each is loaded when it is called: no start waits for the code of the others. */
import type { Verb } from './verb.ts'

const LOADERS: Record<string, () => Promise<Verb>> = {
  serve: async () => (await import('./migrate.ts')).serve,
  'key create': async () => (await import('./key.ts')).keyCreate,
  'key print': async () => (await import('./key.ts')).keyPrint,
  'key rotate-master': async () => (await import('./key.ts')).keyRotateMaster,
  'admin create': async () => (await import('./admin.ts')).adminCreate,
  'admin reset': async () => (await import('./admin.ts')).adminReset,
  verify: async () => (await import('./verify.ts')).verify,
  'evidence verify': async () => (await import('./verify.ts')).evidenceVerify,
  'cert show': async () => (await import('./cert.ts')).certShow,
  'cert renew': async () => (await import('./cert.ts')).certRenew,
  'cert import': async () => (await import('./cert.ts')).certImport,
  'cert revoke': async () => (await import('./cert.ts')).certRevoke,
  doctor: async () => (await import('./doctor.ts')).doctor,
  health: async () => (await import('./doctor.ts')).health,
  'service install': async () => (await import('./service.ts')).serviceInstall,
  'service print': async () => (await import('./service.ts')).servicePrint,
  'service run': async () => (await import('./service-run.ts')).serviceRun,
  'audit verify': async () => (await import('./audit.ts')).auditVerify,
  'audit checkpoint': async () => (await import('./audit.ts')).auditCheckpoint,
  clock: async () => (await import('./migrate.ts')).clock,
  migrate: async () => (await import('./migrate.ts')).migrate,
  backup: async () => (await import('./backup.ts')).backup,
  'backup extract': async () => (await import('./backup.ts')).backupExtract,
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
