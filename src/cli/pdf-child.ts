/** The hidden verb: a process that reads PDFs for the serving one and ends with it. One task at a time; libraries load with the first of a kind. */
import { frame, type Numbered, type Reply, type Task, unframe } from '../pdf/worker.ts'

async function work(task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'inspect':
      return (await import('../pdf/inspect.ts')).inspect(task.order)
    case 'prepare':
      return (await import('../seal/prepare.ts')).prepare(task.order)
    case 'verify':
      return (await import('../seal/verify.ts')).verifyFile(task.order)
  }
}

async function replyTo(task: Task): Promise<Reply> {
  try {
    return { value: await work(task) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    return { error: { message: error instanceof Error ? error.message : String(error), code } }
  }
}

/** Works until standard input ends, which is when the parent does. */
export async function runPdfChild(): Promise<never> {
  for await (const order of unframe(Bun.stdin.stream())) {
    const { number, content } = order as Numbered<Task>
    await Bun.write(Bun.stdout, frame({ number, content: await replyTo(content) } satisfies Numbered<Reply>))
  }
  process.exit(0)
}
