/**
 * What an administrator does at the command line: moves the installation by a backup, or replaces
 * its master key, while no process serves and no time passes; or makes a backup while one serves.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { identityToRecipient } from 'age-encryption'
import { openApp } from '../../src/app.ts'
import { restoreBackup } from '../../src/backups/restore.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { readConfig } from '../../src/config.ts'
import { masterKeyPath } from '../../src/lib/data-paths.ts'
import { secretBox } from '../../src/lib/secret-box.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { loadMasterKey, type NewKeyFile, replacingFile } from '../../src/master-key.ts'
import { type AppHandle, COMMAND_LINE } from '../../src/ports.ts'
import { rotateMasterKey } from '../../src/settings/master-key-rotation.ts'
import { backupIdentity } from './backups.ts'
import { Chance } from './chance.ts'
import type { Installation } from './instance.ts'

const OFFLINE_WAYS = ['moves it by a backup', 'replaces its master key', 'is killed while it replaces its master key'] as const
export type OfflineUpkeep = (typeof OFFLINE_WAYS)[number]
export const UPKEEP_WAYS = [...OFFLINE_WAYS, 'makes a backup'] as const
export type UpkeepWay = (typeof UPKEEP_WAYS)[number]

export async function doUpkeep(machine: Installation, way: OfflineUpkeep): Promise<void> {
  if (way === 'moves it by a backup') await moveByBackup(machine)
  else await replaceKey(machine, way === 'is killed while it replaces its master key')
  // These programs sync what they write.
  machine.disk.syncAll(filesIn(machine.folder))
}

const dataOf = ({ folder }: Installation) => join(folder, 'data')

function open(machine: Installation): Promise<AppHandle> {
  const { chance } = machine.world
  return openApp(readConfig({}, { SIGNET_DATA: dataOf(machine), SIGNET_SEAL_KEY: 'rsa-3072' }), {
    command: [],
    exclusive: true,
    lockHolder: 'a command',
    machine: { ...THIS_MACHINE, ...atOneMoment(machine, chance) },
    log: () => {},
  })
}

function atOneMoment(machine: Installation, chance: Chance) {
  const own = new Chance(chance.below(2 ** 31), 'command')
  return { now: () => machine.now(), random: (bytes: number) => own.bytes(bytes) }
}

/** The former folder is removed: what the backup lacks is gone. */
async function moveByBackup(machine: Installation): Promise<void> {
  const secret = await backupIdentity()
  const path = join(machine.folder, 'moved.age')
  const { app, close } = await open(machine)
  try {
    const { damaged } = await makeBackup(app, { path, to: { recipients: [await identityToRecipient(secret)] } })
    for (const sha256 of damaged) machine.around.violate(`the stored file ${sha256} is damaged, a backup says`)
  } finally {
    await close()
  }
  rmSync(dataOf(machine), { recursive: true })
  await restoreBackup({
    path,
    by: { identities: [secret] },
    config: { dataFolder: dataOf(machine), environment: app.config.environment, masterKeyFile: undefined },
    fileSystem: THIS_MACHINE.fileSystem,
    ...atOneMoment(machine, machine.world.chance),
    say: () => {},
  })
  rmSync(path)
}

class KilledError extends Error {}

async function replaceKey(machine: Installation, isKilled: boolean): Promise<void> {
  const { app, close } = await open(machine)
  try {
    const { dataFolder, masterKeyFile } = app.config
    const fileFor = (key: Uint8Array) => {
      const file = replacingFile(masterKeyPath(dataFolder, masterKeyFile), key)
      return isKilled ? killedBefore(file) : file
    }
    const found = secretBox(loadMasterKey(dataFolder, masterKeyFile, false), app.random)
    await rotateMasterKey(app, { found, fileFor, origin: COMMAND_LINE })
  } catch (error) {
    if (!(error instanceof KilledError)) throw error
  } finally {
    await close()
  }
}

/** The secrets are encrypted anew, and the file still has the former key. */
function killedBefore(file: NewKeyFile): NewKeyFile {
  return {
    path: file.path,
    prepare: () => file.prepare(),
    finish() {
      throw new KilledError()
    },
    discard: () => file.discard(),
  }
}

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return found.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
