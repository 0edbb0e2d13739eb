/** Reads templates by the rights of the actor. `load` of documents never returns one. */
import { type Document, isTemplate } from '../core/document/document.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import type { CachedDocument } from '../documents/cached-document.ts'
import { find, findCached } from '../documents/queries.ts'
import type { Actor } from '../ports.ts'

/** To use it is to read it, to make documents from it and to duplicate it. */
export type TemplateRight = 'use' | 'change'

/** Shared ones for everybody: who may send documents is a right of the route. */
export function mayUse(actor: Actor, template: Document): boolean {
  return isTemplate(template) && (actor.seesAll || template.ownerId === actor.userId || template.isShared)
}

/** The owner and administrators. */
export function mayChange(actor: Actor, template: Document): boolean {
  return isTemplate(template) && (actor.isAdmin || template.ownerId === actor.userId)
}

/** Throws `not_found`, or `forbidden` if the actor may only use it. */
export async function loadTemplate(db: Db | Tx, actor: Actor, id: string, right: TemplateRight): Promise<Document> {
  return permitted(await find(db, id), actor, right)
}

/** As `loadTemplate` to use it, with the JSON texts. */
export async function loadCachedTemplate(db: Db, actor: Actor, id: string): Promise<CachedDocument> {
  const cached = await findCached(db, id)
  permitted(cached?.document, actor, 'use')
  return cached as CachedDocument
}

function permitted(template: Document | undefined, actor: Actor, right: TemplateRight): Document {
  if (template === undefined || !mayUse(actor, template)) throw new Refusal('not_found', violation('template_not_found'))
  if (right === 'change' && !mayChange(actor, template)) throw new Refusal('forbidden', violation('template_of_other'))
  return template
}
