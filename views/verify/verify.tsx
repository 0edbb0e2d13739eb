/** The public page that verifies a PDF, in the reader's language: the verdict, then its grounds. */
import { VERIFY_PATH } from '../../src/core/page-paths.ts'
import type { VerifyTexts } from '../../src/locales/verify.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import type { SignerContext } from '../signing/signing-layout.tsx'
import type { ServiceData } from './browser/service.ts'
import type { VerificationView } from './report-view.ts'
import { Result } from './result.tsx'

interface Props {
  reader: SignerContext
  texts: VerifyTexts
  /** Of the page, in the language that was chosen. */
  address: string
  languages: { tag: string; name: string; address: string }[]
  organisation: string
  verification: VerificationView | undefined
  /** With it a script verifies in the browser; undefined with a result of the service. */
  service: ServiceData | undefined
  /** BCP 47: the verifier has words in those of the web app. */
  remarkLanguage: string
}

export function VerifyPage(props: Props) {
  const { reader, texts, address, verification, service, remarkLanguage } = props
  const { context, lang, dir } = reader
  return (
    <Layout
      context={context}
      section={VERIFY_PATH}
      narrow
      lang={lang}
      dir={dir}
      skip={reader.texts.skip}
      {...(service ? { bundle: 'verify' } : {})}
    >
      <PageHead
        title={texts.title}
        actions={
          verification && (
            <LinkButton href={address} icon="rotate-ccw">
              {texts.another}
            </LinkButton>
          )
        }
      >
        {!verification && <p class="quiet">{texts.lead}</p>}
      </PageHead>
      {service && <Local service={service} context={context} />}
      {verification ? <Result {...verification} texts={texts} remarkLanguage={remarkLanguage} /> : <Form {...props} />}
    </Layout>
  )
}

/** The script fills it, and hides the form. */
function Local({ service, context }: { service: ServiceData; context: PageContext }) {
  const json = JSON.stringify(service).replaceAll('<', '\\u003c')
  return (
    <>
      <div id="verify-app" data-worker={context.bundles.verify} hidden />
      <script type="application/json" id="verify-data" nonce={context.nonce} dangerouslySetInnerHTML={{ __html: json }} />
    </>
  )
}

function Form({ reader, texts, address, languages, organisation }: Props) {
  return (
    <>
      <ErrorSummary heading={reader.texts.check} />
      <form method="post" action={address} encType="multipart/form-data" data-verify-upload>
        <Csrf />
        <FileDrop
          label={texts.file}
          hint={texts.notKept(organisation)}
          choose={texts.choose}
          drop={texts.drop}
          accept="application/pdf,.pdf"
          isLarge
          isWholePage
        />
        <div class="form-actions centred">
          <Button kind="primary" icon="shield-check">
            {texts.submit}
          </Button>
        </div>
      </form>
      {!reader.context.user && (
        <nav class="page-languages small" aria-label={texts.languages}>
          <ul>
            {languages.map(({ tag, name, address }) => (
              <li key={tag}>
                <a href={address} lang={tag} hreflang={tag} {...(tag === reader.lang ? { 'aria-current': 'true' as const } : {})}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  )
}
