/** The verifying core in a worker of a browser: one file at a time, its report as JSON. */
import { readCertificate } from '../../src/pki/x509.ts'
import { reportOn } from './core-report.ts'

/** What the page sends; octets of certificates and revocation lists are DER. */
export interface CoreQuestion {
  file: Blob
  trust: Uint8Array[]
  timestampTrust: Uint8Array[]
  revocationLists: Uint8Array[]
  /** RFC 3339. */
  now: string
}

/** `ms`: of the verification alone. `failure`: what it threw. */
export interface CoreAnswer {
  report?: string
  failure?: string
  ms: number
}

async function answer({ file, trust, timestampTrust, revocationLists, now }: CoreQuestion): Promise<CoreAnswer> {
  const start = performance.now()
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const [signers, times] = [trust, timestampTrust].map(list => list.map(readCertificate))
    const report = reportOn(bytes, signers ?? [], times ?? [], { now: new Date(now), revocationLists })
    return { report: JSON.stringify(report), ms: performance.now() - start }
  } catch (error) {
    return { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error), ms: performance.now() - start }
  }
}

addEventListener('message', (event: MessageEvent<CoreQuestion>) => {
  void answer(event.data).then(found => postMessage(found))
})
