/** All trials, in the order in which they run. */
import { batch } from './batch.ts'
import { clock } from './clock.ts'
import { commitCut, databaseCrash, databaseSilent } from './database.ts'
import { firstStart } from './first-start.ts'
import { followers } from './followers.ts'
import { idempotency } from './idempotency.ts'
import { killed, stopped, stoppedWriter } from './killed.ts'
import { mainTrial } from './main-trial.ts'
import { move } from './move.ts'
import { pooler } from './pooler.ts'
import { rig } from './rig.ts'
import { roles } from './roles.ts'
import { s3 } from './s3.ts'
import { standby } from './standby.ts'
import type { Trial } from './trial.ts'
import { upgrade } from './upgrade.ts'

export const TRIALS: Trial[] = [
  rig,
  firstStart,
  idempotency,
  killed,
  stopped,
  stoppedWriter,
  databaseCrash,
  databaseSilent,
  commitCut,
  standby,
  s3,
  batch,
  followers,
  clock,
  upgrade,
  roles,
  pooler,
  move,
  mainTrial,
]
