/** What is asked and compared when all failures have ended and time has passed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Authority } from './authority.ts'
import type { Batches } from './batches.ts'
import type { Client } from './client.ts'
import { checkChanges, checkDeliveries, checkFeed, checkOrder } from './event-checks.ts'
import { Follower } from './follower.ts'
import { checkMails } from './mail-checks.ts'
import type { Model } from './model.ts'
import type { MailServer, Receiver } from './network.ts'
import type { People } from './people.ts'

interface Asked {
  model: Model
  people: People
  batches: Batches
  program: Client
  follower: Follower
  receiver: Receiver
  /** One for each node, which asks it alone; none where there is one machine. */
  ofNodes: readonly Client[]
}

export async function checkAll({ model, people, batches, program, follower, receiver, ofNodes }: Asked): Promise<void> {
  await batches.checkAll()
  await people.readAll()
  const listed = await program.ask('GET', '/documents?limit=100')
  if (listed) model.checkList(listed.body.data)
  const feeds = await Promise.all(ofNodes.map(client => feedOf(client, model)))
  await follower.poll()
  if (listed?.status === 200) follower.compareLast(listed.body.data)
  checkFeed(model, follower.events)
  checkChanges(model, follower.events, follower.byCursor)
  checkDeliveries(model, receiver, follower.events)
  feeds.forEach(({ events, byCursor }, i) => {
    const where = ofNodes[i]?.name ?? ''
    checkOrder(model, follower.events, events, where)
    for (const id of byCursor.keys())
      if (!follower.byCursor.has(id)) model.violate(`who follows by cursor does not know ${id} of ${where}`)
  })
}

/** All that a node shows, from the begin. */
async function feedOf(client: Client, model: Model): Promise<Follower> {
  const follower = new Follower(client, model)
  await follower.poll()
  return follower
}

interface Left {
  model: Model
  mails: MailServer
  receiver: Receiver
  authority: Authority | undefined
  /** Since when nothing is sealed any more. */
  settledMs: number
  /** Nothing has failed in this run. */
  isCalm: boolean
}

/** What the run has left in the database, and with mail servers, receivers and the authority. */
export async function checkLeft({ model, mails, receiver, authority, settledMs, isCalm }: Left): Promise<void> {
  await model.checkLog()
  await model.checkQueues()
  await model.checkBounds()
  checkMails(model, mails)
  if (authority) await model.checkTimestamps(authority, settledMs)
  if (isCalm) checkOnce(model, mails, receiver)
}

/** Where nothing failed, nothing is repeated. */
function checkOnce(model: Model, { received: mails }: MailServer, { received: events }: Receiver): void {
  for (const [what, ids] of [
    ['a mail', mails.map(({ messageId }) => messageId)],
    ['a webhook', events.map(({ id }) => id)],
  ] as const) {
    const repeated = ids.find((id, i) => ids.indexOf(id) < i)
    if (repeated !== undefined) model.violate(`${what} was sent twice, although nothing failed: ${repeated}`)
  }
}

/** What retention has erased is in no byte of a data folder that no process uses. */
export function checkBytes(folder: string, model: Model): void {
  const erased = model.documents.filter(({ id }) => id !== undefined && model.erased.has(id))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name))
    for (const { title, recipients } of erased) {
      const addresses = recipients.flatMap(each => each.addresses.map(({ value }) => value))
      const found = [title, ...addresses].find(word => bytes.includes(word))
      if (found !== undefined) model.violate(`“${title}” was erased, and ${name} contains ${found}`)
    }
  }
}
