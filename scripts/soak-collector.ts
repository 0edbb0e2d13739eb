/** Asks a serving executable for a full collection, by the inspector of its runtime. */
import { randomUUID } from 'node:crypto'

const ANSWER_MS = 30_000
/** The allocator gives pages back some time after a collection. */
const SETTLE_MS = 5_000

export interface Collector {
  /** For the executable. https://bun.com/docs/runtime/debugger */
  env: { BUN_INSPECT: string }
  collect(): Promise<void>
}

export function openCollector(): Collector {
  const url = `ws://127.0.0.1:${freePort()}/${randomUUID()}`
  return {
    env: { BUN_INSPECT: url },
    async collect() {
      await asked(url, 'Heap.gc')
      await Bun.sleep(SETTLE_MS)
    },
  }
}

function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  server.stop(true)
  return server.port
}

/** A method of WebKit's inspector protocol without parameters; resolves with its answer. */
async function asked(url: string, method: string): Promise<void> {
  const socket = new WebSocket(url)
  const answer = Promise.withResolvers<void>()
  const timer = setTimeout(() => answer.reject(new Error(`no answer to ${method} within ${ANSWER_MS} ms`)), ANSWER_MS)
  socket.onopen = () => socket.send(JSON.stringify({ id: 1, method }))
  socket.onerror = () => answer.reject(new Error(`the inspector of the executable cannot be reached`))
  socket.onmessage = ({ data }) => {
    const { id, error } = JSON.parse(String(data)) as { id?: number; error?: { message: string } }
    if (id !== 1) return
    if (error) answer.reject(new Error(`${method}: ${error.message}`))
    else answer.resolve()
  }
  try {
    await answer.promise
  } finally {
    clearTimeout(timer)
    socket.close()
  }
}
