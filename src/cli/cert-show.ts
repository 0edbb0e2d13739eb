/** `signet cert show`: the certificates that seal or have sealed here. */
import { describeSealCertificates } from '../settings/seal-certificate.ts'
import { withDataFolder } from './cert-folder.ts'
import { certificateLines } from './cert-words.ts'
import { DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const certShow: Verb = {
  name: 'cert show',
  usage: 'signet cert show [--pem | --json] [--data DIR]',
  summary: 'prints the seal certificate and those before it; --pem: the one that seals with its chain',
  async run(args, io) {
    const parsed = parseFlags(args, { '--pem': 'switch', '--json': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    return withDataFolder(parsed, io, 'signet cert show', async app => {
      const all = await describeSealCertificates(app.db)
      if (parsed.switches.has('--json')) io.out(JSON.stringify(all))
      else if (parsed.switches.has('--pem')) io.out((all.find(one => one.isActive)?.chain ?? '').trimEnd())
      else io.out(all.map(certificateLines).join('\n\n'))
    })
  },
}
