/** Proposes fields from an accepted PDF. Runs in a child process only: it parses an upload. */
import { readFile } from 'node:fs/promises'
import { type FoundFields, NO_FOUND_FIELDS } from '../../core/proposal.ts'
import { openForUpdate } from '../inspect/open-for-update.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'

export interface FindFieldsRequest {
  /** A canonical file. */
  path: string
}

/** A PDF that cannot be read has no proposals: they are an offer. */
export async function findFields({ path }: FindFieldsRequest): Promise<FoundFields> {
  try {
    const { pages } = openForUpdate(await readFile(path))
    return { ...NO_FOUND_FIELDS, searchedPages: pages.length }
  } catch (error) {
    if (error instanceof PdfSyntaxError) return NO_FOUND_FIELDS
    throw error
  }
}
