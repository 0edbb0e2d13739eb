/** The page on which a person chooses or drops one or several PDFs. */
import { Layout, type PageContext, PageHead, type PageUser } from '../layout.tsx'
import { ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { UploadForm } from './upload-form.tsx'

interface Props {
  context: PageContext
  user: PageUser
  errors: ValidationErrors
  maxBytes: number
  maxFiles: number
}

export function NewDocumentPage({ context, user, errors, maxBytes, maxFiles }: Props) {
  const { newDocument: t, steps, errors: heading } = context.texts.sending
  const list = [steps.file, steps.people, steps.fields, steps.review].map((text, i) => ({
    text,
    state: i === 0 ? ('current' as const) : ('open' as const),
  }))
  return (
    <Layout context={context} user={user} bundle="sending">
      <PageHead title={t.title} />
      <Stepper label={steps.label} steps={list} />
      <ErrorSummary errors={errors} labels={{ file: t.choose }} heading={heading} />
      <UploadForm
        context={context}
        csrf={user.csrf}
        action="/documents/new"
        drop={t.drop}
        isLarge
        errors={errors}
        maxBytes={maxBytes}
        maxFiles={maxFiles}
      />
    </Layout>
  )
}
