/** The signatures of a file as pdf.js lists them. It verifies none: Firefox asks NSS to. */

export interface Listed {
  fieldName: string
  subFilter: string | null
  /** What NSS is asked to verify: 0 `adbe.pkcs7.detached`, 1 `adbe.pkcs7.sha1`; null: nothing. */
  signatureType: number | null
  /** Nothing but white space follows the signed bytes. */
  coversWholeDocument: boolean
  /** The signed bytes of the file, in order. */
  signed: Uint8Array[]
  /** /Contents. */
  cms: Uint8Array
}

/** Those that cover more of the file come first. */
export async function listSignatures(file: Uint8Array): Promise<Listed[]> {
  Object.assign(globalThis, { pdfjsWorker: await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs') })
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.min.mjs')
  const task = getDocument({ data: new Uint8Array(file), verbosity: VerbosityLevel.ERRORS })
  try {
    const document = await task.promise
    const listed = ((await document.getSignatures()) ?? []) as (Listed & { id: string })[]
    return await Promise.all(
      listed.map(async one => {
        const { data, pkcs7 } = await document.getSignatureData(one.id)
        return { ...one, signed: data, cms: pkcs7 }
      }),
    )
  } finally {
    await task.destroy()
  }
}
