import { describe, expect, spyOn, test } from 'bun:test'
import { passwordError } from '../../src/accounts/password-rule.ts'
import { violation } from '../../src/core/violation.ts'
import { PasswordHasher } from '../../src/lib/password.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

const passwords = new PasswordHasher(THIS_MACHINE.threads)

describe('which passwords are accepted', () => {
  test.each([
    ['eleven char', violation('password_too_short', { min: 12 })],
    ['', violation('password_too_short', { min: 12 })],
    ['😀'.repeat(11), violation('password_too_short', { min: 12 })],
    ['x y'.repeat(100), violation('too_long', { max: 256 })],
    ['password1234', violation('password_common')],
    ['PassWord1234', violation('password_common')],
    ['aaaaaaaaaaaaaaaa', violation('password_common')],
  ])('%j is not: %j', async (password, why) => {
    expect(await passwordError(password)).toEqual(why)
  })

  test.each(['four words make sense', `${'😀'.repeat(6)}smiling!`, `${'a'.repeat(63)}b`, 'no-rules-at-all'])(
    '%j is',
    async password => {
      expect(await passwordError(password)).toBeUndefined()
    },
  )
})

describe('hashes', () => {
  test('are argon2id with the promised cost, salted', async () => {
    const [one, two] = await Promise.all([passwords.hash('four words make sense'), passwords.hash('four words make sense')])
    expect(one).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(one).not.toBe(two)
  })

  test('match only their password', async () => {
    const hash = await passwords.hash('four words make sense')
    expect(await passwords.verify('four words make sense', hash)).toBe(true)
    expect(await passwords.verify('four words make sense ', hash)).toBe(false)
    expect(await passwords.verify('', hash)).toBe(false)
  })

  test('of an unknown account match no password, not even that of the decoy', async () => {
    expect(await passwords.verify('four words make sense', undefined)).toBe(false)
    expect(await passwords.verify('nobody has this password', undefined)).toBe(false)
  })

  test('of an unknown account are verified too, so that the time reveals nothing', async () => {
    const verify = spyOn(Bun.password, 'verify')
    await passwords.verify('four words make sense', undefined)
    expect(verify).toHaveBeenCalledTimes(1)
    verify.mockRestore()
  })

  test('are computed two at a time, and a failing one lets the next one start', async () => {
    let running = 0
    let most = 0
    let calls = 0
    const hash = spyOn(Bun.password, 'hash').mockImplementation((async () => {
      most = Math.max(most, ++running)
      await new Promise<void>(resolve => setImmediate(resolve))
      running--
      if (++calls % 3 === 0) throw new Error('no memory')
      return 'hash'
    }) as never)
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => passwords.hash('x')))
    hash.mockRestore()
    expect(most).toBe(2)
    expect(all.filter(a => a.status === 'rejected')).toHaveLength(4)
  })
})
