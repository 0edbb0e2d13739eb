/** What is asked and compared when all failures have ended and time has passed. */
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
