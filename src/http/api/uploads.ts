/** The uploads of a request under the names that its body gives them. */
import { errorsIn, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { NamedUpload } from '../../documents/files/store-files.ts'
import type { ReceivedFile } from '../body/receive.ts'

/** A body with one file, with several, or as the part of a form. */
export interface BodyOfFiles {
  file?: string
  fileName?: string
  files?: { fileName: string }[]
}

/** A form has the names of its files beside them, JSON in members of its own. */
export function uploadsOf({ file, fileName, files }: BodyOfFiles, received: readonly ReceivedFile[]): NamedUpload[] {
  if (fileName !== undefined && file === undefined && received.length > 1)
    refuseIfInvalid(errorsIn([['fileName', violation('file_name_beside_files')]]))
  const names = files?.map(each => each.fileName) ?? [fileName]
  return received.map(({ upload, fileName: own }, i) => ({ upload, fileName: names[i] ?? own ?? '' }))
}
