/** Saving a draft's fields: order, merging, refusals and lost connections, without a browser. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Draft } from '../../../views/drafting/editor/draft.ts'
import { applyChanges, type EditorField, type Fields } from '../../../views/drafting/editor/model.ts'
import {
  type DraftEdit,
  DraftSaver,
  type MergedDraft,
  type SaveAnswer,
  type SaveState,
} from '../../../views/drafting/editor/save.ts'
import { fieldAt, PEOPLE } from './drafts.ts'

const a = fieldAt('fld_a', { x: 10, y: 10, width: 60, height: 20 })
const b = fieldAt('fld_b', { x: 10, y: 50, width: 60, height: 20 })
const labelled = (field: EditorField, label: string) => ({ ...field, label })
const fieldsOf = (...list: EditorField[]): Fields => new Map(list.map(field => [field.id, field]))

/** A server with one draft, and an editor that shows `shown`. */
class Scene {
  server: Draft = { version: 1, isDraft: true, title: 'Lease', signingOrder: 'parallel', people: PEOPLE, fields: fieldsOf(a, b) }
  shown: Fields = this.server.fields
  posted: DraftEdit[] = []
  beacons: DraftEdit[] = []
  states: SaveState[] = []
  merged: MergedDraft[] = []
  errors: { id: string | undefined; message: string }[] = []
  timers: { ms: number; run: () => void }[] = []
  /** Answers instead of the server. */
  instead: ((edit: DraftEdit) => SaveAnswer | Promise<SaveAnswer> | undefined) | undefined
  isReachable = true
  saver = new DraftSaver({
    draft: this.server,
    fields: () => this.shown,
    post: async edit => {
      this.posted.push(edit)
      const other = await this.instead?.(edit)
      return other ?? this.#answer(edit)
    },
    beacon: edit => void this.beacons.push(edit),
    get: async () => {
      if (!this.isReachable) throw new Error('no connection')
      return this.server
    },
    later: (ms, run) => {
      const timer = { ms, run }
      this.timers.push(timer)
      return () => {
        this.timers = this.timers.filter(other => other !== timer)
      }
    },
    onState: state => void this.states.push(state),
    onMerged: merged => {
      this.merged.push(merged)
      this.shown = merged.fields
    },
    onRefused: errors => void this.errors.push(...errors),
  })

  #answer({ version, fields }: DraftEdit): SaveAnswer {
    if (!this.isReachable) return { kind: 'failed' }
    if (version !== this.server.version) return { kind: 'changed', by: 'Bo' }
    if (fields.length > 0) this.store(this.shown)
    return { kind: 'saved', version: this.server.version }
  }

  /** The server's draft becomes this. */
  store(fields: Fields): void {
    this.server = { ...this.server, version: this.server.version + 1, fields }
  }

  change(field: EditorField): void {
    this.shown = applyChanges(this.shown, [{ id: field.id, before: undefined, after: field }])
    this.saver.noteChange()
  }

  /** The time of the next timer has come. */
  async pass(): Promise<number> {
    const [timer] = this.timers.splice(0, 1)
    timer?.run()
    await this.saver.flush()
    return timer?.ms ?? 0
  }
}

let s: Scene
beforeEach(() => {
  s = new Scene()
})

describe('saving', () => {
  test('changes within half a second are one request, with changed members alone', async () => {
    s.change(labelled(a, 'T'))
    s.change(labelled(a, 'Town'))
    expect(s.posted).toEqual([])
    expect(await s.pass()).toBe(500)
    expect(s.posted).toEqual([{ version: 1, fields: [{ id: 'fld_a', label: 'Town' }] }])
    expect(s.states).toEqual(['saving', 'saved'])
  })

  test('a member that lost its value is cleared, a new field is sent whole, a removed one by its id', async () => {
    s.change(labelled(a, 'Town'))
    await s.saver.flush()
    s.shown = fieldsOf(a, { ...b, id: 'fld_c' })
    await s.saver.flush()
    expect(s.posted[1]?.fields).toEqual([
      { id: 'fld_a', label: null },
      { id: 'fld_b', remove: true },
      expect.objectContaining({ id: 'fld_c', type: 'text', recipientId: b.recipientId, page: 1, required: true }),
    ])
  })

  test('a change back before it was saved sends nothing', async () => {
    s.change(labelled(a, 'Town'))
    s.change(a)
    await s.pass()
    expect(s.posted).toEqual([])
    expect(s.saver.state).toBe('saved')
  })

  test('one request at a time: what changes meanwhile goes with the next, on the new version', async () => {
    const held = Promise.withResolvers<undefined>()
    s.instead = () => held.promise as Promise<never>
    s.change(labelled(a, 'one'))
    const first = s.saver.flush()
    s.change(labelled(a, 'two'))
    void s.saver.flush()
    expect(s.posted).toHaveLength(1)
    s.instead = undefined
    // The server stores what was sent, not what is shown now.
    s.store(fieldsOf(labelled(a, 'one'), b))
    held.resolve({ kind: 'saved', version: 2 } as never)
    await first
    expect(s.posted.map(({ version, fields }) => [version, fields[0]?.label])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ])
  })

  test('the title goes along', async () => {
    s.saver.setTitle('Lease of a flat')
    expect(await s.saver.flush()).toBe(true)
    expect(s.posted).toEqual([{ version: 1, fields: [], title: 'Lease of a flat' }])
  })

  test('a page that is left sends what is unsaved, unless a request is on its way', async () => {
    s.change(labelled(a, 'Town'))
    s.saver.leave()
    expect(s.beacons).toHaveLength(1)
    s.instead = () => new Promise(() => {})
    void s.saver.flush()
    s.saver.leave()
    expect(s.beacons).toHaveLength(1)
  })
})

