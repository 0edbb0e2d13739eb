/** The page of the API reference, made of the OpenAPI document. */
import { DesignPage } from '../../../../views/reference/design.tsx'
import { type Member, type OperationProps, ReferencePage } from '../../../../views/reference/reference.tsx'
import { chooseAppLanguage } from '../../../core/language.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { appTextsOf } from '../../../locales/app.ts'
import type { openApi } from '../../api/reference/openapi.ts'
import { assetPath } from '../../assets.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'

export async function getDesign({ app, query, context, language: own }: Visit): Promise<PageResponse> {
  if (app.instance.isProduction) throw new Refusal('not_found', violation('nothing_here'))
  const language = chooseAppLanguage(query.language ?? own, null)
  return { html: <DesignPage context={{ ...context('Design'), language, texts: appTextsOf(language) }} /> }
}

type OpenApi = ReturnType<typeof openApi>

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
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
}

type Responses = Record<string, { description: string; content?: Record<string, { schema?: Schema; example?: unknown }> }>

/** An operation whose references are resolved. */
interface Operation extends Omit<OpenApi['paths'][string][string], 'parameters' | 'responses'> {
  parameters: { name: string; in: string; description?: string; schema: Schema }[]
  responses: Responses
}

/** A copy of `value` with the components in place of the references to them. */
function resolveReferences(value: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map(item => resolveReferences(item, components))
  if (typeof value !== 'object' || value === null) return value
  const [, kind = '', name = ''] = ('$ref' in value && /^#\/components\/(\w+)\/(.+)$/.exec(String(value.$ref))) || []
  if (name) return resolveReferences((components[kind] as Record<string, unknown>)[name], components)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolveReferences(member, components)]))
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map(value => `"${value}"`).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`
  return schema.format ?? schema.type ?? 'any'
}

/** The one schema beside `null`, which every optional member of a request accepts. */
function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 && others[0] ? withoutNull(others[0]) : schema
}

const limitsIn: [keyof Schema, (limit: unknown) => string][] = [
  ['minimum', limit => `At least ${limit}.`],
  ['maximum', limit => `At most ${limit}.`],
  ['minLength', limit => (limit === 1 ? 'Not empty.' : `At least ${limit} characters.`)],
  ['maxLength', limit => `At most ${limit} characters.`],
  ['minItems', limit => `At least ${limit} of them.`],
  ['maxItems', limit => `At most ${limit} of them.`],
  ['maxProperties', limit => `At most ${limit} of them.`],
]

function meaningOf(given: Schema): string {
  const schema = withoutNull(given)
  const { anyOf = [] } = schema
  const limits = limitsIn.flatMap(([name, words]) => (schema[name] === undefined ? [] : [words(schema[name])]))
  const description = given.description ?? schema.description ?? anyOf.find(member => member.description)?.description ?? ''
  return [description, ...limits].filter(Boolean).join(' ')
}

/** Every member of a schema by its path, nested members after their parent. */
function membersOf(given: Schema | undefined, prefix = ''): Member[] {
  const [schema = given, ...others] = given?.anyOf?.filter(({ type }) => type === 'object' || type === 'array') ?? []
  if (others.length > 0) return membersOfAll([schema, ...others], prefix)
  if (schema?.type === 'array') return membersOf(schema.items, `${prefix}[]`)
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix ? `${prefix}.${name}` : name
    const isRequired = schema?.required?.includes(name) ?? false
    return [{ path, type: typeOf(member), isRequired, meaning: meaningOf(member) }, ...membersOf(member, path)]
  })
}

/**
 * Of schemas of which one is meant: what each that has a member requires is required. Beside a
 * member that not all have is named what takes its place.
 */
function membersOfAll(schemas: (Schema | undefined)[], prefix: string): Member[] {
  const lists = schemas.map(schema => membersOf(schema, prefix))
  const all = new Map(lists.flat().map(member => [member.path, member]))
  const listsWith = (path: string) => lists.filter(list => list.some(member => member.path === path))
  const isTop = (path: string) => !/[.[]/.test(prefix ? path.slice(prefix.length + 1) : path)
  return [...all.values()].map(member => {
    const having = listsWith(member.path)
    const lacking = lists.filter(list => !having.includes(list))
    const instead = lacking
      .flat()
      .filter(({ path, isRequired }) => isRequired && isTop(path) && having.every(list => !listsWith(path).includes(list)))
    const names = [...new Set(instead.map(({ path }) => `\`${path}\``))].join(', ')
    const meaning = names !== '' && isTop(member.path) ? `${member.meaning} Or ${names}.`.trim() : member.meaning
    return {
      ...member,
      isRequired: having.every(list => list.some(each => each.path === member.path && each.isRequired)),
      meaning,
    }
  })
}

function propsOf(method: string, path: string, operation: Operation): OperationProps {
  const { operationId, summary, description, tags, security, parameters, requestBody, responses } = operation
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    summary,
    description,
    scope: security[0]?.apiKey[0],
    parameters: parameters.map(({ name, in: location, schema, description = '' }) => ({
      name,
      location,
      meaning: `${typeOf(schema)}. ${description} ${meaningOf(schema)}`,
    })),
    body: membersOf(requestBody?.content['application/json'].schema),
    samples: operation['x-codeSamples'],
    responses: Object.entries(responses).map(([status, { description, content }]) => {
      const { schema, example } = content?.['application/json'] ?? {}
      return {
        status,
        description,
        members: membersOf(schema),
        example: example === undefined ? undefined : JSON.stringify(example, null, 2),
      }
    }),
  }
}

/** `describe` makes the document; called at a visit, not before. */
export function referencePage(describe: () => OpenApi): PageRoute {
  return {
    method: 'GET',
    path: '/api/v1/docs',
    access: 'public',
    isFixed: true,
    run: async visit => {
      const document = describe()
      const paths = resolveReferences(document.paths, document.components) as Record<string, Record<string, Operation>>
      const operations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => propsOf(method, path, operation)),
      )
      const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
        type,
        summary: post.summary,
        example: JSON.stringify(post.requestBody.content['application/json'].example, null, 2),
      }))
      const props = {
        base: document.servers[0]?.url ?? '',
        guide: document.info.description,
        tags: document.tags,
        operations,
        events,
      }
      const assets = { style: assetPath('reference.css'), script: assetPath('reference.js') }
      return { html: <ReferencePage context={visit.context('API reference')} {...props} {...assets} /> }
    },
  }
}
