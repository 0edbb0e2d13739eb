/** `signet audit checkpoint`: signs the state of the audit log, to be kept elsewhere. */
import { writeFile } from 'node:fs/promises'
import { makeCheckpoint } from '../audit/checkpoint.ts'
import { COMMAND_LINE } from '../ports.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, parseFlags, UsageError, type Verb } from './verb.ts'

export const auditCheckpoint: Verb = {
  name: 'audit checkpoint',
  usage: 'signet audit checkpoint [FILE] [--data DIR]',
  summary: 'signs the number and hash of the newest entry of the audit log; keep the file elsewhere. Without FILE it is printed',
  async run(args, io) {
    const parsed = parseFlags(args, DATA_FLAG)
    const [file, another] = parsed.positionals
    if (another !== undefined) throw new UsageError('name one file')
    return withDataFolder(parsed, io, 'audit checkpoint', async app => {
      const { text, checkpoint } = await makeCheckpoint(app, COMMAND_LINE)
      if (file === undefined) {
        io.out(text.trimEnd())
        return
      }
      await writeFile(file, text, { flag: 'wx' })
      io.out(`${file}: entry ${checkpoint.sequence}, hash ${checkpoint.hash}`)
    })
  },
}
