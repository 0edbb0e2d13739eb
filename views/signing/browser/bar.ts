/** The bar with progress, save state, "Next field" and the finish button. */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { format } from './data.ts'
import { button, element } from './element.ts'
import { type SaveState, troubleText } from './form-saver.ts'

export interface Bar {
  element: HTMLElement
  /** Of fields; the consent is no field. `isAsked`: it is what the person is at. */
  progress(fields: { done: number; all: number }, isAgreed: boolean, isAsked: boolean): void
  /** `waitS`: until it is tried again, for what is not saved. */
  state(state: BarState, waitS?: number): void
  focusFinish(): void
}

type BarState = SaveState | 'waiting' | 'sending' | 'notSent' | 'quiet'

/** They are shown in red; screen readers announce them, and their end. */
const TROUBLES: readonly BarState[] = ['waiting', 'gone', 'offline', 'busy', 'failed', 'notSent']

interface Options {
  texts: ScriptTexts
  lang: string
  /** The sentence of intent next to the finish button, and the button's text. */
  intent: string
  finish: string
  next(): void
  all(): void
}

export function openBar({ texts, lang, intent, finish, next, all }: Options): Bar {
  const number = new Intl.NumberFormat(lang)
  const track = element('progress', { 'aria-label': texts.progressBar })
  const count = element('span', { class: 'count' })
  const save = element('span', { class: 'save' })
  // Not each "Saved".
  const trouble = element('span', { class: 'unseen', role: 'status' })
  let isInTrouble = false
  let last: Unsaved = { state: 'offline', waitS: 0 }
  const promise = element('p', { class: 'intent', hidden: true }, intent)
  const nextButton = button(texts.next, { class: 'next' }, next)
  const finishButton = element('button', { type: 'submit', form: 'sign', class: 'button end plain' }, finish)
  const allButton = button(texts.all, { class: 'all link' }, all)
  const bar = element(
    'section',
    { id: 'bar', 'aria-label': texts.progressBar },
    element('div', { class: 'far' }, count, track, save, trouble),
    promise,
    element('div', { class: 'acts' }, allButton, nextButton, finishButton),
  )
  return {
    element: bar,
    progress({ done, all: whole }, isAgreed, isAsked) {
      const isReady = isAgreed || isAsked
      const isEnd = done === whole && isReady
      track.max = Math.max(1, whole)
      track.value = whole === 0 ? 1 : done
      count.textContent =
        done < whole
          ? format(texts.progress, { done: number.format(done), all: number.format(whole) })
          : isReady
            ? texts.allDone
            : texts.consentLeft
      promise.hidden = !isEnd
      nextButton.classList.toggle('plain', isEnd)
      finishButton.classList.toggle('plain', !isEnd)
    },
    state(state, waitS) {
      if (waitS !== undefined) last = { state, waitS }
      const text = stateText(state, last, { texts, lang })
      save.textContent = text
      save.dataset.state = state
      save.classList.toggle('trouble', TROUBLES.includes(state))
      if (state !== 'saving') {
        const was = isInTrouble
        isInTrouble = TROUBLES.includes(state)
        trouble.textContent = isInTrouble || was ? text : ''
      }
      const isSending = state === 'sending' || state === 'waiting'
      finishButton.textContent = isSending ? texts.sending : finish
      if (isSending) finishButton.setAttribute('aria-disabled', 'true')
      else finishButton.removeAttribute('aria-disabled')
    },
    focusFinish: () => finishButton.focus(),
  }
}

/** Why it is not saved, and until when. */
interface Unsaved {
  state: BarState
  waitS: number
}

function stateText(state: BarState, last: Unsaved, { texts, lang }: Pick<Options, 'texts' | 'lang'>): string {
  const troubled = (sent: 'entries' | 'form') =>
    last.state === 'busy' || last.state === 'failed'
      ? troubleText(texts, { kind: last.state, waitS: last.waitS }, sent, lang)
      : undefined
  const others: Partial<Record<BarState, string>> = {
    saving: texts.saving,
    saved: texts.saved,
    offline: texts.notSaved,
    gone: texts.gone,
    waiting: texts.waitingForFile,
    notSent: troubled('form') ?? texts.notSent,
  }
  return others[state] ?? (state === 'busy' || state === 'failed' ? (troubled('entries') ?? '') : '')
}
