/** What witnesses say of the audit log: the kept co-signatures, and files that a witness gave. */
import { isJsonObject } from '../core/document/logged-facts.ts'
import type { StatementContext } from '../evidence/signed-statement.ts'
import {
  isKnownSigner,
  readWitnessStatement,
  type VerifiedWitness,
  WitnessStatementError,
} from '../evidence/witness-statement.ts'
import { type SignedWord, statementContext } from '../health/kept-statements.ts'
import { fingerprint } from '../pki/x509.ts'
import type { App } from '../ports.ts'
import { pemOf, readServiceSettings } from '../settings/service-settings.ts'
import { witnessTexts } from './queries.ts'

const TEXTS_AT_ONCE = 200

/** The file is neither a statement of a witness nor a list of them. The message is a clause. */
export class WitnessFileError extends Error {}

async function pinned(app: App): Promise<string | undefined> {
  return pemOf(app, (await readServiceSettings(app)).witnessCertificateFile.value)
}

/** Of the co-signatures beside the checkpoints. Those of a former witness are believed as given. */
export async function keptWitnessWords(app: App): Promise<SignedWord[]> {
  const context = await statementContext(app)
  const words: SignedWord[] = []
  for (let before: number | undefined; ; ) {
    const rows = await witnessTexts(app.db, TEXTS_AT_ONCE, before)
    for (const { text, sequence } of rows) {
      const place = 'co-signed by the witness and kept here'
      try {
        words.push(wordOf(app, readWitnessStatement(new TextEncoder().encode(text), context), place))
      } catch (error) {
        if (!(error instanceof WitnessStatementError)) throw error
        const by = `the co-signature of entry ${sequence} kept here`
        words.push({ place, by, entry: undefined, problem: error.message, hasTrustedTime: false, isBeforeRestore: false })
      }
    }
    before = rows.at(-1)?.sequence
    if (rows.length < TEXTS_AT_ONCE) return words
  }
}

export interface GivenWitness {
  words: SignedWord[]
  /** Whose statements they are; sentences. */
  signers: string[]
}

/** One statement, or the list that the page of a witness gives. @throws WitnessFileError */
export async function witnessWordsIn(app: App, bytes: Uint8Array, file: string): Promise<GivenWitness> {
  const context = await statementContext(app)
  const known = await pinned(app)
  const read = textsIn(bytes).map(text => readOne(text, context))
  const signers = new Map(read.map(({ signer }) => [fingerprint(signer.der), signer]))
  return {
    words: read.map(each => wordOf(app, each, `in ${file}`)),
    signers: [...signers].map(([sha256, signer]) => {
      const isKnown = known !== undefined && isKnownSigner(signer, known)
      const trust = isKnown
        ? 'the certificate of the witness that is set here'
        : 'a certificate that is not set here as that of a witness: compare its fingerprint'
      return `The statements in ${file} are signed by ${trust} (SHA-256 ${sha256}).`
    }),
  }
}

function readOne(text: string, context: StatementContext): VerifiedWitness {
  try {
    return readWitnessStatement(new TextEncoder().encode(text), context)
  } catch (error) {
    if (error instanceof WitnessStatementError) throw new WitnessFileError(error.message)
    throw error
  }
}

function textsIn(bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes)
  if (!text.trimStart().startsWith('{')) return [text]
  try {
    const list: unknown = JSON.parse(text)
    const statements = isJsonObject(list) ? list.statements : undefined
    if (Array.isArray(statements) && statements.every(each => typeof each === 'string')) return statements
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new WitnessFileError('it is no list of statements of a witness')
}

function wordOf(app: App, { statement, timestamp }: VerifiedWitness, place: string): SignedWord {
  const { instance, sequence, hash, treeRoot, witnessedAt } = statement
  const isOwn = instance === app.instance.id
  return {
    place,
    by: `the witness on ${witnessedAt.slice(0, 10)}, ${place}`,
    entry: isOwn ? { sequence, hash, treeRoot } : undefined,
    problem: isOwn ? undefined : `it is of the instance ${instance}`,
    hasTrustedTime: timestamp?.verdict === 'trusted',
    isBeforeRestore: false,
  }
}
