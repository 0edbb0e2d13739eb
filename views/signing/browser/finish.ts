/** Submits the form once: shows what is missing, or saves and sends it. */
import type { Bar } from './bar.ts'
import { type Entry, type Missing, missingOf, showError, shownOf } from './entries.ts'
import type { FormSaver, SaveState } from './form-saver.ts'
import type { MarkEntry } from './mark.ts'
import type { Navigation } from './navigation.ts'
import type { Panel } from './panel.ts'

const STILL_HERE_MS = 20_000

interface Options {
  form: HTMLFormElement
  entries: Entry[]
  marks: MarkEntry[]
  saver: FormSaver
  bar: Bar
  panel: Panel
  navigation: Navigation
}

/** Takes over the form's submission. */
export function openFinish({ form, entries, marks, saver, bar, panel, navigation }: Options): void {
  let isUnderway = false
  /** Shows what is missing or wrong, if there is anything. */
  function hasErrors(errors: Missing[] = missingOf(entries)): boolean {
    panel.clearSummary()
    if (navigation.asksConsent(errors)) return true
    for (const { entry, message } of errors) {
      showError(entry, message)
      navigation.changed(entry)
    }
    if (errors.length > 0) panel.summary(errors)
    return errors.length > 0
  }

  /** Waits for files on their way. One that is not taken is shown, one that was cancelled stops. */
  async function filesArrive(): Promise<boolean> {
    for (;;) {
      const sending = shownOf(entries).flatMap(entry => {
        const taken = entry.underway?.()
        return taken ? [{ entry, taken }] : []
      })
      if (sending.length === 0) return !hasErrors()
      // What is saved meanwhile would change the state of the bar.
      await saver.flush()
      bar.state('waiting')
      const taken = await Promise.all(sending.map(each => each.taken))
      const refused = sending.flatMap(({ entry }, i) => {
        return !taken[i] && entry.refusal !== undefined ? [{ entry, message: entry.refusal }] : []
      })
      const others = missingOf(entries).filter(({ entry }) => refused.every(each => each.entry !== entry))
      if (hasErrors([...refused, ...others]) || taken.includes(false)) return false
    }
  }

  async function finish(): Promise<void> {
    if (isUnderway) return
    for (const mark of marks) mark.settle()
    if (hasErrors()) return
    isUnderway = true
    if (!(await filesArrive())) return again()
    bar.state('sending')
    const state = await saveAll(saver, entries)
    const isRefused = hasErrors()
    if (isRefused || (state !== 'saved' && state !== 'gone')) {
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
  // The values of hidden fields stay in the page only.
  form.addEventListener('formdata', ({ formData }) => {
    for (const { isHidden, members } of entries) if (isHidden) for (const name of Object.keys(members())) formData.delete(name)
  })
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
