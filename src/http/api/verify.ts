/** The route that verifies a PDF. Nothing of the PDF is stored. */
import { verifiableBytes, verifyUpload } from '../../documents/evidence/verification.ts'
import { writeReport } from '../../verify/report.ts'
import { type ApiRoute, route } from '../route.ts'
import * as requests from './schema/requests.ts'
import * as responses from './schema/verify-responses.ts'

export const verifyRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/verify',
    operationId: 'verifyPdf',
    access: 'documents:read',
    summary: 'Verify a signed PDF',
    description:
      'Verifies any signed PDF, also one that another product signed, as `signet verify` does. `record` is a separate result: whether this instance sealed exactly this file. The file is not stored.',
    tag: 'Verification',
    body: requests.VerifyRequest,
    maxFileBytes: verifiableBytes,
    isSafe: true,
    success: {
      status: 200,
      description: 'The report. A file that cannot be read has a verdict too',
      schema: responses.VerificationReport,
    },
    refuses: ['invalid_base64', 'payload_too_large'],
    run: ({ app, actor, files }) => {
      const [file] = files()
      if (!file) throw new Error('the schema requires a file')
      return verifyUpload(app, file.upload, actor)
    },
    present: ({ report, record }) => ({
      ...writeReport(report),
      record: record.known
        ? { known: true, documentId: record.documentId, completedAt: record.completedAt.toISOString() }
        : { known: false },
    }),
  }),
]