describe('two people', () => {
  test('changes of different fields are merged and saved, and the other person is named', async () => {
    s.store(fieldsOf(a, labelled(b, 'theirs')))
    s.change(labelled(a, 'mine'))
    expect(await s.saver.flush()).toBe(true)
    expect(s.merged).toMatchObject([{ by: 'Bo', theirs: ['fld_b'], conflicts: [] }])
    expect([...s.server.fields.values()].map(({ label }) => label)).toEqual(['mine', 'theirs'])
    expect(s.saver.state).toBe('saved')
  })

  test('of the same field nothing is overwritten: theirs is shown, mine is offered', async () => {
    s.store(fieldsOf(labelled(a, 'theirs'), b))
    s.change(labelled(a, 'mine'))
    await s.saver.flush()
    expect(s.server.fields.get('fld_a')?.label).toBe('theirs')
    expect(s.merged[0]?.conflicts).toMatchObject([{ id: 'fld_a', after: { label: 'mine' } }])
  })

  test('a change that was announced is fetched, our own is not', async () => {
    s.store(fieldsOf(a, labelled(b, 'theirs')))
    await s.saver.noteVersion(2)
    expect(s.merged).toMatchObject([{ by: 'Bo' }])
    await s.saver.noteVersion(2)
    expect(s.merged).toHaveLength(1)
  })

  test('a version that another window of the same person made in between is fetched too', async () => {
    s.instead = () => {
      s.instead = undefined
      s.server = { ...s.server, version: 3, fields: fieldsOf(labelled(a, 'Town'), labelled(b, 'window')) }
      return { kind: 'saved', version: 3 }
    }
    s.change(labelled(a, 'Town'))
    await s.saver.flush()
    expect(s.shown.get('fld_b')?.label).toBe('window')
  })

  test('a draft that was sent meanwhile closes the editor, and says what was not saved', async () => {
    s.store(fieldsOf(a, b))
    s.server = { ...s.server, isDraft: false }
    s.change(labelled(a, 'mine'))
    expect(await s.saver.flush()).toBe(false)
    expect(s.saver.state).toBe('closed')
    expect(s.saver.pending()).toHaveLength(1)
    s.change(labelled(a, 'more'))
    expect(s.timers).toEqual([])
  })
})

describe('what goes wrong', () => {
  test('without a connection it is repeated with growing pauses, and everything is saved once it is back', async () => {
    s.isReachable = false
    s.change(labelled(a, 'mine'))
    expect(await s.saver.flush()).toBe(false)
    expect(s.saver.state).toBe('offline')
    const pauses: number[] = []
    for (let i = 0; i < 3; i++) pauses.push(s.timers[0]!.ms, await s.pass())
    expect(pauses[0]).toBe(1000)
    expect(pauses.at(-1)).toBeGreaterThan(1000)
    s.isReachable = true
    s.change(labelled(b, 'later'))
    await s.pass()
    expect(s.saver.state).toBe('saved')
    expect(s.server.fields.get('fld_b')?.label).toBe('later')
  })

  test('a refused field keeps its error and does not keep the others from being saved', async () => {
    s.instead = ({ fields }) => {
      const index = fields.findIndex(({ id }) => id === 'fld_a')
      return index < 0 ? undefined : { kind: 'refused', errors: [{ index, message: 'is wrong' }] }
    }
    s.change(labelled(b, 'fine'))
    s.change(labelled(a, 'bad'))
    expect(await s.saver.flush()).toBe(false)
    expect(s.errors).toEqual([{ id: 'fld_a', message: 'is wrong' }])
    expect(s.posted.at(-1)?.fields.map(({ id }) => id)).toEqual(['fld_b'])
    expect(s.saver.state).toBe('refused')
    const before = s.posted.length
    await s.saver.flush()
    expect(s.posted).toHaveLength(before)
    s.instead = undefined
    s.change(labelled(a, 'good'))
    expect(await s.saver.flush()).toBe(true)
  })

  test('signed out: nothing more is sent, nothing is lost', async () => {
    s.instead = () => ({ kind: 'signedOut' })
    s.change(labelled(a, 'mine'))
    expect(await s.saver.flush()).toBe(false)
    expect(s.saver.state).toBe('signedOut')
    expect(s.saver.pending()).toHaveLength(1)
  })
})
