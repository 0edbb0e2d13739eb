/** A judge's answer on one file. */
import type { SealedFile } from '../judge-set/seal-set.ts'

export type Verdict =
  | { kind: 'ok' }
  /** In the judge's own words. */
  | { kind: 'against'; words: string }
  | { kind: 'not here'; why: string }
  /** The question makes no sense for this file. */
  | { kind: 'not asked' }

export const OK: Verdict = { kind: 'ok' }

export const against = (words: string): Verdict => ({ kind: 'against', words: words.replace(/\s+/g, ' ').trim().slice(0, 400) })

export interface Judge {
  name: string
  /** A sentence: a program is missing, so the judge is not asked about certificates. */
  withoutTrust?: string
  /** One verdict for each file, in their order. */
  judge(files: readonly SealedFile[]): Promise<Verdict[]>
}

/** A judge that gets one file at a time; `why` it is not available. */
export function oneByOne(name: string, why: string | undefined, judge: (file: SealedFile) => Promise<Verdict>): Judge {
  return {
    name,
    async judge(files) {
      const verdicts: Verdict[] = []
      for (const file of files) verdicts.push(why === undefined ? await judge(file) : { kind: 'not here', why })
      return verdicts
    },
  }
}
