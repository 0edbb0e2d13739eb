/** What people and programs do, and what they learn of it. */
import { openVisitor } from '../support/browser-less.ts'
import { SIGNATURE, samplePdf } from '../support/sample.ts'
import type { Action } from './action.ts'
import { type Change, endOf, first } from './changes.ts'
import type { Client } from './client.ts'
import { BASE_URL, ConnectionLostError } from './instance.ts'
import { type KnownDocument, type KnownRecipient, knownBetween, type Model } from './model.ts'
import type { MailServer } from './network.ts'
import type { Service } from './nodes.ts'
import { Life, type World } from './world.ts'

const PATIENCE_MS = 60_000

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

export interface Means {
  world: World
  service: Service
  model: Model
  mails: MailServer
  program: Client
  /** A member of the organisation, to whom no document belongs. */
  stranger: Client
  /** A change was acknowledged: the process may end before anything else is done. */
  acknowledged(): void
}

/** The members of a known document that a change sets. */
const MEMBERS = { send: 'sent', void: 'voided', delete: 'deleted' } as const

const isOpen = ({ sent, voided, deleted, recipients }: KnownDocument): boolean =>
  sent !== 'no' && voided === 'no' && deleted === 'no' && recipients.some(({ signed }) => signed !== 'yes')

/** For which documents an action makes sense. */
const FITS: Record<'send' | 'void' | 'delete' | 'remind' | 'sign', (known: KnownDocument) => boolean> = {
  send: ({ sent, voided, deleted }) => sent === 'no' && voided === 'no' && deleted === 'no',
  void: isOpen,
  remind: isOpen,
  sign: isOpen,
  delete: known => known.deleted === 'no' && !isOpen(known),
}

const hasSigned = ({ signed }: KnownRecipient) => signed === 'yes'

/** Of a recipient whom nobody has replaced. */
const addressOf = (number: number, i: number): string => `signer-${number}-${i}@example.com`

/** Two in a row have the same bytes; others differ in the comment that marks a PDF as binary. */
async function fileOf(number: number): Promise<string> {
  const bytes = Buffer.from(await samplePdf(1), 'base64')
  bytes.writeUInt32BE(0x80808080 + Math.floor(number / 2), bytes.indexOf('%', 1) + 1)
  return bytes.toString('base64')
}

export class People {
  readonly #means: Means

  constructor(means: Means) {
    this.#means = means
  }

  async create({ signers, sends }: ActionOf<'create'>): Promise<void> {
    const { model, program, world, acknowledged } = this.#means
    const number = model.documents.length
    const title = `Agreement ${number} of Ada`
    const recipients: KnownRecipient[] = Array.from({ length: signers }, (_, i) => ({
      id: undefined,
      addresses: first(addressOf(number, i)),
      name: `Signer ${i}`,
      signed: 'no',
      declined: 'no',
    }))
    const known = model.add({
      title,
      id: undefined,
      created: 'unknown',
      sent: sends ? 'unknown' : 'no',
      voided: 'no',
      deleted: 'no',
      recipients,
      createdFromMs: world.nowMs,
      createdToMs: Number.POSITIVE_INFINITY,
    })
    const body = {
      title,
      fileName: 'agreement.pdf',
      file: await fileOf(number),
      recipients: recipients.map(({ name }, i) => ({
        email: addressOf(number, i),
        name,
        fields: [{ ...SIGNATURE, y: 10 + 20 * i }],
      })),
      ...(sends ? { send: true } : {}),
    }
    const answer = await program.ask('POST', '/documents', body, { 'idempotency-key': `create-${number}` })
    if (answer?.status !== 201) return
    known.recipients.forEach((recipient, i) => {
      recipient.id = answer.body.recipients[i]?.id
    })
    Object.assign(known, { id: answer.body.id, created: 'yes', createdToMs: answer.toMs, ...(sends ? { sent: 'yes' } : {}) })
    acknowledged()
  }

  /** A refusal after a lost answer says nothing: an earlier try may have been carried out. */
  async change({ kind, which }: ActionOf<'send' | 'void' | 'delete' | 'remind'>): Promise<void> {
    const { model, program, world, acknowledged } = this.#means
    const known = model.documentAt(which, FITS[kind])
    if (!known) return
    const before = structuredClone(known)
    if (kind === 'remind') known.reminders++
    else if (known[MEMBERS[kind]] === 'no') known[MEMBERS[kind]] = 'unknown'
    const path = `/documents/${known.id}`
    const headers = { 'idempotency-key': `${kind}-${known.number}-${world.steps}` }
    const body = kind === 'void' ? { reason: 'plans changed' } : undefined
    const answer =
      kind === 'delete' ? await program.ask('DELETE', path) : await program.ask('POST', `${path}/${kind}`, body, headers)
    if (!answer || answer.status >= 300 || kind === 'remind') return
    if (kind === 'delete') model.checkDeletion(before, known)
    known[MEMBERS[kind]] = 'yes'
    if (kind === 'void') known.voidedAtStep = world.steps
    acknowledged()
  }

  async signOne({ which, who, declines }: ActionOf<'sign'>): Promise<void> {
    const known = this.#means.model.documentAt(which, FITS.sign)
    const left = known?.recipients.filter(({ signed, declined }) => signed !== 'yes' && declined !== 'yes') ?? []
    const recipient = left[who % Math.max(1, left.length)]
    if (known && recipient) await this.#sign(known, recipient, declines)
  }

