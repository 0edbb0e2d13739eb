/** A fresh folder for each test of a file, in which the executable serves. */
import { afterEach, beforeAll, beforeEach } from 'bun:test'
import { demandBinary, emptyFolder, type Serving, serve } from './executable.ts'

/** For the top of the file. What serves in the folder is ended after the test. */
export function folderForEachTest(): { readonly path: string; serve(options?: Parameters<typeof serve>[1]): Promise<Serving> } {
  let folder: ReturnType<typeof emptyFolder>
  let serving: Serving[] = []
  beforeAll(demandBinary)
  beforeEach(() => {
    folder = emptyFolder()
    serving = []
  })
  afterEach(async () => {
    await Promise.all(serving.map(each => each.end('SIGKILL')))
    folder.remove()
  })
  return {
    get path() {
      return folder.path
    },
    async serve(options) {
      const started = await serve(folder.path, options)
      serving.push(started)
      return started
    },
  }
}
