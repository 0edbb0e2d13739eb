/** What senders change of documents that exist: drafts, addresses of recipients, legal holds. */
import type { Action } from './action.ts'
import type { Change } from './changes.ts'
import type { Answer } from './client.ts'
import type { KnownDocument } from './model.ts'
import type { Means } from './people.ts'

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

const isThere = ({ deleted }: KnownDocument): boolean => deleted === 'no'
const isDraft = (known: KnownDocument): boolean => isThere(known) && known.sent === 'no' && known.voided === 'no'
const isOpen = (known: KnownDocument): boolean => isThere(known) && known.voided === 'no'

export class Sender {
  readonly #means: Means

  constructor(means: Means) {
    this.#means = means
  }

  async edit({ which }: ActionOf<'edit'>): Promise<void> {
    const { model, program, world } = this.#means
    const known = model.documentAt(which, isDraft)
    if (!known) return
    const message = `Written at step ${world.steps}.`
    await this.#change(known.messages, message, () => program.ask('PATCH', `/documents/${known.id}`, { message }))
  }

  /** Another person takes the place of a recipient. */
  async correct({ which, who }: ActionOf<'correct'>): Promise<void> {
    const { model, program, world } = this.#means
    const known = model.documentAt(which, isOpen)
    const recipient = known?.recipients[who % known.recipients.length]
    if (!known || !recipient?.id) return
    const email = `corrected-${known.number}-${who}-${world.steps}@example.com`
    const hadSigned = recipient.signed === 'yes'
    const path = `/documents/${known.id}/recipients/${recipient.id}`
    const isDone = await this.#change(recipient.addresses, email, () => program.ask('PATCH', path, { email }))
    if (isDone && hadSigned) model.violate(`${recipient.name} of “${known.title}” was replaced after the signature`)
  }

  async hold({ which, isSet }: ActionOf<'hold'>): Promise<void> {
    const { model, program, world } = this.#means
    const known = model.documentAt(which, isThere)
    if (!known) return
    const path = `/documents/${known.id}/${isSet ? 'legal-hold' : 'lift-legal-hold'}`
    const headers = { 'idempotency-key': `hold-${known.number}-${world.steps}` }
    await this.#change(known.holds, isSet, () => program.ask('POST', path, { reason: 'claim 17' }, headers), true)
  }

  /**
   * Returns whether it was acknowledged. What was refused at the first try was not carried out. An
   * earlier try, which nobody answered, may be carried out at any time: a `PATCH` has no key.
   */
  async #change<T>(changes: Change<T>[], value: T, ask: () => Promise<Answer | undefined>, hasKey = false): Promise<boolean> {
    const { world, acknowledged } = this.#means
    const change: Change<T> = { value, fromStep: world.steps }
    changes.push(change)
    const answer = await ask()
    if (answer && answer.status < 300) {
      change.atStep = world.steps
      if (answer.tries > 1 && !hasKey) changes.push({ value, fromStep: change.fromStep })
      acknowledged()
      return true
    }
    if (answer?.tries === 1) changes.splice(changes.indexOf(change), 1)
    return false
  }
}
