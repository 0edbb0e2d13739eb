/** The batches of a template, newest first, and the badge of their state. */
import { BATCHES_PATH, TEMPLATES_PATH } from '../../src/core/page-paths.ts'
import type { Batch, BatchState } from '../../src/core/template/batch.ts'
import type { PageContext } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import type { IconName } from '../parts/icons.ts'
import { Moment } from '../parts/moment.tsx'
import { Progress } from '../parts/progress.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'

export interface BatchListProps {
  context: PageContext
  batches: readonly Batch[]
}

export function BatchList({ context, batches }: BatchListProps) {
  const { list, page } = context.texts.batches
  const { columns } = list
  return (
    <Table label={list.title} class="stack batch-list">
      <TableHead columns={[columns.file, columns.state, columns.sent, columns.when]} />
      <tbody>
        {batches.map(({ id, title, state, total, counts, startedAt, createdAt }) => (
          <tr key={id}>
            <td class="title break">
              <a href={`${BATCHES_PATH}/${id}`} dir="auto">
                {title}
              </a>
            </td>
            <Cell label={columns.state}>
              <BatchBadge batch={{ state, counts }} context={context} />
            </Cell>
            <Cell label={columns.sent}>
              {state === 'draft' ? (
                '–'
              ) : (
                <Progress value={counts.sent} max={total} label={page.progressLabel} text={page.progress(counts.sent, total)} />
              )}
            </Cell>
            <Cell label={columns.when} class="quiet">
              <Moment at={startedAt ?? createdAt} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The newest, beside other facts about their template. */
export function NewestBatches({ context, batches, templateId }: BatchListProps & { templateId: string }) {
  const { list, page } = context.texts.batches
  if (batches.length === 0) return null
  return (
    <section aria-labelledby="batches-title">
      <h2 id="batches-title">{list.title}</h2>
      <ul class="newest-batches">
        {batches.map(({ id, title, state, total, counts, startedAt, createdAt }) => (
          <li key={id}>
            <a class="break" href={`${BATCHES_PATH}/${id}`} dir="auto">
              {title}
            </a>{' '}
            <BatchBadge batch={{ state, counts }} context={context} />
            <span class="small quiet">
              {state !== 'draft' && `${page.progress(counts.sent, total)} · `}
              <Moment at={startedAt ?? createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={`${TEMPLATES_PATH}/${templateId}/bulk#batches-title`}>{list.all}</a>
      </p>
    </section>
  )
}

const STATES: Record<BatchState, { tone: Tone; icon: IconName }> = {
  draft: { tone: 'neutral', icon: 'file-pen' },
  running: { tone: 'info', icon: 'send' },
  stopped: { tone: 'warn', icon: 'ban' },
  done: { tone: 'good', icon: 'circle-check' },
}

export function BatchBadge({ batch, context }: { batch: Pick<Batch, 'state' | 'counts'>; context: PageContext }) {
  const { state, counts } = batch
  const { states, finishedWithErrors } = context.texts.batches.page
  if (state !== 'done' || counts.failed === 0) return <Badge {...STATES[state]}>{states[state]}</Badge>
  return (
    <Badge tone="warn" icon="triangle-alert">
      {finishedWithErrors}
    </Badge>
  )
}
