/** The bar with progress, save state, "Next field" and the finish button. */
import type { ScriptTexts } from '../../src/locales/catalogue.ts'
import { button, element } from './signing-element.ts'
import type { SaveState } from './signing-form-saver.ts'
import { format } from './signing-texts.ts'

export interface Bar {
  element: HTMLElement
  progress(done: number, all: number): void
  state(state: SaveState | 'sending' | 'notSent' | 'quiet'): void
  focusFinish(): void
}

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
  // Screen readers announce problems and their end, not each "Saved".
  const trouble = element('span', { class: 'unseen', role: 'status' })
  let isInTrouble = false
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
    progress(done, whole) {
      const isDone = done === whole
      track.max = whole
      track.value = done
      count.textContent = isDone
        ? texts.allDone
        : format(texts.progress, { done: number.format(done), all: number.format(whole) })
      promise.hidden = !isDone
      nextButton.classList.toggle('plain', isDone)
      finishButton.classList.toggle('plain', !isDone)
    },
    state(state) {
      const stateTexts = {
        saving: texts.saving,
        saved: texts.saved,
        offline: texts.notSaved,
        gone: texts.gone,
        sending: '',
        quiet: '',
        notSent: texts.notSent,
      }
      save.textContent = stateTexts[state]
      save.dataset.state = state
      if (state !== 'saving') {
        const was = isInTrouble
        isInTrouble = state === 'offline' || state === 'gone' || state === 'notSent'
        trouble.textContent = isInTrouble || was ? stateTexts[state] : ''
      }
      const isSending = state === 'sending'
      finishButton.textContent = isSending ? texts.sending : finish
      if (isSending) finishButton.setAttribute('aria-disabled', 'true')
      else finishButton.removeAttribute('aria-disabled')
    },
    focusFinish: () => finishButton.focus(),
  }
}
