/** A sender has one template sent to many people; each row is one document, once. */
import { SIGNATURE, samplePdf } from '../support/sample.ts'
import type { Action } from './action.ts'
import { first } from './changes.ts'
import type { KnownDocument } from './model.ts'
import type { Means } from './people.ts'

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

interface KnownBatch {
  id: string
  rows: KnownDocument[]
}

interface ShownRow {
  number: number
  state: 'waiting' | 'sent' | 'failed' | 'stopped'
  documentId: string | null
}

export class Batches {
  readonly #means: Means
  readonly #known: KnownBatch[] = []
  #count = 0

  constructor(means: Means) {
    this.#means = means
  }

  /** Of all that were asked for. */
  rowCount = 0

  async send({ rows: count }: ActionOf<'batch'>): Promise<void> {
    const { model, program, world, acknowledged } = this.#means
    const number = this.#count++
    this.rowCount += count
    const templateId = await this.#template()
    if (templateId === undefined) return
    const fromMs = world.nowMs
    const rows = Array.from({ length: count }, (_, i) => {
      const [title, email] = [`Agreement ${number}-${i} of many`, `many-${number}-${i}@example.com`]
      const signer = { id: undefined, addresses: first(email), name: 'One of many', signed: 'no', declined: 'no' } as const
      return model.add({
        ...{ title, id: undefined, created: 'unknown', sent: 'unknown', voided: 'no', deleted: 'no', recipients: [signer] },
        ...{ createdFromMs: fromMs, createdToMs: Number.POSITIVE_INFINITY },
      })
    })
    const body = {
      rows: rows.map(({ title, recipients: [signer] }) => {
        return { title, recipients: [{ role: 'Signer', name: signer?.name, email: signer?.addresses[0]?.value }] }
      }),
      force: true,
    }
    const path = `/templates/${templateId}/batches`
    const answer = await program.ask('POST', path, body, { 'idempotency-key': `batch-${number}` })
    if (answer?.status !== 201) return
    this.#known.push({ id: answer.body.id, rows })
    acknowledged()
  }

  /** Undefined: it could not be made now. */
  async #template(): Promise<string | undefined> {
    const body = {
      fileName: 'agreement.pdf',
      file: await samplePdf(),
      title: 'Agreement',
      roles: [{ name: 'Signer', fields: [SIGNATURE] }],
    }
    const answer = await this.#means.program.ask('POST', '/templates', body, { 'idempotency-key': 'template' })
    return answer?.status === 201 ? answer.body.id : undefined
  }

  /** A program reads what has become of the rows. */
  async look({ which }: ActionOf<'look at batch'>): Promise<void> {
    const batch = this.#known[which % Math.max(1, this.#known.length)]
    if (batch) await this.#read(batch)
  }

  async #read({ id, rows }: KnownBatch): Promise<ShownRow[] | undefined> {
    const { model, program } = this.#means
    const answer = await program.ask('GET', `/batches/${id}/rows?limit=100`)
    if (answer?.status === 404 && this.#mayBeGone(rows)) return []
    if (answer?.status !== 200) return undefined
    const shown = answer.body.data as ShownRow[]
    for (const { number, documentId } of shown) {
      const known = rows[number - 1]
      if (!known || documentId === null) continue
      if (known.id !== undefined && known.id !== documentId) model.violate(`“${known.title}” was sent by its batch twice`)
      Object.assign(known, { id: documentId, created: 'yes', sent: 'yes' })
    }
    if (shown.length !== rows.length) model.violate(`${id} has ${shown.length} rows, and was given ${rows.length}`)
    return shown
  }

  /** A batch is deleted when none of its documents is left. */
  #mayBeGone(rows: readonly KnownDocument[]): boolean {
    return this.#means.model.retainedSinceMs !== undefined || rows.every(({ deleted }) => deleted !== 'no')
  }

  /** At the end: every row of a batch that was acknowledged was sent, or the batch says why not. */
  async checkAll(): Promise<void> {
    const { model } = this.#means
    for (const batch of this.#known) {
      const shown = await this.#read(batch)
      if (!shown) model.violate(`${batch.id} cannot be asked for when all failures have ended`)
      for (const { number, state } of shown ?? []) {
        const title = batch.rows[number - 1]?.title
        if (state === 'waiting') model.violate(`“${title}” waits for ever in its batch`)
        if (state === 'failed') model.violate(`“${title}” was refused when its turn came`)
      }
    }
  }
}
