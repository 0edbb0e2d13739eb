/** Confines a child process before it reads an upload, and reports which measures are in force. */
import * as libc from '../lib/libc.ts'
import { reasons } from '../locales/en/reasons.ts'

/** The measures, each as a noun phrase. */
export interface Confinement {
  inForce: string[]
  missing: { what: string; why: string }[]
}

/** Standard streams, the runtime's own, and the few files of a task. */
const MAX_FILES = 64
/** Far above every file that is accepted or written. */
const MAX_FILE_BYTES = 4 * 1024 ** 3

interface Measure {
  what: string
  /** @throws LibcError */
  apply(): void
  /** Asks the kernel; absent where the kernel has no answer. */
  isInForce?(): boolean
}

/** In this order: the system call filter requires that no privileges can be gained. */
const MEASURES: Measure[] = [
  { what: reasons.no_new_privileges(), apply: libc.forbidNewPrivileges, isInForce: () => !libc.mayGainPrivileges() },
  {
    what: `${reasons.no_network()}, ${reasons.no_programs()}`,
    apply: libc.filterSystemCalls,
    isInForce: () => !libc.mayOpenSocket(),
  },
  { what: reasons.no_core_dumps(), apply: libc.forbidCoreDumps, isInForce: () => !libc.mayDumpCore() },
  {
    what: reasons.bounded_files(),
    apply: () => {
      libc.lowerLimit(libc.RESOURCE.files, MAX_FILES)
      libc.lowerLimit(libc.RESOURCE.fileSize, MAX_FILE_BYTES)
    },
  },
  { what: reasons.ended_with_service(), apply: libc.endWithParent },
]

/** Applies every measure that this system allows. A missing one is reported, not fatal. */
export function confine(): Confinement {
  const confinement: Confinement = { inForce: [], missing: [] }
  for (const { what, apply, isInForce } of MEASURES) {
    try {
      apply()
      if (isInForce?.() === false) confinement.missing.push({ what, why: reasons.without_effect() })
      else confinement.inForce.push(what)
    } catch (error) {
      confinement.missing.push({ what, why: error instanceof Error ? error.message : String(error) })
    }
  }
  return confinement
}
