/** The forms of a document's page, and its downloads. Each runs one action. */
import { MAX_REASON } from '../../../core/document/document-limits.ts'
import { DOCUMENTS_PATH } from '../../../core/page-paths.ts'
import { cleanText } from '../../../core/text.ts'
import { duplicateDocument } from '../../../documents/draft/create.ts'
import { editDraft } from '../../../documents/draft/edit-draft.ts'
import { evidencePack } from '../../../documents/evidence/evidence-pack.ts'
import { originalOf } from '../../../documents/files/named-file.ts'
import { currentFile, shownFile } from '../../../documents/files/shown-file.ts'
import type { setLegalHold } from '../../../documents/lifecycle/bulk.ts'
import { correctRecipient } from '../../../documents/lifecycle/correct-recipient.ts'
import { remindDocument, retrySealing, unlock, voidDocument } from '../../../documents/lifecycle/lifecycle.ts'
import { load, loadCached } from '../../../documents/record.ts'
import { deleteDocument } from '../../../documents/retention/erasure.ts'
import { fieldFile } from '../../../documents/signing/field-files.ts'
import { createSigningLink } from '../../../documents/signing/signing-link.ts'
import { attachment } from '../../../lib/file-names.ts'
import { addedFileResponse, fileResponse } from '../../file-response.ts'
import { type PageResponse, type PageRoute, runFormAction, type Visit } from '../../frame/page.tsx'
import { runQueued } from '../../limits.ts'
import { PRIVATE, SAME_ORIGIN } from '../../version-headers.ts'
import { zipResponse } from '../../zip-response.ts'
import { documentPage } from './document.tsx'
import { actorOf, idOf, originOf } from './sender-visit.ts'

export function action(verb: string, run: (visit: Visit) => Promise<PageResponse>): PageRoute {
  return { method: 'POST', path: `${DOCUMENTS_PATH}/:id/${verb}`, access: 'sender', run }
}

const back = (visit: Visit, notice: string, to: string[] = []): PageResponse => ({
  redirect: `${DOCUMENTS_PATH}/${idOf(visit)}?${new URLSearchParams({ notice, ...(to.length > 0 ? { to: to.join(',') } : {}) })}`,
})

export async function postRemind(visit: Visit): Promise<PageResponse> {
  const { reminded } = await remindDocument(visit.app, idOf(visit), originOf(visit))
  return back(visit, 'reminded', reminded)
}

export async function postUnlock(visit: Visit): Promise<PageResponse> {
  const { recipient } = await unlock(visit.app, idOf(visit), visit.params.recipient ?? '', originOf(visit))
  return back(visit, 'unlocked', [recipient.id])
}

/** Without a script the browser may send an empty reason: the question opens again. */
export async function postVoid(visit: Visit): Promise<PageResponse> {
  const reason = cleanText(visit.form.reason ?? '').slice(0, MAX_REASON)
  if (reason === '') {
    const { document } = await loadCached(visit.app.db, actorOf(visit), idOf(visit))
    return { redirect: `${DOCUMENTS_PATH}/${document.id}?open=void` }
  }
  await voidDocument(visit.app, idOf(visit), reason, originOf(visit))
  return back(visit, 'voided')
}

export async function postDelete(visit: Visit): Promise<PageResponse> {
  await deleteDocument(visit.app, idOf(visit), originOf(visit))
  return { redirect: `${DOCUMENTS_PATH}?notice=deleted` }
}

/** Without a script the browser may send an empty reason: the question opens again. */
export function holdAction(verb: string, notice: string, act: typeof setLegalHold): PageRoute {
  return {
    method: 'POST',
    path: `${DOCUMENTS_PATH}/:id/${verb}`,
    access: 'admin',
    run: async visit => {
      const reason = cleanText(visit.form.reason ?? '')
      if (reason === '') return { redirect: `${DOCUMENTS_PATH}/${idOf(visit)}?open=hold` }
      await act(visit.app, idOf(visit), reason, originOf(visit))
      return back(visit, notice)
    },
  }
}

export async function postLabels(visit: Visit): Promise<PageResponse> {
  const labels = (visit.form.labels ?? '').split(',').filter(label => cleanText(label) !== '')
  await editDraft(visit.app, idOf(visit), { labels }, { origin: originOf(visit) })
  return back(visit, 'labels')
}

export async function postDuplicate(visit: Visit): Promise<PageResponse> {
  const { document, warnings } = await duplicateDocument(visit.app, idOf(visit), originOf(visit))
  return { redirect: `${DOCUMENTS_PATH}/${document.id}?notice=${warnings.length > 0 ? 'duplicatedWithoutCodes' : 'duplicated'}` }
}

export async function postSeal(visit: Visit): Promise<PageResponse> {
  await retrySealing(visit.app, idOf(visit), originOf(visit))
  return back(visit, 'sealing')
}

/** What was typed stays in the form when it is refused. */
export async function postCorrect(visit: Visit): Promise<PageResponse> {
  const { app, form, params } = visit
  const recipientId = params.recipient ?? ''
  const to = { name: form.name ?? '', email: form.email ?? '' }
  const result = await runFormAction(() => correctRecipient(app, idOf(visit), recipientId, to, { origin: originOf(visit) }))
  if ('errors' in result) return documentPage(visit, { recipientId, ...to, errors: result.errors })
  return result.done.isChanged ? back(visit, 'corrected', [recipientId]) : back(visit, 'unchanged')
}

/** The page derives the link again: no address has it. */
export async function postSigningLink(visit: Visit): Promise<PageResponse> {
  const recipientId = visit.params.recipient ?? ''
  await createSigningLink(visit.app, idOf(visit), recipientId, originOf(visit))
  return { redirect: `${DOCUMENTS_PATH}/${idOf(visit)}?link=${recipientId}` }
}

export async function getFile(visit: Visit): Promise<PageResponse> {
  const { app, request } = visit
  const version = visit.query.version
  if (version === 'current') return getCurrent(visit)
  const document = await load(app.db, actorOf(visit), idOf(visit))
  const file = version === 'original' ? originalOf(document) : await shownFile(app, document)
  return { response: await fileResponse(app, request, file) }
}

/** One at a time for each person: the file is made in memory. */
async function getCurrent(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const actor = actorOf(visit)
  const { bytes, fileName } = await runQueued(app, actor.userId ?? '', () => currentFile(app, actor, idOf(visit)))
  const headers = { ...PRIVATE, 'content-type': 'application/pdf', 'content-disposition': attachment(fileName) }
  return { response: new Response(bytes as Uint8Array<ArrayBuffer>, { headers }) }
}

export async function getFieldFile(visit: Visit): Promise<PageResponse> {
  const { app, request, params } = visit
  const response = await addedFileResponse(app, request, await fieldFile(app, actorOf(visit), idOf(visit), params.field ?? ''))
  for (const [name, value] of Object.entries(SAME_ORIGIN)) response.headers.set(name, value)
  return { response }
}

export async function getEvidence(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const pack = await evidencePack(app, actorOf(visit), idOf(visit))
  return { response: zipResponse(app, pack) }
}