  async signAll(which: number): Promise<void> {
    const known = this.#means.model.documentAt(which, FITS.sign)
    for (const recipient of known?.recipients ?? []) if (known) await this.#sign(known, recipient, false)
  }

  async look(which: number): Promise<void> {
    const { model, stranger } = this.#means
    const known = model.documentAt(which, () => true)
    if (!known) return
    await this.read(known)
    for (const path of ['', '/file', '/audit']) {
      const answer = await stranger.once('GET', `/documents/${known.id}${path}`)
      if (answer) model.checkStranger(known, answer)
    }
    const listed = await stranger.once('GET', '/documents')
    if (listed) model.checkStrangerList(listed)
  }

  /** Compares the document and its file. Returns its status; undefined without an answer. */
  async read(known: KnownDocument): Promise<string | undefined> {
    const { model, program } = this.#means
    const before = structuredClone(known)
    const answer = await program.ask('GET', `/documents/${known.id}`)
    if (!answer) return undefined
    model.checkDocument(knownBetween(before, known), answer)
    if (answer.body.status !== 'completed') return answer.body.status ?? 'gone'
    const file = await program.ask('GET', `/documents/${known.id}/file`)
    if (file) model.checkFile(known, file)
    return 'completed'
  }

  /** At the end, when nothing fails any more. */
  async readAll(): Promise<void> {
    const { model } = this.#means
    for (const known of model.documents) {
      if (known.id === undefined) continue
      const status = await this.read(known)
      if (status === undefined) model.violate(`“${known.title}” cannot be asked for when all failures have ended`)
      else if (!['completed', 'gone'].includes(status) && known.sent === 'yes' && known.recipients.every(hasSigned))
        model.violate(`all have signed “${known.title}”, and it is ${status}`)
    }
  }

  /** By the pages, as from the link in the mail. */
  async #sign(known: KnownDocument, recipient: KnownRecipient, declines: boolean): Promise<void> {
    const { world } = this.#means
    const member = declines ? 'declined' : 'signed'
    const act = {
      action: declines ? '/decline' : '/finish',
      values: declines ? { reason: 'no' } : { signature: recipient.name, consent: 'on' },
    }
    await this.#act(known, recipient, act, () => {
      if (recipient[member] === 'no') recipient[member] = 'unknown'
      return () => {
        recipient[member] = 'yes'
        if (!declines) recipient.signedAtStep = world.steps
      }
    })
  }

  /** A recipient hands over to somebody else, who takes the place. */
  async handOver({ which, who }: ActionOf<'hand over'>): Promise<void> {
    const { model, world } = this.#means
    const known = model.documentAt(which, FITS.sign)
    const recipient = known?.recipients[who % known.recipients.length]
    if (!known || !recipient) return
    const email = `successor-${known.number}-${who}-${world.steps}@example.com`
    const act = { action: '/delegate', values: { name: 'A successor', email } }
    await this.#act(known, recipient, act, () => {
      const change: Change<string> = { value: email, fromStep: world.steps }
      recipient.addresses.push(change)
      return () => {
        change.atStep = world.steps
      }
    })
  }

  /** `begin`: the form is about to be sent. It returns what is known once that is acknowledged. */
  async #act(
    known: KnownDocument,
    recipient: KnownRecipient,
    { action, values }: { action: string; values: Record<string, string> },
    begin: () => () => void,
  ): Promise<void> {
    const { mails, model, acknowledged } = this.#means
    const address = this.#addressOf(recipient)
    const link = mails.linkTo(address.value, known.title, recipient.id)
    if (link === undefined) return
    const isReplaced = endOf(recipient.addresses, address) !== undefined
    const visitor = openVisitor(this.#browserOf(address.value), BASE_URL)
    try {
      const landing = await visitor.get(link)
      if (landing.status !== 200) return
      const form = await visitor.submit(landing)
      if (form.status !== 200 || !form.html.includes(`${action}"`)) return
      const acknowledge = begin()
      const done = await visitor.submit(form, values, action)
      if (done.status !== 200 || done.html.includes('/finish"')) return
      if (isReplaced) model.violate(`who had been replaced acted for ${recipient.name} of “${known.title}”`)
      acknowledge()
      acknowledged()
    } catch (error) {
      if (error instanceof ConnectionLostError || isWithoutForm(error)) return
      throw error
    }
  }

  /** Mostly of who has the place now; sometimes somebody tries who had it before. */
  #addressOf({ addresses }: KnownRecipient): Change<string> {
    const [only, ...others] = addresses
    if (!only) throw new Error('a recipient has no address')
    return others.length === 0
      ? only
      : this.#means.world.chance.pick([...addresses, ...addresses.slice(-1), ...addresses.slice(-1)])
  }

  #browserOf(address: string) {
    const { world, service, model } = this.#means
    const person = new Life(address)
    // A balancer keeps a browser at one node.
    const access = service.access(true)
    return async (path: string, init: RequestInit = {}): Promise<Response> => {
      const method = init.method ?? 'GET'
      await world.wait(person, `${method} a page`)
      const fromMs = world.nowMs
      const response = await world.within(person, PATIENCE_MS, access.fetch(path, init))
      if (!response) throw new ConnectionLostError(true)
      if (response.status >= 500 && response.status !== 503 && !model.mayBeDamaged(fromMs))
        model.violate(`${method} ${path} answered ${response.status}`)
      return response
    }
  }
}

/** The page has nothing to do: it says so, or that the service is away. */
const isWithoutForm = (error: unknown) => error instanceof Error && error.message.startsWith('no form')
