/** An API route: access, schemas and action in one value. `access` is required by its type. */
import type { Static, TSchema } from 'typebox'
import type { Reason } from '../core/refusal.ts'
import type { Actor, App, Committed, Origin, Scope } from '../ports.ts'
import type { JsonLimits, ReceivedFile } from './body/receive.ts'

/** A response body that is JSON already, made of cached texts. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A scope the key must have, or `any key`; `anyone`: no key, the body itself is signed. */
export type Access = Scope | 'any key' | 'anyone'

/** One parsed request to a route. */
export interface Call<Body, Query> {
  app: App
  actor: Actor
  /** Name of the calling key. */
  keyName: string
  origin: Origin
  params: Record<string, string>
  query: Query
  body: Body
  request: Request
  /** The version that `If-Match` names, on routes with `takesIfMatch`. */
  ifMatch: number | undefined
  /** A body of the route's `rawBody` type; `body` is then undefined. */
  raw: Uint8Array | undefined
  /** The files, on disk until the response is sent. Throws `invalid_base64`. */
  files(): ReceivedFile[]
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Tag = 'Documents' | 'Templates' | 'Batches' | 'Events' | 'Webhooks' | 'Verification' | 'Witness' | 'API token'

interface Definition<B extends TSchema, Q extends TSchema, R> {
  /** Below `/api/v1`, parameters as `:id`. */
  path: string
  /** Names the operation in OpenAPI and in generated clients; never changes. */
  operationId: string
  access: Access
  summary: string
  /** CommonMark. */
  description?: string
  tag: Tag
  success: {
    status: number
    description: string
    schema: TSchema | 'application/pdf' | 'application/zip' | 'message/rfc822' | 'added file'
  }
  body?: B
  query?: Q
  /** Set where the body has files in base64: the most bytes that all may decode to. */
  maxFileBytes?: (app: App) => number
  /** Set where the body may have several files: how many. */
  maxFiles?: number
  /** Other schemas of the body, each by a member that it alone has. */
  otherBodies?: Record<string, TSchema>
  /** Set where the JSON may be larger than usual. */
  largeBody?: JsonLimits
  /** Set where the body may be of another type than JSON. */
  rawBody?: { mediaType: string; maxBytes: number; description: string }
  /** Set where the request may be a form: the name and the schema of its part with the JSON. */
  form?: { part: string; schema: TSchema }
  /** The refusals of its action, besides those of every route. */
  refuses?: Reason[]
  /** Its answer is never compressed. */
  answerHasSecret?: true
  /** The action honours `If-Match`. */
  takesIfMatch?: true
  /** Of a 201: where the resource with the `id` of the response is, such as `/documents`. */
  creates?: '/documents' | '/templates' | '/webhooks' | '/batches'
  /** The version in the response, sent as `ETag`. A GET with it answers `If-None-Match`. */
  version?(result: R): number
  /** Makes the response body of the action's result. */
  present(result: R): unknown
}

/** Whether a request to the route has a body. */
export function hasBody({ method }: Pick<ApiRoute, 'method'>): boolean {
  return method === 'POST' || method === 'PATCH'
}

/** Whether the response to a POST is stored and repeated. */
export function takesIdempotencyKey({ method, isSafe }: Pick<ApiRoute, 'method' | 'isSafe'>): boolean {
  return method === 'POST' && !isSafe
}

type Run<B extends TSchema, Q extends TSchema, R> = (call: Call<Static<B>, Static<Q>>) => Promise<R>

/** Runs the action. A POST answers what its one transaction returned: it is stored there. */
type Action<B extends TSchema, Q extends TSchema, R> =
  | { method: Exclude<Method, 'POST'>; isSafe?: undefined; run: Run<B, Q, R> }
  /** It changes nothing, or is idempotent by itself; it ignores `Idempotency-Key`. */
  | { method: 'POST'; isSafe: true; run: Run<B, Q, R> }
  | { method: 'POST'; isSafe?: undefined; run: Run<B, Q, Committed<R & object>> }

/** A route whose types have been checked. */
export type ApiRoute = Definition<TSchema, TSchema, unknown> & {
  method: Method
  isSafe?: true
  run: Run<TSchema, TSchema, unknown>
}

/** Checks that schemas, action and response fit together, and erases their types. */
export function route<B extends TSchema, Q extends TSchema, R>(definition: Definition<B, Q, R> & Action<B, Q, R>): ApiRoute {
  return definition as unknown as ApiRoute
}
