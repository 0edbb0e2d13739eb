/** The systemd service: what is installed, kept and refused, and how exposed the unit is. */
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireNamedFolder } from '../../src/cli/restore.ts'
import { describeStep, type Found, planProblem, stepsOf } from '../../src/cli/service.ts'
import { differences, readPlan, SERVICE_FLAG_MEANINGS, SERVICE_FLAGS } from '../../src/cli/service-plan.ts'
import { runCommand } from '../../src/cli/service-run.ts'
import { ENVIRONMENT_PATH, environmentText, readEnvironment, UNIT_PATH, unitText } from '../../src/cli/service-unit.ts'
import { parseFlags } from '../../src/cli/verb.ts'

const NOTHING = { unit: undefined, environment: undefined }
const BASE = '--base-url=https://sign.example.com'
const given = (...args: string[]) => parseFlags(args, SERVICE_FLAGS)
const planOf = (...args: string[]) => readPlan(given(BASE, ...args), NOTHING)

/** A machine on which nothing is installed. */
const FRESH: Found = {
  ...NOTHING,
  uid: undefined,
  hasMasterKeyFile: false,
  data: undefined,
  missingFolders: [],
  self: '/home/ada/signet',
  isExecutableCurrent: false,
}

describe('the plan', () => {
  test('of no flags but the address is a production service behind a proxy on this machine', () => {
    const plan = planOf()
    expect(plan).toMatchObject({ user: 'signet', dataFolder: '/var/lib/signet', executable: '/usr/local/bin/signet' })
    expect(readEnvironment(environmentText(plan))).toEqual({
      SIGNET_BASE_URL: 'https://sign.example.com',
      SIGNET_ENVIRONMENT: 'production',
      SIGNET_TRUST_PROXY: '127.0.0.1/32',
    })
    expect(readEnvironment(environmentText(readPlan(given('--base-url=http://10.0.0.2:3000'), NOTHING)))).not.toHaveProperty(
      'SIGNET_TRUST_PROXY',
    )
  })

  test('keeps the flags of the installed unit that are not given again', () => {
    const first = planOf('--user=esign', '--data=/srv/esign', '--master-key=/etc/signet/master.key', '--writable=/backup')
    const installed = { unit: unitText(first), environment: environmentText(first) }
    expect(unitText(readPlan(given(), installed))).toBe(unitText(first))
    expect(readPlan(given('--data=/srv/other', '--writable=/a', '--writable=/b'), installed)).toMatchObject({
      user: 'esign',
      dataFolder: '/srv/other',
      writable: ['/a', '/b'],
    })
  })

  test.each([
    [['--user=root'], 'does not run as root'],
    [['--user=A b'], 'name of a system user'],
    [['--host=0.0.0.0\nLD_PRELOAD=/tmp/x.so'], 'one line without quotation marks'],
    [['--environment=production\\'], 'one line without quotation marks'],
    [['--data=/srv/a\nUser=root'], 'must be an absolute path'],
    [['--data=/srv/%h'], 'must be an absolute path'],
    [['--data=data'], 'must be an absolute path'],
    [['--data=/srv/a b'], 'must be an absolute path'],
    [['--data=/srv/../root'], 'must be an absolute path'],
    [['--data=/home/ada/data'], 'the unit hides that folder'],
    [['--writable=/tmp'], 'the unit hides that folder'],
    [['--executable=/root/signet'], 'the unit hides that folder'],
    [['--port=443'], 'SIGNET_PORT: 443 needs rights'],
    [['--trust-proxy=10.0.0.0/99'], 'SIGNET_TRUST_PROXY'],
  ])('%j is refused before anything is changed', (args, message) => {
    expect(() => planOf(...args)).toThrow(message)
  })

  test('needs the public address, of a flag or of the installed settings', () => {
    expect(() => readPlan(given(), NOTHING)).toThrow('--base-url is needed')
    expect(() => readPlan(given(), { unit: undefined, environment: 'SIGNET_BASE_URL="https://a.example"\n' })).not.toThrow()
    expect(() => readPlan(given(), { unit: undefined, environment: 'SIGNET_BASE_URL=a.example\n' })).toThrow('SIGNET_BASE_URL')
  })
})

test('each flag is explained', () => {
  expect(Object.keys(SERVICE_FLAG_MEANINGS).sort()).toEqual(Object.keys(SERVICE_FLAGS).sort())
})

