/** Changes of documents are published after their commit, and only then. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import type { DocumentChange } from '../../src/db/change-feed.ts'
import { InProcessChangeFeed, PolledChangeFeed } from '../../src/db/change-feed.ts'
import type { Tx } from '../../src/db/open.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { ADA, newDocument } from '../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

describe('the feed', () => {
  const change = (documentId: string, version: number): DocumentChange => ({ documentId, ownerId: undefined, version })

  test('publishes the last change of each document of a transaction, once it is committed', async () => {
    const feed = new InProcessChangeFeed(THIS_MACHINE.random)
    const seen: (DocumentChange | 'missed')[] = []
    feed.subscribe(c => seen.push(c))
    const tx = {} as Tx
    await feed.note(tx, change('doc_a', 1))
    await feed.note(tx, change('doc_b', 1))
    await feed.note(tx, change('doc_a', 2))
    expect(seen).toEqual([])
    feed.committed(tx)
    feed.committed(tx)
    expect(seen).toEqual([change('doc_a', 2), change('doc_b', 1)])
  })

  test('tells a subscriber nothing after the end of its subscription, and its position differs after each change', async () => {
    const feed = new InProcessChangeFeed(THIS_MACHINE.random)
    let count = 0
    const listener = () => void count++
    const { end } = feed.subscribe(listener)
    feed.subscribe(listener)
    const positions = new Set([await feed.position(), await new InProcessChangeFeed(THIS_MACHINE.random).position()])
    for (const version of [1, 2]) {
      const tx = {} as Tx
      await feed.note(tx, change('doc_a', version))
      feed.committed(tx)
      positions.add(await feed.position())
      end()
    }
    expect(count).toBe(3)
    expect(positions.size).toBe(4)
  })
})

describe('an instance', () => {
  let t: TestApp
  let seen: DocumentChange[]
  beforeEach(async () => {
    t = await openTestApp()
    seen = []
    t.app.changes.subscribe(change => {
      if (change === 'missed') throw new Error('a change was missed')
      seen.push(change)
    })
    // Rows before the first look at them are not published.
    await arrived()
  })
  afterEach(() => t.close())

  /** Changes that are read from rows arrive a little later. */
  const arrived = async () => t.app.changes instanceof PolledChangeFeed && t.app.changes.poll()

  /** The changes since the last call, each with the version that the database has now. */
  async function published(id: string): Promise<number> {
    await arrived()
    const row = await t.app.db.selectFrom('documents').select('version').where('id', '=', id).executeTakeFirst()
    const own = seen.splice(0).filter(change => change.documentId === id)
    expect(own.at(-1)?.version).toBe(row?.version)
    return own.length
  }

  test('publishes creation, sending, mail outcomes, viewing, signing, sealing, reminders and deletion', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument())
    const id: string = body.id
    expect(await published(id)).toBe(1)
    await t.api('POST', `/documents/${id}/send`)
    expect(await published(id)).toBe(1)
    await t.drain()
    expect(await published(id)).toBeGreaterThan(0)
    t.clock.pass({ hours: 2 })
    await t.api('POST', `/documents/${id}/remind`)
    expect(await published(id)).toBe(1)
    await t.drain()
    await arrived()
    seen.length = 0
    await openLinkAs(t, ADA.email)
    expect(await published(id)).toBe(1)
    await signAs(t, ADA.email, 'Ada Lovelace')
    expect(await published(id)).toBeGreaterThan(0)
    const { body: sealing } = await t.api('GET', `/documents/${id}`)
    for (const recipient of sealing.recipients.slice(1)) await signAs(t, recipient.email, recipient.name)
    await arrived()
    seen.length = 0
    await t.drain()
    expect(await published(id)).toBeGreaterThan(0)
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    await t.api('DELETE', `/documents/${id}`)
    await arrived()
    expect(seen).toEqual([{ documentId: id, ownerId: undefined, version: undefined }])
  })

  test('publishes nothing for a transaction that is rolled back, nor for changes of other things', async () => {
    const id = await sentDocument(t)
    await arrived()
    seen.length = 0
    const noted = t.app.changes.note.bind(t.app.changes)
    t.app.changes.note = async (tx, change) => {
      await noted(tx, change)
      throw new Error('the end of this transaction')
    }
    expect((await t.api('POST', `/documents/${id}/void`, { reason: 'A mistake' })).status).toBe(500)
    t.app.changes.note = noted
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: 'four sound words here' })
    expect((await t.api('POST', `/documents/${id}/void`, {})).status).toBe(422)
    await arrived()
    expect(seen).toEqual([])
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sent')
    await t.api('POST', `/documents/${id}/void`, { reason: 'A mistake' })
    expect(await published(id)).toBe(1)
  })
})
