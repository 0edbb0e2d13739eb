/** Mail servers and receivers of webhooks, with the failures that the seed chooses. */
import type { OutgoingRequest, SendResult } from '../../src/lib/fetch-limited.ts'
import type { Mailer, MailMessage, MailVerdict } from '../../src/mailer/message.ts'
import { Life, type World } from './world.ts'

export const MAIL_WAYS = ['accepted', 'refused', 'lost', 'unanswered', 'slow'] as const
/** `lost`: accepted, never delivered. `unanswered`: delivered, but the answer did not arrive. */
export type MailWay = (typeof MAIL_WAYS)[number]

/** The longest time through which something has failed. */
class Downtime {
  longestMs = 0
  #sinceMs: number | undefined

  note(nowMs: number, isFailing: boolean): void {
    if (this.#sinceMs !== undefined) this.longestMs = Math.max(this.longestMs, nowMs - this.#sinceMs)
    this.#sinceMs = isFailing ? (this.#sinceMs ?? nowMs) : undefined
  }
}

export interface ReceivedMail {
  atMs: number
  /** When the service began to send it. */
  step: number
  to: string
  messageId: string
  subject: string
  text: string
  isDelivered: boolean
}

const REFUSED: MailVerdict = { outcome: 'refused', permanent: false, reply: '451 4.3.0 try again later' }
const SILENT: MailVerdict = { ...REFUSED, reply: 'the mail server did not answer within 300 s', timedOut: true }

export class MailServer {
  #way: MailWay = 'accepted'
  /** Through which it took nothing. */
  readonly downtime = new Downtime()
  readonly received: ReceivedMail[] = []
  readonly #life = new Life('mail server')

  constructor(readonly world: World) {}

  get way(): MailWay {
    return this.#way
  }

  set way(way: MailWay) {
    this.downtime.note(this.world.nowMs, way === 'refused')
    this.#way = way
  }

  /** For `AppOptions.connectMail`. */
  readonly connect = (life: Life) => (): Mailer => ({
    send: message => this.#send(life, message),
    close() {},
  })

  async #send(life: Life, message: MailMessage): Promise<MailVerdict> {
    const { world, way } = this
    // Until here the service can still find that the mail is out of date.
    const step = world.steps
    await world.wait(life, `mail to ${message.to.address}`)
    if (way === 'slow') await world.sleep(life, world.chance.between(1_000, 120_000))
    if (way === 'refused') return REFUSED
    this.received.push({
      atMs: world.nowMs,
      step,
      to: message.to.address,
      messageId: message.messageId,
      subject: message.subject,
      text: message.text,
      isDelivered: way !== 'lost',
    })
    world.trace.say(world.nowMs, this.#life.name, `has a mail to ${message.to.address}: ${message.subject}`)
    if (way === 'unanswered') {
      await world.sleep(life, 300_000)
      return SILENT
    }
    await world.wait(life, `mail to ${message.to.address}: accepted`)
    return {
      outcome: 'accepted',
      reply: `250 2.0.0 Ok: queued as ${this.received.length}`,
      queueId: String(this.received.length),
    }
  }

  /**
   * The newest link that was delivered to this address for a document, of the recipient where
   * known: a document that was made anew after a day has the title of the first.
   */
  linkTo(email: string, documentTitle: string, recipientId = 'rcp_'): string | undefined {
    const mail = this.received.findLast(
      ({ to, text, subject, isDelivered }) =>
        isDelivered &&
        to === email &&
        (text.includes(documentTitle) || subject.includes(documentTitle)) &&
        text.includes(`/s/${recipientId.slice('rcp_'.length)}`),
    )
    return /https?:\/\/\S+?(\/s\/\S+)/.exec(mail?.text ?? '')?.[1]
  }
}

export const RECEIVER_WAYS = ['answers', 'fails', 'silent', 'unheard', 'slow'] as const
/** `unheard`: it has the delivery, but the answer is lost. */
export type ReceiverWay = (typeof RECEIVER_WAYS)[number]

export interface ReceivedEvent {
  atMs: number
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every event
  body: any
}

/** A program that receives webhooks. */
export class Receiver {
  #way: ReceiverWay = 'answers'
  /** Through which it has accepted nothing. */
  readonly downtime = new Downtime()
  readonly received: ReceivedEvent[] = []

  constructor(readonly world: World) {}

  get way(): ReceiverWay {
    return this.#way
  }

  set way(way: ReceiverWay) {
    this.downtime.note(this.world.nowMs, way !== 'answers' && way !== 'slow')
    this.#way = way
  }

  readonly send =
    (life: Life) =>
    async (outgoing: OutgoingRequest): Promise<SendResult> => {
      const { world, way } = this
      const host = new URL(outgoing.url).host
      await world.wait(life, `${outgoing.method} to ${host}`)
      if (way === 'slow') await world.sleep(life, world.chance.between(500, outgoing.totalTimeoutMs - 1))
      if (way === 'silent') {
        await world.sleep(life, outgoing.totalTimeoutMs)
        return silenceOf(outgoing)
      }
      if (way === 'fails') return answer(503)
      const id = outgoing.headers['webhook-id'] ?? ''
      this.received.push({ atMs: world.nowMs, id, body: JSON.parse(String(outgoing.body ?? 'null')) })
      if (way === 'unheard') {
        await world.sleep(life, outgoing.totalTimeoutMs)
        return silenceOf(outgoing)
      }
      await world.wait(life, `answer of ${host}`)
      return answer(200)
    }
}

export const silenceOf = ({ url, totalTimeoutMs }: OutgoingRequest): SendResult => ({
  outcome: 'failed',
  reason: `${new URL(url).host} gave no answer`,
  timedOut: true,
  latencyMs: totalTimeoutMs,
})

export const answer = (
  status: number,
  body: Uint8Array = new Uint8Array(),
  headers: Record<string, string> = {},
): SendResult => ({
  outcome: 'answered',
  status,
  headers,
  body,
  truncated: false,
  latencyMs: 1,
})
