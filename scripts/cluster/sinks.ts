/** What leaves the cluster: mails and signed webhook deliveries, as their receivers see them. */
import PostalMime from 'postal-mime'
import { Webhook } from 'standardwebhooks'
import { type HttpSink, openHttpSink } from '../../test/support/http-sink.ts'
import { openSmtpSink, type SmtpSink } from '../../test/support/smtp-sink.ts'

export interface ReceivedMail {
  to: string
  subject: string
  text: string
  messageId: string
}

export class MailSink {
  readonly mails: ReceivedMail[] = []
  readonly #sink: SmtpSink
  #parsed = 0

  private constructor(sink: SmtpSink) {
    this.#sink = sink
  }

  static async open(): Promise<MailSink> {
    return new MailSink(await openSmtpSink())
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#sink.port}?security=none`
  }

  async read(): Promise<ReceivedMail[]> {
    while (this.#parsed < this.#sink.messages.length) {
      const message = this.#sink.messages[this.#parsed++]
      const mail = await PostalMime.parse(message?.raw ?? '')
      const [to = ''] = message?.to ?? []
      this.mails.push({ to, subject: mail.subject ?? '', text: mail.text ?? '', messageId: mail.messageId ?? '' })
    }
    return this.mails
  }

  /** The path of the link in the newest mail to this address. */
  async linkTo(email: string): Promise<string | undefined> {
    const mail = (await this.read()).findLast(({ to, text }) => to === email && text.includes('/s/'))
    return /https?:\/\/[^/\s]+(\/s\/\S+)/.exec(mail?.text ?? '')?.[1]
  }

  close(): Promise<void> {
    return this.#sink.close()
  }
}

export interface ReceivedEvent {
  webhookId: string
  type: string
  documentId: string
  sealedSha256: string | undefined
}

interface EventBody {
  id: string
  type: string
  data: { document?: { id: string; sha256: { sealed: string | null } } }
}

export class WebhookSink {
  /** Every delivery with a valid signature, repeated ones too. */
  readonly events: ReceivedEvent[] = []
  /** Deliveries whose signature did not verify. */
  invalid = 0
  #secret: string | undefined
  #sink: HttpSink | undefined

  static async open(): Promise<WebhookSink> {
    const receiver = new WebhookSink()
    receiver.#sink = await openHttpSink((request, response) => {
      receiver.#receive(request.headers, request.body)
      response.end()
    })
    return receiver
  }

  get url(): string {
    return this.#sink?.url ?? ''
  }

  trust(secret: string): void {
    this.#secret = secret
  }

  #receive(headers: Record<string, string | string[] | undefined>, body: Buffer): void {
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    try {
      new Webhook(this.#secret ?? '').verify(body.toString(), flat)
    } catch {
      this.invalid++
      return
    }
    const { type, data } = JSON.parse(body.toString()) as EventBody
    const { document } = data
    const sealedSha256 = document?.sha256.sealed ?? undefined
    this.events.push({ webhookId: flat['webhook-id'] ?? '', type, documentId: document?.id ?? '', sealedSha256 })
  }

  close(): Promise<void> {
    return this.#sink?.close() ?? Promise.resolve()
  }
}
