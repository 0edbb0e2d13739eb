/** What is asked and compared when all failures have ended and time has passed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from './client.ts'
import { Follower } from './follower.ts'
import type { Model } from './model.ts'
import type { Receiver } from './network.ts'
import type { People } from './people.ts'

interface Asked {
  model: Model
  people: People
  program: Client
  follower: Follower
  receiver: Receiver
  /** One for each node, which asks it alone; none where there is one machine. */
  ofNodes: readonly Client[]
}

export async function checkAll({ model, people, program, follower, receiver, ofNodes }: Asked): Promise<void> {
  await people.readAll()
  const listed = await program.ask('GET', '/documents?limit=100')
  if (listed) model.checkList(listed.body.data)
  const feeds = await Promise.all(ofNodes.map(client => feedOf(client, model)))
  await follower.poll()
  model.checkFeed(follower.events)
  model.checkDeliveries(receiver, follower.events)
  feeds.forEach(({ events, byCursor }, i) => {
    const where = ofNodes[i]?.name ?? ''
    model.checkOrder(follower.events, events, where)
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

/** What retention has erased is in no byte of a data folder that no process uses. */
export function checkBytes(folder: string, model: Model): void {
  const erased = model.documents.filter(({ id }) => id !== undefined && model.erased.has(id))
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name))
    for (const { title, recipients } of erased) {
      const found = [title, ...recipients.map(({ email }) => email)].find(word => bytes.includes(word))
      if (found !== undefined) model.violate(`“${title}” was erased, and ${name} contains ${found}`)
    }
  }
}
