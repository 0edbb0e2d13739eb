/** A time-stamp authority, whose certificates end within a run, with its failures. */
import { createPrivateKey } from 'node:crypto'
import type { OutgoingRequest, SendResult } from '../../src/lib/fetch-limited.ts'
import { daysInMs, type RotatingAuthority, rotatingAuthority } from '../support/rotating-tsa.ts'
import { Chance } from './chance.ts'
import { RSA_KEYS } from './keys.ts'
import { answer, silenceOf } from './network.ts'
import type { Life, World } from './world.ts'

export const AUTHORITY_WAYS = ['stamps', 'fails', 'silent', 'slow', 'stamps another digest'] as const
export type AuthorityWay = (typeof AUTHORITY_WAYS)[number]

const HOST = 'http://127.0.0.2:9'
/** So that a run of a month meets renewals, and an authority that takes its next one late. */
const CERTIFICATE_DAYS = 20
const ROTATES_BEFORE_END_DAYS = 1

const keyOf = (index: number) =>
  createPrivateKey({ key: Buffer.from(RSA_KEYS[index] ?? '', 'base64'), format: 'der', type: 'pkcs8' })

export class Authority {
  static readonly url = `${HOST}/tsa`
  way: AuthorityWay = 'stamps'
  /** True times of the tokens. */
  readonly tokensAtMs: number[] = []
  readonly #authority: RotatingAuthority

  constructor(readonly world: World) {
    const chance = new Chance(world.chance.below(2 ** 31), 'authority')
    const keys = { own: keyOf(2), root: keyOf(3), random: (bytes: number) => chance.bytes(bytes) }
    const rotation = { days: CERTIFICATE_DAYS, rotatesBeforeEndMs: daysInMs(ROTATES_BEFORE_END_DAYS) }
    this.#authority = rotatingAuthority({ now: () => new Date(world.nowMs), ...rotation }, () => `${HOST}/root.crl`, keys)
  }

  /** PEM. */
  get root(): string {
    return this.#authority.root
  }

  isAskedBy({ url }: OutgoingRequest): boolean {
    return url.startsWith(HOST)
  }

  async send(life: Life, outgoing: OutgoingRequest): Promise<SendResult> {
    const { world, way } = this
    await world.wait(life, `${outgoing.method} to the authority`)
    if (way === 'slow') await world.sleep(life, world.chance.between(500, outgoing.totalTimeoutMs - 1))
    if (way === 'silent') {
      await world.sleep(life, outgoing.totalTimeoutMs)
      return silenceOf(outgoing)
    }
    if (way === 'fails') return answer(503)
    const body = outgoing.method === 'GET' ? this.#authority.list() : this.#stamp(outgoing.body)
    await world.wait(life, 'answer of the authority')
    return answer(200, body, { 'content-type': 'application/timestamp-reply' })
  }

  #stamp(body: OutgoingRequest['body']): Uint8Array {
    const request = Buffer.from(body ?? '')
    // The digest is in the middle of the request.
    if (this.way === 'stamps another digest') request[30] = (request[30] ?? 0) ^ 1
    this.tokensAtMs.push(this.world.nowMs)
    return this.#authority.answer(request)
  }
}
