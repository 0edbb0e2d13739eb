/** One entry of the audit log: what happened, the text in the chain and its hash. */
import type { Json } from '../../src/core/document/event.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'
import { auditAddress } from './audit-filters.tsx'

interface Entry {
  sentence: string
  kind: string
  who: string
  actor: string
  title: string | undefined
  documentId: string | undefined
  ip: string | undefined
  userAgent: string | undefined
  entry: string
  hash: string
  previousHash: string
  salt: string | null
  personal: Record<string, Json> | null
  isErased: boolean
}

interface Props {
  context: PageContext
  number: string
  time: string
  entry: Entry
  isIntact: boolean
  older: string | undefined
  newer: string | undefined
}

export function AuditEntryPage({ context, number, time, entry, isIntact, older, newer }: Props) {
  const t = context.texts.audit.detail
  const { facts: f } = t
  const facts: Fact[] = [
    [f.at, time],
    [f.kind, entry.kind],
    [f.actor, <ActorText who={entry.who} actor={entry.actor} />],
    ...(entry.documentId === undefined ? [] : ([[f.document, <DocumentLinks {...entry} />]] as Fact[])),
    ...(entry.ip === undefined ? [] : ([[f.ip, entry.ip]] as Fact[])),
    ...(entry.userAgent === undefined ? [] : ([[f.userAgent, entry.userAgent]] as Fact[])),
  ]
  return (
    <SettingsLayout context={context} here="/settings/audit">
      <PageHead title={t.title(number)} back={{ href: '/settings/audit', text: t.back }}>
        <p dir="auto">{entry.sentence}</p>
      </PageHead>
      <div class="sheet">
        <Facts facts={facts} />
      </div>
      <h2>{t.entry}</h2>
      <div class="sheet audit-sheet">
        <p>
          <Badge tone={isIntact ? 'good' : 'bad'}>{isIntact ? t.matches : t.differs}</Badge>
        </p>
        <section class="audit-entry" tabindex={0} aria-label={t.entry}>
          {entry.entry}
        </section>
        <Facts
          facts={[
            [f.hash, <code class="break">{entry.hash}</code>],
            [f.previous, <code class="break">{entry.previousHash}</code>],
          ]}
        />
        <p class="small quiet">{t.entryNote}</p>
      </div>
      <h2>{t.personal}</h2>
      <Personal entry={entry} />
      <nav class="pager" aria-label={context.texts.audit.pages}>
        {newer !== undefined && <a href={newer}>{t.newer}</a>}
        {older !== undefined && <a href={older}>{t.older}</a>}
      </nav>
    </SettingsLayout>
  )
}

function ActorText({ who, actor }: { who: string; actor: string }) {
  return (
    <>
      <span dir="auto">{who}</span> <code class="break quiet">{actor}</code>
    </>
  )
}

function DocumentLinks({ documentId, title }: Pick<Entry, 'documentId' | 'title'>) {
  const t = usePageTexts().audit
  const isTemplate = documentId?.startsWith('tpl_')
  const deleted = isTemplate ? t.deletedTemplate : t.deletedDocument
  return (
    <>
      {title === undefined ? (
        deleted
      ) : (
        <a href={`/${isTemplate ? 'templates' : 'documents'}/${documentId}`}>{title || t.untitled}</a>
      )}
      {' · '}
      <a href={auditAddress({ document: documentId ?? '' })}>{t.detail.allOfDocument}</a>
    </>
  )
}

function Personal({ entry: { personal, salt, isErased } }: { entry: Entry }) {
  const t = usePageTexts().audit.detail
  if (personal === null) return <p class="quiet">{isErased ? t.wasErased : t.noPersonal}</p>
  const text = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))
  return (
    <div class="sheet">
      <Facts
        facts={[
          ...Object.entries(personal).map(([name, value]): Fact => [name, <span dir="auto">{text(value)}</span>]),
          [t.facts.salt, <code class="break">{salt}</code>],
        ]}
      />
      <p class="small quiet">
        <CodeText text={t.personalNote} />
      </p>
    </div>
  )
}
