/**
 * Compares the rows of all documents with what the audit log says of them. The log is verified
 * elsewhere; of personal data that was erased it says nothing.
 */
import { auditEventsByDocument } from '../../audit/log.ts'
import { lostDocuments } from '../../audit/queries.ts'
import type { Document } from '../../core/document/document.ts'
import { type Difference, differencesFrom } from '../../core/document/logged-facts.ts'
import type { Db } from '../../db/open.ts'
import { errorMessage } from '../../lib/log.ts'
import { type Diagnosis, diagnosis, englishOfDiagnosis } from '../../locales/diagnoses.ts'
import { presentDocument } from '../present.ts'
import { findUncached, idsAfter } from '../queries.ts'

/** Of one document. Without a member, it has no row or no entry, or its rows cannot be read. */
export type RowProblem = { documentId: string } & (Difference | { missing: 'row' | 'entries' } | { unreadable: string })

export interface ComparedRows {
  /** Documents and templates. */
  count: number
  /** The first of them. */
  problems: RowProblem[]
  /** Of all. */
  problemCount: number
}

export interface CompareOptions {
  documentsAtOnce?: number
  maxProblems?: number
  /** Called after each slice with the number of documents compared so far. */
  progress?(done: number): Promise<void>
}

const DOCUMENTS_AT_ONCE = 100
const MAX_PROBLEMS = 100
/** A document that changed while it was read is read again. */
const MAX_READS = 5

export async function compareWithLog(db: Db, options: CompareOptions = {}): Promise<ComparedRows> {
  const { documentsAtOnce = DOCUMENTS_AT_ONCE, maxProblems = MAX_PROBLEMS, progress } = options
  const result: ComparedRows = { count: 0, problems: [], problemCount: 0 }
  const add = (found: readonly RowProblem[]) => {
    result.problems.push(...found.slice(0, maxProblems - result.problems.length))
    result.problemCount += found.length
  }
  for (
    let ids = await idsAfter(db, '', documentsAtOnce);
    ids.length > 0;
    ids = await idsAfter(db, ids.at(-1) ?? '', documentsAtOnce)
  ) {
    const found = await problemsOf(db, ids)
    // What changed between the two reads differs only for a moment.
    for (const id of new Set(found.map(({ documentId }) => documentId))) add(await lastingProblems(db, id))
    result.count += ids.length
    await progress?.(result.count)
  }
  for (let after = 0; ; ) {
    const lost = await lostDocuments(db, after, documentsAtOnce)
    add(lost.map(({ id }) => ({ documentId: id, missing: 'row' })))
    if (lost.length < documentsAtOnce) return result
    after = lost.at(-1)?.sequence ?? after
  }
}

async function problemsOf(db: Db, ids: readonly string[]): Promise<RowProblem[]> {
  const { documents, unreadable } = await findUncached(db, ids)
  const events = await auditEventsByDocument(db, ids)
  const damaged = [...unreadable].map(([documentId, error]) => ({ documentId, unreadable: errorMessage(error) }))
  const differing = documents.flatMap((document): RowProblem[] => {
    const own = events.get(document.id) ?? []
    if (own.length === 0) return [{ documentId: document.id, missing: 'entries' }]
    // Of one file, name and number of pages are those of the document.
    const isCompared = (member: string) => document.files !== undefined || !/^files\.(pageCount|fileName)$/.test(member)
    return differencesFrom(own, recordOf(document), isCompared).map(difference => ({ documentId: document.id, ...difference }))
  })
  return [...damaged, ...differing]
}

/** Those that stay while the document does not change. */
async function lastingProblems(db: Db, id: string): Promise<RowProblem[]> {
  let problems: RowProblem[] = []
  for (let reads = 0; reads < MAX_READS; reads++) {
    const [before] = (await findUncached(db, [id])).documents
    problems = await problemsOf(db, [id])
    const [after] = (await findUncached(db, [id])).documents
    if (problems.length === 0 || before?.updatedAt.getTime() === after?.updatedAt.getTime()) return problems
  }
  return problems
}

/** As the API shows it, with what only the rows have. */
function recordOf(document: Document): object {
  const shown = presentDocument(document)
  const { ownerId = null, heldAt, holdReason = null } = document
  return {
    ...shown,
    ...{ ownerId, holdReason, heldAt: heldAt?.toISOString() ?? null },
    recipients: shown.recipients.map((recipient, i) => {
      const { consentVersion = null, consentSha256 = null, signature = null, initials = null } = document.recipients[i] ?? {}
      return { ...recipient, consentVersion, consentSha256, signature, initials }
    }),
  }
}

export function diagnosisOfRow(problem: RowProblem): Diagnosis {
  const { documentId } = problem
  if ('missing' in problem) return diagnosis(problem.missing === 'row' ? 'document_gone' : 'document_unlogged', { documentId })
  if ('unreadable' in problem) return diagnosis('document_rows_unreadable', { documentId, problem: problem.unreadable })
  const { member, found, logged } = problem
  if (found === undefined) return diagnosis('document_lacks_member', { documentId, member, logged })
  return diagnosis('document_differs', { documentId, member, found, logged })
}

/** A sentence. */
export const describeRowProblem = (problem: RowProblem): string => `${englishOfDiagnosis(diagnosisOfRow(problem))}.`
