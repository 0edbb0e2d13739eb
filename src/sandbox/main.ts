/** The hidden verb: a child process that does one PDF task at a time. */
import { freeMemory } from '../lib/free-memory.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { type Confinement, confine } from './confinement.ts'
import { decodeMessages, encodeMessage } from './framing.ts'
import type { Numbered, Reply, Task } from './protocol.ts'
import { runTask } from './run-task.ts'

async function replyTo(task: Task, confinement: Confinement): Promise<Reply> {
  try {
    return { value: task.kind === 'confinement' ? confinement : await runTask(task, THIS_MACHINE) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    return { error: { message: error instanceof Error ? error.message : String(error), code } }
  }
}

/** Runs until standard input ends, which happens when the parent does. */
export async function runPdfChild(): Promise<never> {
  const confinement = confine()
  for await (const message of decodeMessages(Bun.stdin.stream())) {
    const { number, content } = message as Numbered<Task>
    const answer = encodeMessage({ number, content: await replyTo(content, confinement) } satisfies Numbered<Reply>)
    // Before the answer: the pool replaces a child that keeps much memory.
    freeMemory()
    await Bun.write(Bun.stdout, answer)
  }
  process.exit(0)
}
