/** `signet cert show`: prints the active seal certificate and the former ones. */
import { describeSealCertificates } from '../settings/seal-certificate.ts'
import { certificateJson, certificateLines } from './cert-text.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const certShow: Verb = {
  name: 'cert show',
  usage: 'signet cert show [--pem | --json] [--data DIR]',
  summary: 'prints the active and all former seal certificates; --pem: the active one with its chain',
  async run(args, io) {
    const parsed = parseFlags(args, { '--pem': 'switch', '--json': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    return withDataFolder(parsed, io, 'cert show', async app => {
      const certificates = await describeSealCertificates(app.db)
      if (parsed.switches.has('--json')) io.out(JSON.stringify(certificates.map(certificateJson)))
      else if (parsed.switches.has('--pem')) io.out((certificates.find(({ isActive }) => isActive)?.chain ?? '').trimEnd())
      else io.out(certificates.map(certificateLines).join('\n\n'))
    })
  },
}
