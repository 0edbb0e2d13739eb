/** Writes the events in time order, one row each, and the seal as the last one. */
import type { Evidence, EvidenceEvent } from './model.ts'
import { type Deps, SMALL, SMALL_NOTE, writeSection } from './typography.ts'

/** Widths of the columns, pt. */
const TIME = 106
const TIME_WITH_OFFSET = 152
const IP = 90
/** Share of the event in the rest. */
const EVENT = 0.6

const NOBODY = '–'

export function writeTimeline(evidence: Evidence, deps: Deps): void {
  const { flow, timeFormatter, words } = deps
  writeSection(words.sections.events, deps)
  const time = timeFormatter.local(evidence.sealedAt).includes('UTC') ? TIME_WITH_OFFSET : TIME
  const rest = flow.width - time - IP
  const columns = [
    { title: words.columns.time, width: time },
    { title: words.columns.event, width: rest * EVENT },
    { title: words.columns.by, width: rest * (1 - EVENT) },
    { title: words.labels.ip, width: IP },
  ]
  const rows = [
    ...evidence.events.map(event => [event.at, textOf(event, deps), actorOf(event, deps), event.ip ?? NOBODY]),
    [evidence.sealedAt, words.events['document.completed'], evidence.organisation, NOBODY],
  ]
  const types = [SMALL, SMALL, SMALL, SMALL_NOTE]
  flow.addTable(
    columns,
    rows.map(([at = '', ...texts]) => [timeFormatter.local(at), ...texts].map((text, i) => [{ text, type: types[i] ?? SMALL }])),
  )
}

function textOf({ kind, concernedRecipientName, newPerson, reason }: EvidenceEvent, { words }: Deps): string {
  const about = [concernedRecipientName, newPerson, reason && words.quoted(reason)].filter(text => text)
  // A line each: between two names that are read from right to left, an arrow would read backwards.
  const arrow = words.direction === 'rtl' ? '←' : '→'
  return about.length === 0 ? words.events[kind] : `${words.events[kind]}: ${about.join(` ${arrow}\n`)}`
}

/** What the service did has no person. */
function actorOf({ who }: EvidenceEvent, { words }: Deps): string {
  if (who === undefined) return NOBODY
  return who.name ?? words.sender
}
