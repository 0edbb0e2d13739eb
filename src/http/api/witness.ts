/** The route by which other instances get their checkpoints co-signed. It takes no key. */
import { coSign } from '../../witness/witnessing.ts'
import { type ApiRoute, route } from '../route.ts'
import { WitnessRequest } from './schema/requests.ts'
import { WitnessAnswer } from './schema/responses.ts'

export const witnessRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/witness/checkpoints',
    operationId: 'witnessCheckpoint',
    access: 'anyone',
    summary: 'Co-sign a checkpoint',
    description:
      'Another instance sends the newest checkpoint of its audit log, and a proof that the log continues the one that was seen here before (RFC 9162 §2.1.4). The signature of the checkpoint is the authentication: an administrator has entered its certificate here. The answer is a statement signed by the seal key of this instance. If the proof does not begin at what was seen, `statement` is null, and the request is to be repeated with a proof from `size`. A repeated request gets the same statement.',
    tag: 'Witness',
    body: WitnessRequest,
    isSafe: true,
    success: { status: 200, description: 'The statement, or the size from which to prove', schema: WitnessAnswer },
    refuses: ['witness_unknown', 'witness_disagrees'],
    run: async ({ app, body }) => {
      await app.disk.requireSpaceForChange()
      return coSign(app, body)
    },
    present: ({ size, statement }) => ({ size, statement: statement ?? null }),
  }),
]
