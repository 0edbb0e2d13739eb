/** `signet cert show`: prints the active seal certificate and the former ones. */
import { allSealCertificates, describeSealCertificates } from '../settings/seal-certificate.ts'
import { certificateJson, certificateLines } from './cert-text.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const certShow: Verb = {
  name: 'cert show',
  usage: 'signet cert show [--pem | --chain | --json] [--data DIR]',
  summary:
    'prints the active and all former seal certificates; --pem: as a file for --trust; --chain: the authorities above them',
  async run(args, io) {
    const parsed = parseFlags(args, { '--pem': 'switch', '--chain': 'switch', '--json': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    return withDataFolder(parsed, io, 'cert show', async app => {
      const { switches } = parsed
      const part = switches.has('--pem') ? 'certificates' : switches.has('--chain') ? 'issuers' : undefined
      const certificates = await describeSealCertificates(app.db)
      if (switches.has('--json')) io.out(JSON.stringify(certificates.map(certificateJson)))
      else if (part !== undefined) io.out((await allSealCertificates(app.db))[part].trimEnd())
      else io.out(certificates.map(certificateLines).join('\n\n'))
    })
  },
}
