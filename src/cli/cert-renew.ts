/** `signet cert renew`: issues a seal certificate with a new key. The next seal is made with it. */
import { COMMAND_LINE } from '../ports.ts'
import { renewSealCertificate } from '../settings/seal-certificate.ts'
import { certificateLines } from './cert-text.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const certRenew: Verb = {
  name: 'cert renew',
  usage: 'signet cert renew [--replace-imported] [--data DIR]',
  summary: 'issues a new seal certificate; --replace-imported: also replaces an imported one',
  async run(args, io) {
    const parsed = parseFlags(args, { '--replace-imported': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const how = parsed.switches.has('--replace-imported') ? 'replace imported' : undefined
    return withDataFolder(parsed, io, 'cert renew', async app => {
      io.out(certificateLines(await renewSealCertificate(app, COMMAND_LINE, how)))
    })
  },
}
