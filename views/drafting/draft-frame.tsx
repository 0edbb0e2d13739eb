/** The frame of the pages that prepare a document: its title, and where one is among the pages. */
import type { ComponentChildren } from 'preact'
import { MAX_TITLE } from '../../src/core/document/document-limits.ts'
import { DOCUMENTS_PATH, TEMPLATES_PATH } from '../../src/core/page-paths.ts'
import { Layout, type PageContext } from '../layout.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Csrf, FieldError } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Callout } from '../parts/notice.tsx'
import { type Step, Stepper } from '../parts/stepper.tsx'

export interface DraftHead {
  /** The beginning of the addresses of its pages, such as `/documents/doc_…`. */
  base: string
  isTemplate: boolean
  title: string
  /** The version the page shows. */
  version: number
  /** It was just made from a template: its review follows one page. */
  use?: { templateId: string; query: string; href: string } | undefined
}

const PAGES = { document: ['people', 'fields', 'review'], template: ['people', 'fields', 'settings'] } as const
export type DraftPageName = (typeof PAGES)['document' | 'template'][number]

interface FrameProps {
  context: PageContext
  draft: DraftHead
  here: DraftPageName
  /** Id of the form that saves the title too. */
  form: string
  head?: ComponentChildren
  /** In place of "Saved". */
  savedNotice?: string | undefined
  /** Read out by screen readers. */
  announcement?: string | undefined
  children: ComponentChildren
}

export function DraftFrame({ context, draft, here, form, head, savedNotice, announcement, children }: FrameProps) {
  const { steps } = context.texts.sending
  const { use } = context.texts.templates
  const pages: readonly DraftPageName[] = PAGES[draft.isTemplate ? 'template' : 'document']
  const current = pages.indexOf(here)
  const list: Step[] = [
    { text: steps.file, href: draft.base, state: 'done' },
    ...pages.map((name, i): Step => {
      const state = i === current ? 'current' : i < current ? 'done' : 'open'
      return { text: steps[name], href: `${draft.base}/${name}`, state }
    }),
  ]
  const twoSteps: Step[] = [
    { text: use.steps.people, href: draft.use?.href, state: 'done' },
    { text: use.steps.review, state: 'current' },
  ]
  return (
    <Layout context={context} section={draft.isTemplate ? TEMPLATES_PATH : DOCUMENTS_PATH} head={head} bundle="sending">
      <div class="draft-head">
        <div class="draft-title">
          <label class="unseen" for="title">
            {steps.title}
          </label>
          <div class="draft-title-field">
            <input
              id="title"
              name="title"
              form={form}
              value={draft.title}
              maxLength={MAX_TITLE}
              autoComplete="off"
              {...{ dir: 'auto' }}
              {...(context.errors.some(({ path }) => path === 'title')
                ? { 'aria-invalid': 'true' as const, 'aria-describedby': 'title-error' }
                : {})}
            />
            <Icon name="pencil" />
            <p class="draft-status quiet small" role="status" data-save-status data-live-keep>
              {savedNotice}
            </p>
          </div>
          <FieldError name="title" label={steps.title} />
        </div>
        <p class="unseen" role="status" data-announce>
          {announcement}
        </p>
        <Stepper label={steps.label} steps={draft.use ? twoSteps : list} />
      </div>
      {children}
    </Layout>
  )
}

interface DraftFormProps {
  id: string
  draft: DraftHead
  here: DraftPageName
  class?: string
  /** The words the script shows. */
  texts: object
  children: ComponentChildren
}

/** The main form of a page. Its script saves it, so every page has the same members for that. */
export function DraftForm({ id, draft, here, class: own, texts, children }: DraftFormProps) {
  return (
    <form
      id={id}
      method="post"
      action={`${draft.base}/${here}${draft.use?.query ?? ''}`}
      class={own}
      data-base={draft.base}
      data-template={draft.use?.templateId}
      data-draft-page={here}
      data-texts={JSON.stringify(texts)}
      novalidate
      autoComplete="off"
    >
      <Csrf />
      <input type="hidden" name="version" value={draft.version} />
      {/* Enter in a field presses the first button of a form. */}
      <button type="submit" class="unseen" name="do" value="continue" tabIndex={-1} aria-hidden="true" />
      {children}
    </form>
  )
}

export interface Conflict {
  /** What changed meanwhile, one sentence each. */
  changes: string[]
}

/** Somebody else changed the draft after the page was opened. What was typed is in the form. */
export function ConflictCallout({
  context,
  conflict,
  draft,
  here,
}: {
  context: PageContext
  conflict: Conflict
  draft: DraftHead
  here: DraftPageName
}) {
  const { changed } = context.texts.sending
  const actions = (
    <>
      <button type="submit" class="button primary" name="do" value="overwrite">
        {changed.mine}
      </button>
      <LinkButton href={`${draft.base}/${here}`}>{changed.theirs}</LinkButton>
    </>
  )
  return (
    <Callout tone="warn" title={changed.heading} role="alert" actions={actions}>
      <ul>
        {conflict.changes.map(change => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <p>{changed.kept}</p>
    </Callout>
  )
}

/** The first row of buttons after the content: back, and the one that leads on. */
export function DraftActions({ context, back, children }: { context: PageContext; back: string; children: ComponentChildren }) {
  return (
    <div class="draft-actions">
      <LinkButton href={back} kind="quiet" icon="arrow-left">
        {context.texts.sending.steps.back}
      </LinkButton>
      {children}
    </div>
  )
}
