/** The script of the pages on which documents and templates are made, beside that of all pages. */
import { DOCUMENTS_PATH } from '../../../src/core/page-paths.ts'
import { upgradeFileDrops } from '../../browser/file-drops.ts'
import { keepDraft } from '../../templates/browser/draft-of-template.ts'
import { upgradePeople } from './people.ts'
import { type SavedAnswer, SavedForm } from './saved-form.ts'
import { upgradeUpload } from './upload.ts'

// Review and settings by script: saves settings when they are left, and shows the e-mail anew.

/** What the service shows differently after a setting was saved. */
const REFRESHED = ['[data-review-values]', '[data-review-mail]', '[data-review-findings]']

/** A template has the settings alone. */
const FORM = 'form:is([data-draft-page="review"], [data-draft-page="settings"])'

class ReviewForm {
  readonly #form: HTMLFormElement

  constructor(form: HTMLFormElement) {
    this.#form = form
    form.querySelector<HTMLElement>('[data-review-save]')?.setAttribute('hidden', '')
    const saver = new SavedForm({
      form,
      ignored: ['confirm'],
      take: answer => this.#refresh(answer),
      onConflict: answer => this.#replace(answer),
    })
    for (const target of [form, document.querySelector('#title')]) target?.addEventListener('change', () => saver.left())
  }

  #refresh({ form }: SavedAnswer): void {
    for (const selector of REFRESHED) {
      const [now, next] = [this.#form.querySelector(selector), form.querySelector(selector)]
      if (now && next && now.outerHTML !== next.outerHTML) now.replaceWith(document.adoptNode(next))
    }
  }

  /** Shows the draft as it is now, with what was typed. */
  #replace({ form }: SavedAnswer): void {
    this.#form.replaceWith(document.adoptNode(form))
    new ReviewForm(form)
    form.scrollIntoView()
  }
}

function upgradeReview(within: ParentNode): void {
  const form = within.querySelector<HTMLFormElement>(FORM)
  if (!form) return
  const { template, base = '' } = form.dataset
  if (template) keepDraft(template, base.split('/').pop() ?? '')
  new ReviewForm(form)
}

// PDFs dropped on the list of documents open the page that takes them.

const NEW_DOCUMENT = `${DOCUMENTS_PATH}/new`
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/** Shows the other page without leaving this one: a file cannot be handed to the next page. */
async function openWith(files: readonly File[]): Promise<void> {
  const response = await fetch(NEW_DOCUMENT)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [main, next] = [document.querySelector('main'), page.querySelector('main')]
  if (!response.ok || !main || !next?.querySelector('[data-upload]')) {
    location.assign(NEW_DOCUMENT)
    return
  }
  main.replaceWith(document.adoptNode(next))
  history.pushState(null, '', NEW_DOCUMENT)
  window.addEventListener('popstate', () => location.reload())
  document.title = page.title
  upgradeFileDrops(next)
  await upgradeUpload(next)?.(files)
}

function upgradeListDrop(): void {
  if (location.pathname !== DOCUMENTS_PATH) return
  let isOpening = false
  const mark = (isOver: boolean) => document.body.classList.toggle('drop-over', isOver)
  document.addEventListener('dragover', event => {
    if (isOpening || !hasFiles(event)) return
    event.preventDefault()
    mark(true)
  })
  document.addEventListener('dragleave', event => {
    if (event.relatedTarget === null) mark(false)
  })
  document.addEventListener('drop', event => {
    mark(false)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (isOpening || files.length === 0) return
    event.preventDefault()
    isOpening = true
    void openWith(files)
  })
}

upgradeUpload(document)
upgradeListDrop()
upgradePeople(document)
upgradeReview(document)
