/** Proposals on the pages: a button that accepts, and one that dismisses. */
import { element } from '../signing-element.ts'
import { format } from '../signing-texts.ts'
import type { EditorActions } from './editor-actions.ts'
import { personName } from './editor-names.ts'
import type { PageList, ShownPage } from './editor-pages.ts'
import type { OpenProposal, Proposals } from './editor-proposals.ts'
import type { EditorSession } from './editor-session.ts'
import type { EditorTexts } from './editor-texts.ts'

/** The parts of the editor that proposals need. */
interface Editor {
  readonly session: EditorSession
  readonly pages: PageList
  readonly proposals: Proposals
  readonly actions: EditorActions
}

interface Options {
  editor: Editor
  texts: EditorTexts
  personClass(personId: string): string
}

export class Ghosts {
  readonly #options: Options
  #key = ''

  constructor(options: Options) {
    this.#options = options
  }

  /** Shows the open proposals on the shown pages. */
  refresh(isForced = false): void {
    const { proposals, pages, session } = this.#options.editor
    const { open } = proposals
    const shown = [...pages.shown.keys()]
    const key = `${shown}\n${open.map(({ index, person }) => `${index} ${person?.id}`)}\n${session.people.length}`
    if (key === this.#key && !isForced) return
    this.#key = key
    for (const page of pages.shown.values()) this.#fill(page, open)
  }

  mount(page: ShownPage): void {
    this.#fill(page, this.#options.editor.proposals.open)
  }

  #fill({ number, layer }: ShownPage, open: OpenProposal[]): void {
    const kept = open.filter(({ proposal }) => proposal.page === number)
    const present = [...layer.querySelectorAll<HTMLElement>('.ghost')]
    for (const ghost of present) ghost.remove()
    for (const each of kept) layer.append(this.#ghost(each))
  }

  #ghost(open: OpenProposal): HTMLElement {
    const { texts, personClass, editor } = this.#options
    const { actions } = editor
    const { type, page, x, y, width, height, label } = open.proposal
    const name = label ? format(texts.labelled, { type: texts.types[type], label }) : texts.types[type]
    const words = open.person ? `${name}, ${personName(open.person, texts)}` : name
    const about = { type: words, page }
    const face = element('button', {
      type: 'button',
      class: 'ghost-accept',
      title: words,
      'aria-label': format(texts.proposals.accept, about),
    })
    face.addEventListener('click', () => actions.accept([open]))
    const cross = element('button', {
      type: 'button',
      class: 'ghost-dismiss',
      'aria-label': format(texts.proposals.dismiss, about),
    })
    cross.addEventListener('click', () => actions.dismiss([open]))
    face.append(element('span', { class: 'ghost-sign' }))
    const made = element('div', { class: `ghost ${open.person ? personClass(open.person.id) : ''}` }, face, cross)
    made.style.left = `${x}%`
    made.style.top = `${y}%`
    made.style.width = `${width}%`
    made.style.height = `${height}%`
    return made
  }
}
