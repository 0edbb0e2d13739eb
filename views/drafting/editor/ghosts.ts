/** Proposals on the pages: a button that accepts, and one that dismisses. */
import type { PercentBox } from '../../../src/core/field/geometry.ts'
import { element } from '../../signing/browser/element.ts'
import { format } from '../../signing/browser/texts.ts'
import type { EditorActions } from './actions.ts'
import { personName, typeName } from './names.ts'
import type { PageList, ShownPage } from './pages.ts'
import type { OpenProposal, Proposals } from './proposals.ts'
import type { EditorSession } from './session.ts'
import type { EditorTexts } from './texts.ts'

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
  /** The place of the proposal that was tapped once. */
  #tapped: PercentBox | undefined

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
    const present = [...layer.querySelectorAll<HTMLElement>('.ghost')]
    for (const ghost of present) ghost.remove()
    for (const each of open) {
      const places = (each.proposal.boxes ?? [each.proposal]).filter(({ page }) => page === number)
      for (const place of places) layer.append(this.#ghost(each, place))
    }
  }

  /** The place of the whole field, or of one of its choices. */
  #ghost(open: OpenProposal, place: PercentBox): HTMLElement {
    const { x, y, width, height } = place
    const { texts, personClass, editor } = this.#options
    const { actions } = editor
    const { type, page, label } = open.proposal
    const kind = typeName(type, open.person?.id, texts)
    const name = label ? format(texts.labelled, { type: kind, label }) : kind
    const words = open.person ? `${name}, ${personName(open.person, texts)}` : name
    const about = { type: words, page }
    const face = element('button', {
      type: 'button',
      class: 'ghost-accept',
      title: words,
      'aria-label': format(open.proposal.isDoubtful ? texts.proposals.acceptDoubtful : texts.proposals.accept, about),
    })
    this.#listen(face, open, place)
    const cross = element('button', {
      type: 'button',
      class: 'ghost-dismiss',
      'aria-label': format(texts.proposals.dismiss, about),
    })
    cross.addEventListener('click', () => actions.dismiss([open]))
    face.append(element('span', { class: 'ghost-sign' }))
    const made = element('div', { class: `ghost ${open.person ? personClass(open.person.id) : ''}` }, face, cross)
    made.classList.toggle('tapped', place === this.#tapped)
    made.classList.toggle('doubtful', open.proposal.isDoubtful === true)
    made.style.left = `${x}%`
    made.style.top = `${y}%`
    made.style.width = `${width}%`
    made.style.height = `${height}%`
    return made
  }

  /** A finger cannot point: its first tap shows the cross, its second accepts. */
  #listen(face: HTMLElement, open: OpenProposal, place: PercentBox): void {
    const { texts, editor } = this.#options
    let isTouch = false
    face.addEventListener('pointerdown', ({ pointerType }) => {
      isTouch = pointerType === 'touch'
    })
    face.addEventListener('keydown', () => {
      isTouch = false
    })
    face.addEventListener('click', () => {
      if (!isTouch || this.#tapped === place) return editor.actions.accept([open])
      this.#tapped = place
      for (const tapped of document.querySelectorAll('.ghost.tapped')) tapped.classList.remove('tapped')
      face.parentElement?.classList.add('tapped')
      editor.actions.say(texts.proposals.tapAgain)
    })
  }
}
