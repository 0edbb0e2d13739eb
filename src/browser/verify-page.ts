/** The script of the page that verifies: in a window it shows the page, in a worker it verifies. */

import type { Order } from '../../views/verify/browser/order.ts'
import { startLocalVerify } from '../../views/verify/browser/start.tsx'
import { answerOrder } from './answer-order.ts'

if (typeof document === 'undefined') {
  const worker = globalThis as unknown as Pick<Worker, 'postMessage'> & { onmessage: (event: MessageEvent<Order>) => void }
  worker.onmessage = ({ data }) => worker.postMessage(answerOrder(data))
  worker.postMessage('ready')
} else startLocalVerify(answerOrder)
