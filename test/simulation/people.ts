/** What people and programs do, and what they learn of it. */
import { openVisitor } from '../support/browser-less.ts'
import { SIGNATURE, samplePdf } from '../support/sample.ts'
import type { Action } from './action.ts'
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
      email: `signer-${number}-${i}@example.com`,
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
      recipients: recipients.map(({ email, name }, i) => ({ email, name, fields: [{ ...SIGNATURE, y: 10 + 20 * i }] })),
      ...(sends ? { send: true } : {}),
    }
    const answer = await program.ask('POST', '/documents', body, { 'idempotency-key': `create-${number}` })
    if (answer?.status !== 201) return
    Object.assign(known, { id: answer.body.id, created: 'yes', createdToMs: answer.toMs, ...(sends ? { sent: 'yes' } : {}) })
    acknowledged()
  }

  /** A refusal after a lost answer says nothing: an earlier try may have been carried out. */
  async change({ kind, which }: ActionOf<'send' | 'void' | 'delete' | 'remind'>): Promise<void> {
    const { model, program, world, acknowledged } = this.#means
    const known = this.#documentAt(which, FITS[kind])
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
    if (kind === 'delete') model.checkDeletion(before)
    known[MEMBERS[kind]] = 'yes'
    if (kind === 'void') known.voidedAtStep = world.steps
    acknowledged()
  }

  async signOne({ which, who, declines }: ActionOf<'sign'>): Promise<void> {
    const known = this.#documentAt(which, FITS.sign)
    const left = known?.recipients.filter(({ signed, declined }) => signed !== 'yes' && declined !== 'yes') ?? []
    const recipient = left[who % Math.max(1, left.length)]
    if (known && recipient) await this.#sign(known, recipient, declines)
  }

  async signAll(which: number): Promise<void> {
    const known = this.#documentAt(which, FITS.sign)
    for (const recipient of known?.recipients ?? []) if (known) await this.#sign(known, recipient, false)
  }

  async look(which: number): Promise<void> {
    const known = this.#documentAt(which, () => true)
    if (!known) return
    await this.read(known)
    const { model, stranger } = this.#means
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

  /** Mostly one for which the action makes sense. */
  #documentAt(which: number, isFit: (known: KnownDocument) => boolean): KnownDocument | undefined {
    const all = this.#means.model.documents.filter(({ id }) => id !== undefined)
    const fit = which % 5 === 0 ? all : all.filter(isFit)
    return fit[which % Math.max(1, fit.length)]
  }

  /** By the pages, as from the link in the mail. */
  async #sign(known: KnownDocument, recipient: KnownRecipient, declines: boolean): Promise<void> {
    const { mails, world, acknowledged } = this.#means
    const link = mails.linkTo(recipient.email, known.title)
    if (link === undefined) return
    const visitor = openVisitor(this.#browserOf(recipient), BASE_URL)
    const action = declines ? '/decline' : '/finish'
    const member = declines ? 'declined' : 'signed'
    try {
      const landing = await visitor.get(link)
      if (landing.status !== 200) return
      const form = await visitor.submit(landing)
      if (form.status !== 200 || !form.html.includes(`${action}"`)) return
      if (recipient[member] === 'no') recipient[member] = 'unknown'
      const values = declines ? { reason: 'no' } : { signature: recipient.name, consent: 'on' }
      const done = await visitor.submit(form, values, action)
      if (done.status !== 200 || done.html.includes('/finish"')) return
      recipient[member] = 'yes'
      if (!declines) recipient.signedAtStep = world.steps
      acknowledged()
    } catch (error) {
      if (error instanceof ConnectionLostError || isWithoutForm(error)) return
      throw error
    }
  }

  #browserOf({ email }: KnownRecipient) {
    const { world, service, model } = this.#means
    const person = new Life(email)
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
