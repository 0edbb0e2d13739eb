/** Receives an API request as a form: a part with the JSON, and parts with files, to disk. */
import { createHash } from 'node:crypto'
import { errorsIn, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { App } from '../../ports.ts'
import { type BodyBudget, reserveMemory } from './body-budget.ts'
import { JsonScanner } from './json-scanner.ts'
import { MultipartScanner } from './multipart-scanner.ts'
import { bodySteps, type ExpectedBody, MAX_KEPT_BYTES, type Received } from './receive.ts'
import { addSteps, IncomingFiles } from './receive-form.ts'

const FILE_PART = 'file'
/** Boundaries and headers of the parts. */
const MAX_FRAME_BYTES = 100_000
const MAX_NAME_SHOWN = 100

/** Passes the form to `work`, then removes its files. `part`: the name of the JSON's part. */
export async function withJsonForm<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { prefix, maxFileBytes = 0, maxFiles = 1, part }: ExpectedBody & { part: string },
  work: (received: Received) => Promise<T>,
): Promise<T> {
  await app.disk.requireSpaceForUpload()
  const reservation = reserveMemory(budget)
  const incoming = new IncomingFiles(app, { maxBytes: maxFileBytes, maxFiles, isToDisk: true, isHashed: true })
  const contentType = request.headers.get('content-type') ?? ''
  const fields = { maxKeptBytes: MAX_KEPT_BYTES, isFileField: (name: string) => name === FILE_PART, textFields: [part] }
  try {
    const scanner = new MultipartScanner({ contentType, ...fields, ...incoming.sink })
    const limit = MAX_KEPT_BYTES + MAX_FRAME_BYTES + maxFileBytes
    await addSteps(
      scanner,
      incoming,
      bodySteps(budget, reservation, request, limit, () => scanner.keptBytes),
    )
    scanner.end()
    refuseIfInvalid(partErrors(scanner.names, scanner.contents, part))
    const content = scanner.contents.get(part) ?? Buffer.alloc(0)
    const json = new JsonScanner(MAX_KEPT_BYTES)
    json.add(content)
    const value = json.end()
    const files = (await incoming.end()).flatMap(({ name, onDisk }) => (onDisk ? [{ upload: onDisk, fileName: name }] : []))
    if (files.length === 0) refuseIfInvalid(errorsIn([[FILE_PART, violation('required')]]))
    // Not over the bytes of the body: a repeated request has another boundary.
    const hash = createHash('sha256').update(prefix).update(createHash('sha256').update(content).digest())
    for (const [i, sha256] of incoming.hashes().entries()) hash.update(`${sha256} ${JSON.stringify(files[i]?.fileName)}\n`)
    return await work({ value, isForm: true, sha256: hash.digest('hex'), files: () => files })
  } finally {
    reservation.set(0)
    await incoming.discard()
  }
}

function partErrors(names: readonly string[], contents: ReadonlyMap<string, Buffer>, part: string): ValidationError[] {
  const unknown = violation('unknown_part', { parts: [part, FILE_PART] })
  const others = names.filter(name => name !== part && name !== FILE_PART)
  const isRepeated = names.filter(name => name === part).length > 1
  return errorsIn([
    ...others.map(name => [name.slice(0, MAX_NAME_SHOWN), unknown] as const),
    [part, contents.has(part) ? undefined : violation('required')],
    [part, isRepeated ? violation('given_more_than_once') : undefined],
    [FILE_PART, contents.has(FILE_PART) ? violation('part_without_file_name') : undefined],
  ])
}
