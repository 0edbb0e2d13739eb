/** Entries of the audit log in words: who did what to what, and from where. */
import { type ChainEvent, chainEvent } from '../../../audit/log.ts'
import { type EntryNames, entryNames } from '../../../audit/name-queries.ts'
import { eventsOfTypes } from '../../../audit/queries.ts'
import { isAlertKind } from '../../../core/alert.ts'
import type { Json } from '../../../core/document/event.ts'
import { maySign, type Role } from '../../../core/signing/routing.ts'
import { recipientNameAt } from '../../../documents/lifecycle/correct-recipient.ts'
import { deviceOfUserAgent } from '../../../lib/user-agent.ts'
import type { AppTexts } from '../../../locales/app.ts'
import type { EntryFacts } from '../../../locales/en/app/audit-events.ts'
import type { App } from '../../../ports.ts'

export interface DescribedEntry {
  event: ChainEvent
  /** The actor. */
  who: string
  /** The kind of entry. */
  kind: string
  sentence: string
  /** The title, while the document exists. */
  title: string | undefined
}

interface Options {
  texts: AppTexts
  language: string
}

/** Correct names change with time: these tell of the persons before. */
const RENAMINGS = ['recipient.corrected', 'recipient.delegated', 'recipient.handed_over']

export async function describeEntries(app: App, events: ChainEvent[], options: Options): Promise<DescribedEntry[]> {
  const ids = (prefix: string) => [
    ...new Set(
      events.flatMap(({ actor, recipientId, data }) =>
        [actor.split(':')[1], recipientId, data.userId, data.keyId, data.from, data.to].filter(
          (id): id is string => typeof id === 'string' && id.startsWith(prefix),
        ),
      ),
    ),
  ]
  const documents = [...new Set(events.flatMap(({ documentId }) => documentId ?? []))]
  const names = await entryNames(app.db, { users: ids('usr_'), keys: ids('key_'), recipients: ids('rcp_'), documents })
  const renamings = (await eventsOfTypes(app.db, documents, RENAMINGS)).map(chainEvent)
  return events.map(event => described(event, { names, renamings, ...options }))
}

interface Known extends Options {
  names: EntryNames
  renamings: ChainEvent[]
}

function described(event: ChainEvent, known: Known): DescribedEntry {
  const { audit } = known.texts
  const title = event.documentId === undefined ? undefined : known.names.documents.get(event.documentId)
  const facts = factsOf(event, title, known)
  const words = Object.hasOwn(audit.events, event.type) ? audit.events[event.type as keyof typeof audit.events] : undefined
  const [kind, sentence] = words ? [words[0], words[1](facts)] : [event.type, audit.unknownEvent(facts.who, event.type)]
  // Words in the middle of one sentence begin another.
  return { event, who: capitalized(facts.who), kind, sentence: capitalized(sentence), title }
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function factsOf(event: ChainEvent, title: string | undefined, known: Known): EntryFacts {
  const { texts, names } = known
  const { audit } = texts
  const recipient = event.recipientId === null ? undefined : names.recipients.get(event.recipientId)
  const nameIn = (map: Map<string, string>, id: Json | undefined) => (typeof id === 'string' ? map.get(id) : undefined)
  return {
    who: whoOf(event, known),
    document: documentName(event, title, audit),
    recipient: recipientName(event.recipientId, event, known) ?? audit.actors.someone,
    isApproval: recipient !== undefined && !maySign(recipient.role as Role),
    giver: partyOf(event.data.from === undefined ? event.data.userId : event.data.from, known) ?? '',
    receiver: partyOf(event.data.to, known) ?? audit.actors.someone,
    user: nameIn(names.users, event.data.userId) ?? personalName(event) ?? audit.actors.someone,
    key: nameIn(names.keys, event.data.keyId) ?? '',
    methods: methodsOf(event, texts),
    device: texts.signIn.profile.device(...deviceOf(event)),
    text: member => textOf(event, member, known),
  }
}

/** Of a hand-over; `undefined` if the entry names nobody. */
function partyOf(id: Json | undefined, { names, texts }: Known): string | undefined {
  return typeof id === 'string' ? (names.users.get(id) ?? texts.audit.actors.formerUser) : undefined
}

function documentName({ documentId }: ChainEvent, title: string | undefined, audit: AppTexts['audit']): string {
  const isTemplate = documentId?.startsWith('tpl_')
  if (title === undefined) return isTemplate ? audit.deletedTemplate : audit.deletedDocument
  if (title === '') return audit.untitled
  return isTemplate ? audit.template(title) : audit.document(title)
}

function methodsOf({ data }: ChainEvent, { signIn }: AppTexts): string {
  const names: Record<string, string> = signIn.profile.methods
  return Array.isArray(data.methods) ? data.methods.map(method => names[String(method)] ?? String(method)).join(' + ') : ''
}

function deviceOf({ userAgent }: ChainEvent): [browser: string | undefined, system: string | undefined] {
  const { browser, system } = deviceOfUserAgent(userAgent)
  return [browser, system]
}

/** Of somebody who was invited or removed. */
function personalName({ personal }: ChainEvent): string | undefined {
  return typeof personal?.name === 'string' ? personal.name : undefined
}

function recipientName(id: string | null | undefined, event: ChainEvent, { names, renamings }: Known): string | undefined {
  const recipient = names.recipients.get(id ?? '')
  if (!recipient) return undefined
  return recipientNameAt(recipient, renamings, event) || recipient.email || undefined
}

function whoOf(event: ChainEvent, known: Known): string {
  const { actors } = known.texts.audit
  const [kind, id = ''] = event.actor.split(':')
  switch (kind) {
    case 'user':
      return known.names.users.get(id) ?? actors.formerUser
    case 'key': {
      const name = known.names.keys.get(id)
      return name === undefined ? actors.formerKey : actors.key(name)
    }
    case 'recipient':
      return recipientName(id, event, known) ?? actors.recipient
    case 'system':
      return actors.system
    case 'command-line':
      return actors.commandLine
    default:
      return actors.someone
  }
}

function textOf({ type, data, personal }: ChainEvent, member: string, { texts, language }: Known): string {
  const value = personal?.[member] ?? data[member]
  if (typeof value === 'number') return value.toLocaleString(language)
  if (typeof value !== 'string') return ''
  if (type === 'alert.raised' || type === 'sign_in.refused') return texts.storedText(value)
  return type === 'alert.ended' ? (isAlertKind(value) ? texts.alerts.kinds[value] : value) : value
}
