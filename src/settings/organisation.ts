/** What the organisation says of itself; every page and mail asks here. */
import type { Db, Tx } from '../db/open.ts'
import { allSettings, saveSetting } from './queries.ts'

export interface Organisation {
  name: string
  /** Whom a recipient can ask; an e-mail address. */
  contact: string | undefined
  timeZone: string
}

const UNNAMED = 'Signet'

export async function organisation(db: Db | Tx): Promise<Organisation> {
  const settings = await allSettings(db)
  return {
    name: settings.get('organisation.name') ?? UNNAMED,
    contact: settings.get('organisation.contact'),
    timeZone: settings.get('organisation.timeZone') ?? 'UTC',
  }
}

export async function saveOrganisation(tx: Tx, { name, contact, timeZone }: Organisation): Promise<void> {
  await saveSetting(tx, 'organisation.name', name)
  if (contact) await saveSetting(tx, 'organisation.contact', contact)
  await saveSetting(tx, 'organisation.timeZone', timeZone)
}
