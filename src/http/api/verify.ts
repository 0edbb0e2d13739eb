/** Any PDF judged over the API. Nothing of it is kept. */
import { verifiableBytes, verifyUpload } from '../../documents/verification.ts'
import { type ApiRoute, route } from '../route.ts'
import * as schemas from './schemas.ts'

export const verifyRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/verify',
    access: 'documents:read',
    summary: 'Verify a signed PDF',
    description:
      'Verifies any signed PDF, also one of another product, as `signet verify` does. `record` is a separate answer: whether exactly this file was sealed here. Nothing is kept.',
    tag: 'Verify',
    body: schemas.VerifyRequest,
    maxFileBytes: verifiableBytes,
    isSafe: true,
    success: {
      status: 200,
      description: 'The report; a file that cannot be read has a verdict too',
      schema: schemas.Verification,
    },
    refuses: ['invalid_base64', 'payload_too_large'],
    run: ({ app, actor, file }) => verifyUpload(app, file(), actor),
    present: ({ report, record }) => ({
      ...report,
      record: record.known
        ? { known: true, documentId: record.documentId, completedAt: record.completedAt.toISOString() }
        : { known: false },
    }),
  }),
]
