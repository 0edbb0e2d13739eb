/** The hidden verb: a child process that does one PDF task at a time. */
import { freeMemory } from '../lib/free-memory.ts'
import type { Machine } from '../lib/machine.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { type Confinement, confine } from './confinement.ts'
import { decodeMessages, encodeMessage, type Numbered, type Reply, type Task, type TaskKind } from './protocol.ts'

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

// Runs a PDF task in this process. Each library is loaded by the first task that needs it.

const LIBRARIES = {
  inspect: () => import('../pdf/inspect/inspect.ts'),
  join: () => import('../pdf/join/join.ts'),
  prepare: () => import('../evidence/prepare.ts'),
  verify: () => import('../verify/verify-file.ts'),
  evidencePack: () => import('../evidence/pack/verify-pack-file.ts'),
  receipt: () => import('../evidence/verify-receipt-file.ts'),
  augment: () => import('../pades/augment.ts'),
  detect: () => import('../pdf/detect/find-fields.ts'),
  drawFields: () => import('../appearance/draw-fields.ts'),
  hands: () => import('../appearance/draw-fields.ts'),
  disableActiveContent: () => import('../pdf/inspect/open-for-update.ts'),
  preview: () => import('../appearance/draw-fields.ts'),
  signatureImage: () => import('../image/signature-image.ts'),
  logo: () => import('../image/logo.ts'),
  logoPicture: () => import('../image/logo-picture.ts'),
  fieldFile: () => import('../image/field-file.ts'),
}

export type OwnTask = Task<Exclude<TaskKind, 'confinement'>>

export async function runTask(task: OwnTask, context: Pick<Machine, 'random'>): Promise<unknown> {
  switch (task.kind) {
    case 'inspect':
      return (await LIBRARIES.inspect()).inspect(task.request)
    case 'join':
      return (await LIBRARIES.join()).join(task.request)
    case 'prepare':
      return (await LIBRARIES.prepare()).prepare(task.request, context)
    case 'verify':
      return (await LIBRARIES.verify()).verifyFile(task.request)
    case 'verifyPack':
      return (await LIBRARIES.evidencePack()).verifyPackFile(task.request)
    case 'verifyReceipt':
      return (await LIBRARIES.receipt()).verifyReceiptFile(task.request)
    case 'addValidationData':
      return (await LIBRARIES.augment()).addValidationData(task.request, context)
    case 'prepareTimestamp':
      return (await LIBRARIES.augment()).prepareTimestamp(task.request, context)
    case 'readPageBoxes':
      return (await LIBRARIES.preview()).readPageBoxes(task.request)
    case 'writeOverlay':
      return (await LIBRARIES.preview()).writeOverlay(task.request)
    case 'fitTexts':
      return (await LIBRARIES.preview()).fitTexts(task.request)
    case 'drawHands':
      return (await LIBRARIES.hands()).drawHands(task.request)
    case 'drawFields':
      return (await LIBRARIES.drawFields()).drawFields(task.request, context)
    case 'disableActiveContent':
      return (await LIBRARIES.disableActiveContent()).disableActiveContent(task.request)
    case 'findFields':
      return (await LIBRARIES.detect()).findFields(task.request)
    case 'cleanSignature':
      return (await LIBRARIES.signatureImage()).cleanSignature(task.request)
    case 'checkLogo':
      return (await LIBRARIES.logo()).checkLogo(task.request)
    case 'shrinkLogo':
      return (await LIBRARIES.logoPicture()).shrinkLogo(task.request)
    case 'examineFile':
      return (await LIBRARIES.fieldFile()).examineFile(task.request)
    case 'warm':
      for (const load of Object.values(LIBRARIES)) await load()
      return true
  }
}
