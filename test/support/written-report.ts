/** Verifies a PDF as `src/verify` does, and has the remarks in English, as users read them. */
import { type WrittenReport, writeReport } from '../../src/verify/report.ts'
import * as verifier from '../../src/verify/verify.ts'
import * as files from '../../src/verify/verify-file.ts'
import { recordFile } from './recorded-files.ts'

export function verifyBytes(...request: Parameters<typeof verifier.verifyBytes>): WrittenReport {
  recordFile(...request)
  return writeReport(verifier.verifyBytes(...request))
}

export const verifyFile = async (...request: Parameters<typeof files.verifyFile>): Promise<WrittenReport> =>
  writeReport(await files.verifyFile(...request))
