/** The files that a recipient adds to fields, one request for each: for the script of the page. */
import type { Recipient } from '../../../core/document/document.ts'
import { MAX_ATTACHMENT_BYTES } from '../../../core/field/field.ts'
import { diskRefusal, Refusal, validationRefusal } from '../../../core/refusal.ts'
import { localized } from '../../../core/signing/message.ts'
import { addedFiles, addFieldFile, fileFieldOf, removeFieldFile } from '../../../documents/signing/field-files.ts'
import { addedFileResponse } from '../../file-response.ts'
import type { PageResponse } from '../../frame/page.tsx'
import { runQueued } from '../../limits.ts'
import { PRIVATE, SAME_ORIGIN } from '../../version-headers.ts'
import type { SignerVisit } from './signer-visit.tsx'
import { requireSession, respondJson } from './signing.tsx'

const fieldIdOf = ({ visit }: SignerVisit) => visit.params.field ?? ''

/** Responds with the file as it is stored, or with what is wrong with it. */
export async function postFile(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  const { app, file } = signer.visit
  const fieldId = fieldIdOf(signer)
  return respondJson(signer, async () => {
    if (file?.dropped === 'no_space') throw diskRefusal()
    if (!file) throw fileMissing(found.recipient, fieldId)
    const sent = { fileName: file.name, upload: file.onDisk }
    const stored = await runQueued(app, found.recipient.id, () => addFieldFile(app, found, fieldId, sent))
    return Response.json(stored, { headers: PRIVATE })
  })
}

function fileMissing({ fields }: Recipient, fieldId: string): Refusal {
  return validationRefusal([{ path: `fields.${fieldId}`, ...localized('fileMissing', fileFieldOf({ fields }, fieldId)) }])
}

export async function postRemove(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  await removeFieldFile(signer.visit.app, found, fieldIdOf(signer))
  return { response: new Response(null, { status: 204, headers: PRIVATE }) }
}

/** The recipient's own file; pictures are shown in the page. */
export async function getFile(signer: SignerVisit): Promise<PageResponse> {
  const { recipient } = await requireSession(signer)
  const { app, request } = signer.visit
  const field = fileFieldOf(recipient, fieldIdOf(signer))
  const file = (await addedFiles(app, recipient))[field.id]
  if (!file) throw new Refusal('not_found', localized('fileMissing', field))
  const response = await addedFileResponse(app, request, file)
  for (const [name, value] of Object.entries(SAME_ORIGIN)) response.headers.set(name, value)
  return { response }
}

export const ONE_FILE = {
  isFileField: (name: string) => name === 'file',
  maxBytesEach: MAX_ATTACHMENT_BYTES,
  maxBytes: MAX_ATTACHMENT_BYTES,
}