describe('an installation', () => {
  const lines = (found: Partial<Found>, ...args: string[]) => stepsOf(planOf(...args), { ...FRESH, ...found }).map(describeStep)

  test('makes what is missing, in an order in which each step finds what it needs', () => {
    expect(lines({ missingFolders: ['/backup'] }, '--master-key=/etc/signet/master.key', '--writable=/backup')).toEqual([
      'useradd --system --user-group --home-dir /var/lib/signet --no-create-home --shell /usr/sbin/nologin signet',
      'install -d -m 700 -o signet -g signet /var/lib/signet',
      'install -d -m 700 -o signet -g signet /backup',
      'install -d -m 700 /etc/signet',
      'make /etc/signet/master.key, mode 600: 32 random bytes',
      `write ${ENVIRONMENT_PATH}, mode 600`,
      'copy /home/ada/signet to /usr/local/bin/signet, mode 755',
      `write ${UNIT_PATH}, mode 644`,
      'systemctl daemon-reload',
      'systemctl enable --quiet signet',
    ])
  })

  test('that is repeated writes nothing', () => {
    const plan = planOf('--master-key=/etc/signet/master.key')
    const installed: Partial<Found> = {
      uid: 997,
      unit: unitText(plan),
      environment: environmentText(plan),
      hasMasterKeyFile: true,
      data: { uid: 997, hasDatabase: true, hasKey: false },
      isExecutableCurrent: true,
    }
    const kinds = stepsOf(plan, { ...FRESH, ...installed }).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['run']))
    expect(lines({ ...installed }, '--master-key=/etc/signet/master.key').join('\n')).not.toMatch(/useradd|daemon-reload/)
  })

  test('uses the executable where it is when that is its place', () => {
    expect(lines({}, '--executable=/home2/signet').filter(line => line.startsWith('copy'))).toHaveLength(1)
    expect(lines({ self: '/opt/signet' }, '--executable=/opt/signet').filter(line => line.startsWith('copy'))).toEqual([])
  })

  test('never overwrites settings, and names those that a flag wants otherwise', () => {
    const environment = 'SIGNET_BASE_URL=https://old.example\nSIGNET_ENVIRONMENT=staging\nSIGNET_SMTP_URL=smtp://a:b@mail\n'
    expect(lines({ environment }).filter(line => line.includes(ENVIRONMENT_PATH))).toEqual([`chmod 600 ${ENVIRONMENT_PATH}`])
    expect(differences(planOf(), given(BASE), environment)).toEqual(['SIGNET_BASE_URL=https://sign.example.com'])
    expect(differences(planOf(), given(), environment)).toEqual([])
  })

  test('keeps a unit that somebody changed beside the new one', () => {
    const written = lines({ unit: '[Service]\n' })
    expect(written).toContain(`write ${UNIT_PATH}.before, mode 644`)
    expect(lines({ unit: unitText(planOf()) }).join('\n')).not.toContain(UNIT_PATH)
  })

  test('is refused on data of another user, or whose master key would be a new one', () => {
    const data = { uid: 997, hasDatabase: true, hasKey: true }
    const key = '--master-key=/etc/signet/master.key'
    const problem = (found: Partial<Found>, ...args: string[]) => planProblem(planOf(...args), { ...FRESH, ...found })
    expect(problem({})).toBeUndefined()
    expect(problem({ uid: 997, data })).toBeUndefined()
    expect(problem({ uid: 998, data })).toContain('chown -R signet: /var/lib/signet')
    expect(problem({ data: { ...data, uid: 0 } })).toContain('useradd --system signet')
    expect(problem({ uid: 997, data }, key)).toContain(
      'install -m 600 -o root /var/lib/signet/keys/master.key /etc/signet/master.key',
    )
    expect(problem({ uid: 997, data: { ...data, hasKey: false } }, key)).toContain('was made with a master key')
    expect(problem({ uid: 997, data, hasMasterKeyFile: true }, key)).toBeUndefined()
  })

  test('lets other verbs run as the service does', () => {
    const command = runCommand(planOf('--master-key=/etc/signet/master.key'), ['doctor', '--json'], 'signet-run-7').join(' ')
    expect(command).toContain('--property=User=signet --property=EnvironmentFile=/etc/signet/signet.env')
    expect(command).toContain('--property=LoadCredential=master.key:/etc/signet/master.key')
    expect(command).toContain('SIGNET_MASTER_KEY_FILE=/run/credentials/signet-run-7.service/master.key')
    expect(command).toEndWith('/usr/local/bin/signet doctor --json')
  })
})

describe('a restore on a machine with the service', () => {
  const unit = unitText(planOf('--data=/srv/esign'))
  const asked = (args: string[], env = {}, installed: string | undefined = unit) => {
    return () => requireNamedFolder(parseFlags(args, { '--data': 'value' }), env, installed)
  }

  test('is not made into ./data, which nobody would serve', () => {
    expect(asked(['x.age'])).toThrow('with its data in /srv/esign: to restore that, run signet service run restore')
  })

  test('is made into a folder that is named', () => {
    expect(asked(['x.age', '--data=data'])).not.toThrow()
    expect(asked(['x.age'], { SIGNET_DATA: '/srv/other' })).not.toThrow()
    expect(() => requireNamedFolder(parseFlags(['x.age'], {}), {}, undefined)).not.toThrow()
  })
})

describe('the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-unit-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'signet.service')
  const analyze = Bun.which('systemd-analyze')
  if (analyze === null) console.log('systemd-analyze is not here: the exposure of the unit was not measured.')

  test('has the path of the folders, the key by systemd alone, and no memory protection that disables the filter', () => {
    const unit = unitText(planOf('--data=/srv/esign', '--writable=/backup', '--master-key=/etc/signet/master.key'))
    expect(unit).toContain('\nReadWritePaths=/srv/esign /backup\n')
    expect(unit).toContain('\nLoadCredential=master.key:/etc/signet/master.key\n')
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m)
    expect(unit).toMatch(/^SystemCallFilter=@system-service seccomp$/m)
    expect(unitText(planOf())).not.toContain('LoadCredential')
  })

  test.skipIf(analyze === null)('is rated at most 2.0 by systemd-analyze security, and systemd knows each line', () => {
    // The program must exist for `verify`.
    writeFileSync(path, unitText(planOf('--executable=/bin/sh', '--master-key=/etc/signet/master.key')))
    const rated = Bun.spawnSync(['systemd-analyze', 'security', '--no-pager', '--offline=true', path])
    const rating = /Overall exposure level for \S+: ([\d.]+)/.exec(String(rated.stdout))?.[1]
    console.log(`systemd-analyze security: exposure level ${rating}`)
    expect(Number(rating)).toBeLessThanOrEqual(2)
    expect(String(Bun.spawnSync(['systemd-analyze', 'verify', path]).stderr)).not.toMatch(/signet\.service/)
  })
})
