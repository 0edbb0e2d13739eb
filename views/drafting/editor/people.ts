/** Colours, initials and names of the people of a draft, the sender among them. */
import { initialsOf, personClass } from '../../parts/initials.ts'
import type { Person } from './model.ts'
import { personName } from './names.ts'
import type { EditorSession } from './session.ts'
import type { EditorTexts } from './texts.ts'

/** The fifth person and later have dashed borders: not everybody distinguishes all colours. */
const DASHED_FROM = 4

export function personClassOf(session: EditorSession, id: string): string {
  if (session.person(id)?.role === 'sender') return 'person-sender'
  const index = session.personIndex(id)
  return `${personClass(Math.max(0, index))}${index >= DASHED_FROM ? ' dashed' : ''}`
}

/** Of a person without a name the place among the recipients. */
export function signOf(session: EditorSession, person: Person, texts: EditorTexts): string {
  const name = person.role === 'sender' ? personName(person, texts) : person.name
  return initialsOf(name) || String(session.personIndex(person.id) + 1)
}
