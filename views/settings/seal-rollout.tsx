/** What Acrobat and Windows need to trust the seal: the certificate, and steps in words. */
import { LinkButton } from '../parts/button.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Facts } from '../parts/table.tsx'

export interface Rollout {
  isOwn: boolean
  name: string
  sha256: string
  sha1: string
}

export function SealRollout({ isOwn, name, sha256, sha1 }: Rollout) {
  const t = usePageTexts().timestamps
  return (
    <>
      <h2>{t.rollout}</h2>
      <div class="sheet">
        <p>{isOwn ? t.rolloutOwn : t.rolloutImported}</p>
        <Facts
          facts={[
            [isOwn ? t.rootName : t.sealName, name],
            [t.rootSha256, <CodeText text={`\`${sha256}\``} />],
            [t.rootSha1, <CodeText text={`\`${sha1}\``} />],
          ]}
        />
        <p>
          <LinkButton icon="download" href="/settings/seal/root.cer" download>
            {isOwn ? t.rootDownload : t.sealDownload}
          </LinkButton>
        </p>
        <p class="small quiet">{t.rolloutCheck}</p>
        <Steps title={t.acrobat} steps={t.acrobatSteps} />
        {isOwn && <Steps title={t.windows} steps={t.windowsSteps} />}
      </div>
    </>
  )
}

function Steps({ title, steps }: { title: string; steps: readonly string[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <ol>
        {steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  )
}
