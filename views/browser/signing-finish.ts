/** The end of the form: what is missing is format, what is complete is sent once. */
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
  /** The entry's error has been format. */
  onErrorShown(entry: Entry): void
}

/** Takes over the form's submission. */
export function openFinish({ form, entries, marks, saver, bar, panel, onErrorShown }: Options): void {
  let isUnderway = false
  const missing = () => entries.flatMap(entry => ({ entry, message: entry.error() })).filter(isMissing)

  async function finish(): Promise<void> {
    if (isUnderway) return
    for (const mark of marks) mark.settle()
    const wrong = missing()
    for (const { entry, message } of wrong) {
      showError(entry, message)
      onErrorShown(entry)
    }
    if (wrong.length > 0) return panel.summary(wrong)
    panel.clearSummary()
    isUnderway = true
    bar.state('sending')
    const state = await probe(saver, entries)
    const refused = missing()
    if (state === 'offline' || refused.length > 0) {
      isUnderway = false
      bar.state(refused.length > 0 ? 'quiet' : 'notSent')
      if (refused.length > 0) panel.summary(refused)
      return
    }
    // What was saved on the way has been format meanwhile.
    bar.state('sending')
    // As the form would be sent without a script: the answer is a page.
    HTMLFormElement.prototype.submit.call(form)
    // Still here after that long, the person has stopped it, or the answer was lost: sent again, it
    // counts once all the same.
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
  // Back from the next page by the browser's button: the form can be sent again.
  window.addEventListener('pageshow', event => {
    if (event.persisted) again()
  })
}

/**
 * Saves all once more: a browser's page about a lost connection must not come in place of the form.
 */
function probe(saver: FormSaver, entries: Entry[]): Promise<SaveState> {
  for (const entry of entries) saver.put(entry.members())
  return saver.flush()
}
