/** Starts the page that verifies: verify.html by itself, or a part of the page of a service. */
import { render } from 'preact'
import { type AppLanguage, chooseAppLanguage, chooseLanguage, directionOf, type Language } from '../../../src/core/language.ts'
import { readableTime } from '../../../src/lib/clock-format.ts'
import { localVerifyTextsOf } from '../../../src/locales/local-verify.ts'
import { remarkTextsOf } from '../../../src/locales/remark-texts.ts'
import { verifyTextsOf } from '../../../src/locales/verify-texts.ts'
import { type LocalActions, type LocalProps, LocalVerifyView, type RecordAnswer, type ShownOutcome } from '../local-page.tsx'
import { OfflinePage } from '../offline-page.tsx'
import { outcomeView } from '../outcome-view.ts'
import type { Wording } from '../report-view.ts'
import { LocalVerify, type Outcome } from './local-verify.ts'
import type { Answer, Order } from './order.ts'
import { openForPrinting, takeDrops } from './page-events.ts'
import { askRecord, type ServiceData, type ServiceRecord, sendFile, serviceDataOf } from './service.ts'
import { Verifier } from './verifier.ts'

/** `answerHere`: verifies in this window, where no worker starts. */
export function startLocalVerify(answerHere: (order: Order) => Answer): void {
  const root = document.getElementById('verify-app')
  if (root) new LocalPage(root, new Verifier(() => startWorker(root), answerHere)).start()
}

/** Of the address that the page names, else of the script inside the page itself. */
function startWorker({ dataset }: HTMLElement): Worker {
  if (dataset.worker !== undefined) return new Worker(dataset.worker)
  const script = document.getElementById('verify-script')?.textContent ?? ''
  return new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })))
}

class LocalPage {
  #language: Language
  readonly #service: ServiceData | undefined
  readonly #local: LocalVerify
  /** By SHA-256. */
  readonly #records = new Map<string, ServiceRecord | 'asking' | 'failed'>()
  readonly #actions: LocalActions
  #known = new Set<number>()

  constructor(
    private readonly root: HTMLElement,
    verifier: Verifier,
  ) {
    const service = serviceDataOf(document)
    this.#service = service
    this.#language = service?.language ?? chooseLanguage([...navigator.languages], null)
    this.#local = new LocalVerify(verifier, isDone => this.#changed(isDone), service?.trusted)
    this.#actions = {
      add: files => void this.#local.add(files),
      cancel: () => this.#local.cancel(),
      clear: () => this.#local.clear(),
      print: () => window.print(),
      removeGiven: id => void this.#local.removeGiven(id),
      setPurpose: (id, purpose) => void this.#local.setPurpose(id, purpose),
      askRecord: service && (sha256 => void this.#ask(service, sha256)),
      upload: service && (id => this.#upload(id)),
    }
  }

  start(): void {
    this.root.hidden = false
    const form = this.#form()
    if (form) form.hidden = true
    takeDrops(document, files => this.#actions.add(files))
    openForPrinting(window)
    this.#render()
  }

  #form(): HTMLFormElement | null {
    return document.querySelector<HTMLFormElement>('form[data-verify-upload]')
  }

  /** The first new verdict takes the focus once all are there. */
  #changed(isDone: boolean): void {
    this.#render()
    if (!isDone) return
    const { outcomes } = this.#local.state
    const fresh = outcomes.find(({ id }) => !this.#known.has(id)) ?? outcomes[0]
    this.#known = new Set(outcomes.map(({ id }) => id))
    if (fresh) document.getElementById(`verdict-${fresh.id}`)?.focus()
  }

  async #ask(service: ServiceData, sha256: string): Promise<void> {
    this.#records.set(sha256, 'asking')
    this.#render()
    this.#records.set(sha256, (await askRecord(service, sha256)) ?? 'failed')
    this.#render()
  }

  #upload(id: number): void {
    const [form, outcome] = [this.#form(), this.#local.state.outcomes.find(one => one.id === id)]
    if (form && outcome) sendFile(form, outcome.file)
  }

  #wording(): Wording {
    const language = this.#language
    const timeZone = this.#service?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    return {
      language,
      texts: verifyTextsOf(language),
      remarkTexts: remarkTextsOf(this.#remarkLanguage()),
      time: moment => readableTime(moment, timeZone, language),
    }
  }

  #remarkLanguage(): AppLanguage {
    return chooseAppLanguage(this.#language, null)
  }

  #shown({ id, file, answer }: Outcome, wording: Wording): ShownOutcome {
    const source = { given: this.#local.state.given.map(({ fileName }) => fileName), instance: this.#service?.organisation }
    const outcome = outcomeView(answer, file.name, wording, localVerifyTextsOf(this.#language), source)
    const sha256 = outcome.kind === 'file' && answer.kind === 'pdf' ? outcome.view.sha256 : undefined
    const record = sha256 === undefined ? undefined : this.#records.get(sha256)
    return { id, outcome, sha256, record: typeof record === 'object' ? recordAnswer(record, wording) : record }
  }

  #render(): void {
    const wording = this.#wording()
    const { outcomes, ...state } = this.#local.state
    const props: LocalProps = {
      ...state,
      texts: wording.texts,
      local: localVerifyTextsOf(this.#language),
      remarkLanguage: this.#remarkLanguage(),
      organisation: this.#service?.organisation,
      outcomes: outcomes.map(outcome => this.#shown(outcome, wording)),
      actions: this.#actions,
    }
    if (this.#service) render(<LocalVerifyView {...props} />, this.root)
    else this.#renderWhole(props)
  }

  #renderWhole(props: LocalProps): void {
    const language = this.#language
    const html = document.documentElement
    html.lang = language
    html.dir = directionOf(language)
    document.title = `${props.texts.title} · Signet`
    const choose = (chosen: Language) => {
      this.#language = chosen
      this.#render()
    }
    const version = this.root.dataset.version ?? ''
    render(<OfflinePage {...props} language={language} version={version} choose={choose} />, this.root)
  }
}

function recordAnswer(record: ServiceRecord, { time }: Wording): RecordAnswer {
  return record.known ? { known: true, time: time(new Date(record.completedAt)) } : record
}
