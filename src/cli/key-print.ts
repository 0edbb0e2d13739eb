/** `signet key print`: prints the master key for paper. Neither stores nor sends it. */
import { fingerprintOf } from '../lib/secret-box.ts'
import { keyText, loadMasterKey } from '../master-key.ts'
import { dataFolderError } from './data-folder.ts'
import { configFrom, DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const keyPrint: Verb = {
  name: 'key print',
  usage: 'signet key print [--data DIR]',
  summary: 'prints the master key, for a copy on paper or in a password manager. Whoever has it and a backup has everything',
  async run(args, io) {
    const parsed = parseFlags(args, DATA_FLAG)
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const error = dataFolderError(config)
    if (error !== undefined) {
      io.err(error)
      return 1
    }
    const { dataFolder, masterKeyFile, baseUrl, environment } = config
    const key = loadMasterKey(dataFolder, masterKeyFile, false)
    io.out(`Master key of Signet, ${environment}, ${baseUrl}

    ${keyText(key)}

Its number: ${fingerprintOf(key).slice(0, 8)}. It is case-sensitive; blanks do not count.
To restore a backup on another machine, write it into a file (mode 600) and name that to signet service install
--master-key, or in SIGNET_MASTER_KEY_FILE.
Keep this away from the machine and from the backups. Test the copy under Settings, Backups.`)
    return 0
  },
}
