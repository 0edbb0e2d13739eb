/** `signet cert renew`: a new own certificate with a new key seals from the next seal on. */
import { COMMAND_LINE } from '../ports.ts'
import { renewSealCertificate } from '../settings/seal-certificate.ts'
import { withDataFolder } from './cert-folder.ts'
import { certificateLines } from './cert-words.ts'
import { DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const certRenew: Verb = {
  name: 'cert renew',
  usage: 'signet cert renew [--replace-imported] [--data DIR]',
  summary: 'makes a new own seal certificate; --replace-imported: also in place of an imported one',
  async run(args, io) {
    const parsed = parseFlags(args, { '--replace-imported': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const how = parsed.switches.has('--replace-imported') ? 'replace imported' : undefined
    return withDataFolder(parsed, io, 'signet cert renew', async app => {
      io.out(certificateLines(await renewSealCertificate(app, COMMAND_LINE, how)))
    })
  },
}
