/** What a person entered in the fields of a document, below a line that says how much it is. */
import { Icon } from '../parts/icon.tsx'

export interface FieldValue {
  label: string
  text: string
  /** Set where the text is the name of a file. */
  file?: ShownFile
}

interface ShownFile {
  href: string
  size: string
  sha256: string
  warning: string | undefined
}

interface FieldValuesProps {
  values: readonly FieldValue[] | undefined
  summary: (count: number) => string
}

export function FieldValues({ values = [], summary }: FieldValuesProps) {
  if (values.length === 0) return null
  const files = values.flatMap(({ label, text, file }) => (file ? [{ label, text, ...file }] : []))
  return (
    <>
      {files.length > 0 && <Files files={files} />}
      <Entries values={values.filter(({ file }) => !file)} summary={summary} />
    </>
  )
}

/** In view, because the sender asked for them. */
function Files({ files }: { files: readonly (ShownFile & Pick<FieldValue, 'label' | 'text'>)[] }) {
  return (
    <>
      <ul class="added-files small">
        {files.map(({ label, text, href, size, warning }) => (
          <li key={href}>
            <Icon name="paperclip" />
            <div>
              <div class="quiet" dir="auto">
                {label}
              </div>
              <a class="break" href={href} download dir="auto">
                {text}
              </a>{' '}
              <span class="quiet">{size}</span>
              {warning && <p class="quiet">{warning}</p>}
            </div>
          </li>
        ))}
      </ul>
      <details class="small">
        <summary>SHA-256</summary>
        <dl class="field-values">
          {files.map(({ text, href, sha256 }) => (
            <div key={href}>
              <dt dir="auto">{text}</dt>
              <dd>
                <code class="break">{sha256}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

function Entries({ values, summary }: { values: readonly FieldValue[]; summary: FieldValuesProps['summary'] }) {
  if (values.length === 0) return null
  return (
    <details class="small">
      <summary>{summary(values.length)}</summary>
      <ValueList values={values} />
    </details>
  )
}

export function ValueList({ values }: { values: readonly FieldValue[] }) {
  return (
    <dl class="field-values">
      {values.map(({ label, text }, index) => (
        <div key={index}>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
