/** The API reference page, drawn from the OpenAPI document. */
import { type Member, type Operation, ReferencePage } from '../../../views/pages/reference.tsx'
import type { openApi } from '../api/openapi.ts'
import type { PageRoute } from '../page.tsx'

interface Schema {
  type?: string
  enum?: string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  description?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
}

interface Detail {
  summary: string
  description?: string
  'x-scope': string
  parameters: { name: string; in: string; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map(word => `"${word}"`).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.type === 'array') return `array of ${schema.items?.properties ? 'objects' : typeOf(schema.items ?? {})}`
  return schema.format ?? schema.type ?? 'any'
}

function meaningOf({ description, minimum, maximum, maxLength }: Schema): string {
  const bounds = [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
  ]
  return [description ?? '', ...bounds].filter(Boolean).join('; ')
}

/** Every member of a schema by its path, nested ones after their parent. */
function membersOf(schema: Schema, prefix = ''): Member[] {
  const inner = schema.anyOf?.find(s => s.properties) ?? schema
  if (inner.type === 'array' && inner.items) return membersOf(inner.items, `${prefix}[]`)
  return Object.entries(inner.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix ? `${prefix}.${name}` : name
    const required = inner.required?.includes(name) ?? false
    return [{ path, type: typeOf(member), required, what: meaningOf(member) }, ...membersOf(member, path)]
  })
}

function operationsOf(document: ReturnType<typeof openApi>): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const detail = raw as unknown as Detail
      return {
        method: method.toUpperCase(),
        path,
        summary: detail.summary,
        description: detail.description,
        scope: detail['x-scope'],
        parameters: detail.parameters.map(p => ({
          name: p.name,
          where: p.in,
          what: [typeOf(p.schema), meaningOf(p.schema), p.description].filter(Boolean).join('; '),
        })),
        body: membersOf(detail.requestBody?.content['application/json']?.schema ?? {}),
        answers: Object.entries(detail.responses).map(([status, { description, content }]) => ({
          status,
          description,
          members: Number(status) < 300 ? membersOf(content?.['application/json']?.schema ?? {}) : [],
        })),
      }
    }),
  )
}

/** `described` gives the document; asked at each visit, not before. */
export function referencePage(described: () => ReturnType<typeof openApi>): PageRoute {
  return {
    method: 'GET',
    path: '/api/v1/docs',
    access: 'public',
    run: async visit => {
      const document = described()
      const base = document.servers[0]?.url ?? ''
      return { html: <ReferencePage context={visit.context('API reference')} base={base} operations={operationsOf(document)} /> }
    },
  }
}
