/** The real PDF code in this process, in place of children; their failures are simulated. */
import { PdfChildError } from '../../src/sandbox/errors.ts'
import { type OwnTask, runTask } from '../../src/sandbox/main.ts'
import { type PdfTools, toolsOf } from '../../src/sandbox/pdf-tools.ts'
import type { RequestOf, ResultOf, TaskKind } from '../../src/sandbox/protocol.ts'
import { Chance } from './chance.ts'
import type { Life, World } from './world.ts'

export const CHILD_WAYS = ['works', 'slow', 'dies', 'hangs'] as const
export type ChildWay = (typeof CHILD_WAYS)[number]

/** As a child's limit of time. */
const HANGING_MS = 120_000
const MAX_SLOW_MS = 20_000

/** Of one life of an instance. `way` is asked before each task, `ended` called after it. */
export function simulatedPdfTools(world: World, life: Life, way: () => ChildWay, ended: () => void): PdfTools {
  let running = 0
  const run = async <K extends TaskKind>(kind: K, request: RequestOf<K>): Promise<ResultOf<K>> => {
    const seed = world.chance.below(2 ** 31)
    const now = way()
    running++
    try {
      if (now === 'slow') await world.sleep(life, world.chance.between(100, MAX_SLOW_MS))
      if (now === 'hangs') await world.sleep(life, HANGING_MS)
      if (now === 'dies' || now === 'hangs') throw new PdfChildError(now === 'dies' ? 'killed' : 'wall')
      const chance = new Chance(seed, kind)
      const task = { kind, request } as OwnTask
      const work = () => runTask(task, { random: bytes => chance.bytes(bytes) }).finally(ended)
      return (await world.call(life, `child: ${kind}`, work)) as ResultOf<K>
    } finally {
      running--
    }
  }
  return toolsOf({
    run,
    get load() {
      return { running, waiting: 0 }
    },
    close: async () => {},
  })
}
