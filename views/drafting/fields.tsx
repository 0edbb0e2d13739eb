/** The page of fields: the editor, which its script fills; without a script the table. */
import { LinkButton } from '../parts/button.tsx'
import { Callout } from '../parts/notice.tsx'
import { PageLoading } from '../parts/page-loading.tsx'
import { DraftFrame } from './draft-frame.tsx'
import { EDITOR_DATA_ID, type EditorData } from './editor/data.ts'
import { FIELDS_FORM, FieldsTable, type FieldsTableProps } from './fields-table.tsx'

interface Props extends FieldsTableProps {
  /** The language of printed dates. */
  dates: string
  /** `layoutSrc` runs at once. */
  script: { src: string; layoutSrc: string; pdfjsUrl: string }
}

/** In a script element only `<` could end the data. */
const asJson = (data: EditorData) => JSON.stringify(data).replaceAll('<', '\\u003c')

export function FieldsPage({ dates, script, ...table }: Props) {
  const { context, draft } = table
  const t = context.texts.editor
  const { base } = draft
  const next = `${base}/${draft.isTemplate ? 'settings' : 'review'}`
  const { isTemplate } = draft
  const own = { base, next, isTemplate, csrf: context.csrf, dates }
  const data: EditorData = { ...own, lang: context.language, pdfjsUrl: script.pdfjsUrl, texts: t.script }
  const head = (
    <>
      <script src={script.layoutSrc} nonce={context.nonce} />
      <script type="module" src={script.src} nonce={context.nonce} />
    </>
  )
  return (
    <DraftFrame context={context} draft={draft} here="fields" form={FIELDS_FORM} head={head}>
      <h1 class="unseen">{t.title}</h1>
      <noscript>
        <FieldsTable {...table} />
      </noscript>
      <PageLoading text={t.script.loading} />
      <div id="editor" class="editor" hidden />
      <div id="editor-failed" hidden>
        <Callout
          tone="bad"
          role="alert"
          title={t.failed.title}
          actions={
            <>
              <LinkButton href={`${base}/fields`}>{t.script.tryAgain}</LinkButton>
              <LinkButton href={`${base}/fields?as=table`} kind="quiet">
                {t.failed.table}
              </LinkButton>
            </>
          }
        >
          <p>{t.failed.text}</p>
        </Callout>
      </div>
      <script
        type="application/json"
        id={EDITOR_DATA_ID}
        nonce={context.nonce}
        dangerouslySetInnerHTML={{ __html: asJson(data) }}
      />
    </DraftFrame>
  )
}
