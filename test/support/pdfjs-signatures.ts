/** The signatures of a file as pdf.js lists them. It verifies none: Firefox asks NSS to. */

interface Listed {
  fieldName: string
  subFilter: string | null
  /** What NSS is asked to verify: 0 `adbe.pkcs7.detached`, 1 `adbe.pkcs7.sha1`; null: nothing. */
  signatureType: number | null
  coversWholeDocument: boolean
}

export async function listSignatures(file: Uint8Array): Promise<Listed[]> {
  Object.assign(globalThis, { pdfjsWorker: await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs') })
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.min.mjs')
  const task = getDocument({ data: new Uint8Array(file), verbosity: VerbosityLevel.ERRORS })
  try {
    return ((await (await task.promise).getSignatures()) ?? []) as Listed[]
  } finally {
    await task.destroy()
  }
}
