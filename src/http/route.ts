/** The shape of an API route: its access word, its schemas and its one action stand together. What has no access word does not compile. */
import type { Static, TSchema } from 'typebox'
import type { Reason } from '../core/refusal.ts'
import type { Actor, App, Origin, Scope } from '../ports.ts'
import type { Upload } from '../storage/files.ts'

/** A response body that is JSON already, made of cached texts. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A scope the key must have, or `any key`. */
export type Access = Scope | 'any key'

export interface Call<Body, Query> {
  app: App
  actor: Actor
  /** Name of the key that calls. */
  keyName: string
  origin: Origin
  params: Record<string, string>
  query: Query
  body: Body
  request: Request
  /** What the body's `file` held, on disk until the answer. Throws `invalid_base64`. For routes with `maxFileBytes`. */
  file(): Upload
}

export type Method = 'GET' | 'POST' | 'DELETE'

export interface ApiRoute {
  method: Method
  /** Below `/api/v1`, parameters as `:id`. */
  path: string
  access: Access
  summary: string
  description?: string
  tag: string
  body: TSchema | undefined
  query: TSchema | undefined
  /** Its body has a member `file`, base64 of at most so many bytes. */
  maxFileBytes: ((app: App) => number) | undefined
  success: { status: number; description: string; schema: TSchema | 'application/pdf' | 'application/zip' }
  refuses: Reason[]
  /** Changes nothing although it is a POST: an `Idempotency-Key` has nothing to keep apart. */
  isSafe: boolean
  /** Runs the action. For POST: its answer is what its one transaction answered. */
  run(call: Call<unknown, unknown>): Promise<unknown>
  /** What of the action's result is answered. */
  present(result: unknown): unknown
}

interface Definition<B extends TSchema, Q extends TSchema, R> {
  method: Method
  path: string
  access: Access
  summary: string
  description?: string
  tag: string
  body?: B
  query?: Q
  maxFileBytes?: (app: App) => number
  success: ApiRoute['success']
  refuses?: Reason[]
  isSafe?: boolean
  run(call: Call<Static<B>, Static<Q>>): Promise<R>
  present(result: R): unknown
}

/** Checks that schemas, action and answer fit together, and forgets their types. */
export function route<B extends TSchema, Q extends TSchema, R>(definition: Definition<B, Q, R>): ApiRoute {
  return {
    ...definition,
    body: definition.body,
    query: definition.query,
    maxFileBytes: definition.maxFileBytes,
    refuses: definition.refuses ?? [],
    isSafe: definition.isSafe ?? definition.method === 'GET',
    run: definition.run as ApiRoute['run'],
    present: definition.present as ApiRoute['present'],
  }
}
