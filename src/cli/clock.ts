/** `signet clock`: shows whether the clock is believed, and says that it is right or corrected. */
import { clockDoubt } from '../health/clock-queries.ts'
import { answerClock } from '../health/clock-watch.ts'
import { type App, COMMAND_LINE } from '../ports.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, type Io, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

export const clock: Verb = {
  name: 'clock',
  usage: 'signet clock [--right|--corrected] [--data DIR]',
  summary:
    'shows whether the clock is believed; --right: it shows the true time; --corrected: it did not, and does now. Until then no document expires and nothing is erased',
  async run(args, io) {
    const parsed = parseFlags(args, { ...DATA_FLAG, '--right': 'switch', '--corrected': 'switch' })
    const [right, corrected] = ['--right', '--corrected'].map(flag => parsed.switches.has(flag))
    noPositionals(parsed)
    if (right && corrected) throw new UsageError('give --right or --corrected, not both')
    return withDataFolder(parsed, io, 'clock', async app => {
      if (right || corrected) await answerClock(app, right ? 'right' : 'corrected', COMMAND_LINE)
      await show(app, io)
    })
  },
}

async function show(app: App, io: Io): Promise<void> {
  io.out(`The clock shows ${app.now().toISOString()}.`)
  const doubt = await clockDoubt(app.db)
  if (!doubt) return io.out('It is believed.')
  io.out(`It is doubted: it showed ${doubt.shown.toISOString()}, and the data was last used at ${doubt.known.toISOString()}.`)
  io.out(
    'Nothing that cannot be undone happens by itself. If it is right: signet clock --right. If you corrected it: --corrected.',
  )
}
