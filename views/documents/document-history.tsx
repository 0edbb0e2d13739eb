/** The history of a document in words, and the record of all entries behind a detail. */
import type { AppTexts } from '../../src/locales/app.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { Moment } from '../parts/moment.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'

export interface HistoryAct {
  key: number
  type: string
  at: Date
  words: string
  /** Unless the words name the person. */
  who: string | undefined
  /** A reason or a reply. */
  quote: string | undefined
}

export interface RecordEntry {
  key: number
  at: Date
  what: string
  who: string
  hash: string
}

interface Props {
  acts: HistoryAct[]
  record: RecordEntry[]
  texts: AppTexts['documents']
}

const ICONS: Record<string, IconName> = {
  'document.created': 'file-plus',
  'document.updated': 'pencil',
  'document.sent': 'send',
  'document.viewed': 'eye',
  'document.completed': 'shield-check',
  'document.declined': 'ban',
  'document.voided': 'file-x',
  'document.expired': 'clock',
  'document.sealing_failed': 'triangle-alert',
  'recipient.notified': 'mail',
  'recipient.link_created': 'link',
  'recipient.signed': 'signature',
  'recipient.email_failed': 'mail-x',
  'recipient.reminded': 'bell',
  'recipient.corrected': 'pencil',
  'recipient.delegated': 'users',
  'recipient.access_code_locked': 'lock',
  'recipient.code_sent': 'lock',
}

const BAD = new Set(['document.declined', 'document.sealing_failed', 'recipient.email_failed', 'recipient.access_code_locked'])
const GOOD = new Set(['document.completed', 'recipient.signed'])

const toneOf = (type: string) => (BAD.has(type) ? 'bad' : GOOD.has(type) ? 'good' : 'plain')

export function History({ acts, texts }: Omit<Props, 'record'>) {
  return (
    <section id="history" data-live-part aria-labelledby="history-title">
      <h2 id="history-title">{texts.page.history}</h2>
      <ol class="history">
        {acts.map(act => (
          <li key={act.key} id={`act-${act.key}`} class={toneOf(act.type)}>
            <Icon name={ICONS[act.type] ?? 'info'} />
            <div>
              <p>{act.words}</p>
              {act.quote && (
                <p class="quote small" dir="auto">
                  {act.quote}
                </p>
              )}
              <p class="quiet small">
                {act.who && <span dir="auto">{act.who} · </span>}
                <Moment at={act.at} />
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Under the columns of the page: a table needs their width. */
export function Record({ record, texts: { page } }: Omit<Props, 'acts'>) {
  return (
    <section id="record-area" data-live-part>
      <details class="record" id="record">
        <summary>{page.record}</summary>
        <p class="quiet small">{page.recordText}</p>
        <Table class="stack small">
          <TableHead columns={[page.columns.time, page.columns.event, page.columns.by, page.columns.hash]} />
          <tbody>
            {record.map(entry => (
              <tr key={entry.key} id={`entry-${entry.key}`}>
                <td class="quiet">
                  <Moment at={entry.at} exact />
                </td>
                <td class="break" dir="auto">
                  {entry.what}
                </td>
                <Cell label={page.columns.by}>
                  <span dir="auto">{entry.who}</span>
                </Cell>
                <Cell label={page.columns.hash} class="quiet">
                  <code title={entry.hash}>{`${entry.hash.slice(0, 12)}…`}</code>
                </Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </section>
  )
}
