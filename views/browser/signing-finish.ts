/** Submits the form once: shows what is missing, or saves and sends it. */
import type { Bar } from './signing-bar.ts'
import { type Entry, isMissing, showError } from './signing-entries.ts'
import type { FormSaver, SaveState } from './signing-form-saver.ts'
import type { MarkEntry } from './signing-mark.ts'
import type { Panel } from './signing-panel.ts'

const STILL_HERE_MS = 20_000

interface Options {
  form: HTMLFormElement
  entries: Entry[]
  marks: MarkEntry[]
  saver: FormSaver
  bar: Bar
  panel: Panel
  onErrorShown(entry: Entry): void
}

/** Takes over the form's submission. */
export function openFinish({ form, entries, marks, saver, bar, panel, onErrorShown }: Options): void {
  let isUnderway = false
  const missing = () => entries.flatMap(entry => ({ entry, message: entry.error() })).filter(isMissing)

  /** Shows the errors, if there are any. */
  function hasErrors(): boolean {
    const errors = missing()
    for (const { entry, message } of errors) {
      showError(entry, message)
      onErrorShown(entry)
    }
    if (errors.length > 0) panel.summary(errors)
    else panel.clearSummary()
    return errors.length > 0
  }

  async function finish(): Promise<void> {
    if (isUnderway) return
    for (const mark of marks) mark.settle()
    if (hasErrors()) return
    isUnderway = true
    bar.state('sending')
    const state = await saveAll(saver, entries)
    const isRefused = hasErrors()
    if (isRefused || state === 'offline') {
      isUnderway = false
      bar.state(isRefused ? 'quiet' : 'notSent')
      return
    }
    // Saving has changed the state of the bar meanwhile.
    bar.state('sending')
    // A plain submit, as without a script: the response is a page.
    HTMLFormElement.prototype.submit.call(form)
    // The person stopped it, or the response was lost. Sending again counts once.
    setTimeout(again, STILL_HERE_MS)
  }
  const again = () => {
    isUnderway = false
    bar.state('quiet')
  }
  form.noValidate = true
  form.addEventListener('submit', event => {
    event.preventDefault()
    void finish()
  })
  // After the browser's Back button the form can be sent again.
  window.addEventListener('pageshow', event => {
    if (event.persisted) again()
  })
}

/** Saves everything first, so that the browser's offline page does not replace the form. */
function saveAll(saver: FormSaver, entries: Entry[]): Promise<SaveState> {
  for (const entry of entries) saver.put(entry.members())
  return saver.flush()
}
