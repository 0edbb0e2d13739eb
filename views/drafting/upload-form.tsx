/**
 * The form that takes one or several PDFs, which its script joins in the order shown, and its page.
 */
import { DOCUMENTS_PATH } from '../../src/core/page-paths.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Stepper } from '../parts/stepper.tsx'

interface UploadFormProps {
  context: PageContext
  action: string
  /** Words of the drop area. */
  drop: string
  /** It is the one thing of its page. */
  isLarge: boolean
  maxBytes: number
  maxFiles: number
}

export function UploadForm({ context, action, drop, isLarge, maxBytes, maxFiles }: UploadFormProps) {
  const { newDocument: t } = context.texts.sending
  const { frame } = context.texts
  return (
    <form
      method="post"
      action={action}
      enctype="multipart/form-data"
      class={isLarge ? 'upload large' : 'upload'}
      data-upload
      data-max-bytes={maxBytes}
      data-max-files={maxFiles}
      data-texts={JSON.stringify(t.script)}
    >
      <Csrf />
      <div data-upload-errors role="alert" />
      <FileDrop
        label={drop}
        hint={`${t.hint(Math.floor(maxBytes / 1e6))}. ${t.dropSeveral}`}
        choose={t.choose}
        drop=""
        accept="application/pdf,.pdf"
        multiple
        isWholePage
        isLarge={isLarge}
      />
      <section class="upload-files" data-upload-files hidden aria-labelledby="upload-order">
        <h2 id="upload-order">{t.order}</h2>
        <ol />
        <template>
          <li>
            <span class="grip" aria-hidden="true">
              <Icon name="grip-vertical" />
            </span>
            <span class="upload-name" />
            <span class="quiet small upload-size" />
            <Button type="button" kind="quiet" small iconOnly icon="arrow-up" data-act="up">
              {frame.more}
            </Button>
            <Button type="button" kind="quiet" small iconOnly icon="arrow-down" data-act="down">
              {frame.more}
            </Button>
            <Button type="button" kind="quiet" small iconOnly icon="x" data-act="remove">
              {frame.more}
            </Button>
          </li>
        </template>
        <p>
          <Button type="button" kind="quiet" icon="plus" data-upload-more>
            {t.addMore}
          </Button>
        </p>
      </section>
      <section class="upload-progress" data-upload-progress hidden>
        <p id="upload-what" data-upload-what />
        <progress max={100} value={0} aria-labelledby="upload-what" />
        <p class="quiet small" data-upload-percent />
        <Button type="button" data-upload-cancel>
          {t.cancel}
        </Button>
      </section>
      <p class="unseen" role="status" data-upload-status />
      <p data-upload-submit>
        <Button kind="primary">{t.upload}</Button>
      </p>
    </form>
  )
}

// The page on which a person chooses or drops one or several PDFs.

interface NewDocumentProps {
  context: PageContext
  maxBytes: number
  maxFiles: number
}

export function NewDocumentPage({ context, maxBytes, maxFiles }: NewDocumentProps) {
  const { newDocument: t, steps, errors: heading } = context.texts.sending
  const list = [steps.file, steps.people, steps.fields, steps.review].map((text, i) => ({
    text,
    state: i === 0 ? ('current' as const) : ('open' as const),
  }))
  return (
    <Layout context={context} section={DOCUMENTS_PATH} bundle="sending">
      <PageHead title={t.title} />
      <Stepper label={steps.label} steps={list} />
      <ErrorSummary labels={{ file: t.choose }} heading={heading} />
      <UploadForm
        context={context}
        action={`${DOCUMENTS_PATH}/new`}
        drop={t.drop}
        isLarge
        maxBytes={maxBytes}
        maxFiles={maxFiles}
      />
    </Layout>
  )
}
