/** Plans from seeds by fast-check, which also finds a shorter plan that breaks the same. */
import fc from 'fast-check'
import { type Plan, plansFor } from './action.ts'
import { type Outcome, type RunOptions, simulate } from './run.ts'

/** Of this seed, the same on every machine. */
export function planOf(seed: number, nodes = 1): Plan {
  const [plan] = fc.sample(fc.noBias(plansFor(seed, nodes)), { seed, numRuns: 1 })
  if (!plan) throw new Error('no plan was made')
  return plan
}

const SOME_SIGNERS = { kind: 'create', signers: 2, sends: true } as const
const WARM_UP: Plan = {
  seed: 1,
  hasAuthority: true,
  actions: [
    { action: SOME_SIGNERS, beside: false },
    { action: { kind: 'pass', ms: 60_000 }, beside: false },
    { action: { kind: 'sign all', which: 0 }, beside: false },
    { action: { kind: 'restart', downMs: 1_000 }, beside: false },
  ],
}

/** The first run of a process loads libraries and fonts, which takes turns of the event loop. */
export async function warmUp(nodes = 1): Promise<void> {
  await simulate(WARM_UP, { days: 1, nodes })
}

export interface Found {
  seed: number
  plan: Plan
  outcome: Outcome
}

/** Runs the plan of a seed. Undefined: nothing was broken. */
export async function runSeed(seed: number, options: RunOptions): Promise<{ plan: Plan; outcome: Outcome }> {
  const plan = planOf(seed, options.nodes)
  return { plan, outcome: await simulate(plan, options) }
}

/** Takes actions away, the longest parts first, as long as something is still broken. */
export async function shrink(
  { plan, outcome }: Omit<Found, 'seed'>,
  options: RunOptions,
  limitMs: number,
): Promise<Omit<Found, 'seed'>> {
  let best = { plan, outcome }
  const untilMs = performance.now() + limitMs
  for (let size = Math.ceil(plan.actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.plan.actions.length && performance.now() < untilMs; ) {
      const actions = best.plan.actions.toSpliced(from, size)
      const shorter = { ...best.plan, actions }
      const tried = await simulate(shorter, options)
      if (tried.violations.length > 0) best = { plan: shorter, outcome: tried }
      else from += size
    }
  }
  return best
}
