/**
 * Each API call, verb and setting beside the page that does the same, or the reason why none does.
 * `SIGNET_WRITE_TABLES=1` writes the table into src/settings/README.md.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { helpVerb } from '../../src/cli/help.ts'
import type { Verb } from '../../src/cli/verb.ts'
import { SERVICE_SETTING_NAMES, serviceRow } from '../../src/config/service-rows.ts'
import { SETTINGS } from '../../src/config.ts'
import { PAGES } from '../../src/http/page-routes.ts'
import { API_PREFIX, API_ROUTES } from '../../src/http/server.ts'

const ROOT = join(import.meta.dir, '../..')
const FILE = join(ROOT, 'src/settings/README.md')

/** A page by its path, or a reason: a sentence. */
type Places = Record<string, string>

const API: Places = {
  'POST /documents': '/documents/new',
  'GET /documents': '/documents',
  'GET /documents/:id': '/documents/:id',
  'PATCH /documents/:id': '/documents/:id/draft',
  'PATCH /documents/:id/recipients/:recipientId': '/documents/:id/recipients/:recipient/correct',
  'POST /documents/:id/duplicate': '/documents/:id/duplicate',
  'POST /documents/:id/send': '/documents/:id/review',
  'POST /documents/:id/recipients/:recipientId/signing-link': '/documents/:id/recipients/:recipient/signing-link',
  'POST /documents/:id/void': '/documents/:id/void',
  'POST /documents/:id/recipients/:recipientId/unlock': '/documents/:id/recipients/:recipient/unlock',
  'POST /documents/:id/remind': '/documents/:id/remind',
  'POST /documents/:id/legal-hold': '/documents/:id/hold',
  'POST /documents/:id/lift-legal-hold': '/documents/:id/lift-hold',
  'DELETE /documents/:id': '/documents/:id/delete',
  'GET /documents/:id/file': '/documents/:id/file',
  'GET /documents/:id/fields/:fieldId/file': '/documents/:id/fields/:field/file',
  'GET /documents/:id/audit': '/documents/:id',
  'GET /documents/:id/evidence': '/documents/:id/evidence',
  'POST /templates': '/templates/new',
  'GET /templates': '/templates',
  'GET /templates/:id': '/templates/:id',
  'PATCH /templates/:id': '/templates/:id/draft',
  'DELETE /templates/:id': '/templates/:id/delete',
  'GET /templates/:id/file': '/templates/:id/file',
  'POST /templates/:id/duplicate': '/templates/:id/duplicate',
  'POST /templates/:id/documents': '/templates/:id/use',
  'GET /events': 'Programs poll it; a person sees the events in each document and in the audit log.',
  'POST /webhooks': '/settings/webhooks/new',
  'GET /webhooks': '/settings/webhooks',
  'GET /webhooks/:id': '/settings/webhooks/:id',
  'PATCH /webhooks/:id': '/settings/webhooks/:id/edit',
  'DELETE /webhooks/:id': '/settings/webhooks/:id/delete',
  'POST /webhooks/:id/rotate-secret': '/settings/webhooks/:id/rotate',
  'POST /webhooks/:id/test': '/settings/webhooks/:id/test',
  'POST /webhooks/:id/redeliver': '/settings/webhooks/:id/redeliver',
  'GET /webhooks/:id/deliveries': '/settings/webhooks/:id/deliveries',
  'POST /webhooks/:id/deliveries/:deliveryId/redeliver': '/settings/webhooks/:id/deliveries/:deliveryId/redeliver',
  'POST /templates/:id/batches': '/templates/:id/bulk',
  'GET /batches': '/templates/:id/bulk',
  'GET /batches/:id': '/batches/:id',
  'GET /batches/:id/rows': '/batches/:id',
  'POST /batches/:id/stop': '/batches/:id/stop',
  'POST /batches/:id/retry': '/batches/:id/retry',
  'POST /verify': '/verify',
  'GET /me': '/settings/tokens/:id',
}

const VERBS: Places = {
  serve: 'It starts the service that has the pages.',
  'key create': '/settings/tokens',
  'key print': 'No page shows the master key: who has a session of an administrator must not get it.',
  'key rotate-master': 'It needs the service to be stopped on every node.',
  'admin create': '/settings/people/invite',
  'admin reset': '/forgot',
  verify: '/verify',
  'cert show': '/settings/seal',
  'cert renew': '/settings/seal',
  'cert import': '/settings/seal',
  'cert revoke': '/settings/seal',
  doctor: '/settings/health',
  health: 'A container runtime asks it.',
  'service install': 'It is run once, before there is a service.',
  'service print': 'It prints files for an installation by hand.',
  'service run': 'Only the system starts it.',
  'evidence verify': 'It needs no service.',
  'audit verify': '/settings/audit',
  'audit checkpoint': '/settings/audit',
  migrate: 'The service migrates when it starts; the verb does it before.',
  backup: '/settings/backups',
  'backup extract': 'It opens the file of a backup, wherever that lies; the service has not the pass-phrase of each.',
  clock: '/settings/clock',
  restore: 'It replaces the data of a service that is stopped.',
  move: 'It needs the service to be stopped.',
  version: 'It concerns the file, not the service.',
  licences: 'It concerns the file, not the service.',
  help: 'It explains the other verbs.',
}

const AT_START = 'It is needed before the database can be read.'
const MEMORY = 'It bounds the work and memory of a process; a page should not be able to raise it.'

const VARIABLES: Places = {
  SIGNET_DATA: AT_START,
  SIGNET_HOST: AT_START,
  SIGNET_PORT: AT_START,
  SIGNET_BASE_URL: 'A wrong address would lock everybody out of the page that mends it.',
  SIGNET_ENVIRONMENT: 'It is fixed at the first start.',
  SIGNET_DATABASE_URL: AT_START,
  SIGNET_FILES_URL: AT_START,
  SIGNET_FILES_CACHE_MB: 'It belongs to one machine.',
  SIGNET_NODE_NAME: 'It belongs to one machine.',
  SIGNET_TRUST_PROXY: 'Who could change it by a page could pretend any address.',
  SIGNET_MASTER_KEY_FILE: AT_START,
  SIGNET_METRICS_ALLOW: 'It belongs to the network that the machine is in.',
  SIGNET_SEAL_KEY: 'It is used for a new certificate alone; another key can be imported under Seal.',
  SIGNET_LOG: AT_START,
  SIGNET_STOP_DELAY: 'It depends on the balancer in front of this process.',
  SIGNET_RATE_PER_MINUTE: MEMORY,
  SIGNET_MAX_PDF_MB: MEMORY,
  SIGNET_MAX_PAGES: MEMORY,
}

async function allVerbs(): Promise<Verb[]> {
  const files = [...new Bun.Glob('src/cli/*.ts').scanSync({ cwd: ROOT })].sort()
  const modules = await Promise.all(files.map(path => import(join(ROOT, path))))
  const values = modules.flatMap(exported => Object.values(exported as Record<string, unknown>))
  return [...values.filter(isVerb), helpVerb(async () => [])]
}

function isVerb(value: unknown): value is Verb {
  return typeof value === 'object' && value !== null && 'usage' in value && 'run' in value && 'name' in value
}

const variables = () => {
  const own = SERVICE_SETTING_NAMES.flatMap(name => {
    const { variable, page } = serviceRow(name)
    return variable === undefined ? [] : [[variable, page] as const]
  })
  return { ...VARIABLES, ...Object.fromEntries(own) }
}

const paths = new Set(PAGES.map(({ path }) => path))
const section = (title: string, head: string, places: Places, names: readonly string[]) => {
  const lines = names.map(name => {
    const place = places[name] ?? ''
    return `| \`${name}\` | ${place.startsWith('/') ? `\`${place}\`` : `none: ${place}`} |`
  })
  return [`## ${title}`, '', `| ${head} | Page |`, '|---|---|', ...lines, ''].join('\n')
}

const apiNames = API_ROUTES.map(({ method, path }) => `${method} ${path}`)

describe('every API call, verb and setting', () => {
  test('has a page that exists, or a reason', async () => {
    const verbs = (await allVerbs()).map(({ name }) => name)
    const all: [Places, string[]][] = [
      [API, apiNames],
      [VERBS, verbs],
      [variables(), Object.values(SETTINGS).map(({ variable }) => variable)],
    ]
    const gaps = all.flatMap(([places, names]) => names.filter(name => places[name] === undefined))
    expect(gaps).toEqual([])
    const stale = all.flatMap(([places, names]) => Object.keys(places).filter(name => !names.includes(name)))
    expect(stale).toEqual([])
    const missing = all.flatMap(([places]) => Object.values(places).filter(place => place.startsWith('/') && !paths.has(place)))
    expect(missing).toEqual([])
  })

  test('is in the table of src/settings/README.md', async () => {
    const verbs = (await allVerbs()).map(({ name }) => name).sort()
    const named = variables()
    const table = [
      '# Which page does what',
      '',
      'Made by `test/http/pages-table.test.ts`. A setting with a page is stored; its variable wins over what is stored, and',
      'the page then shows it as fixed.',
      '',
      section(`API calls, below \`${API_PREFIX}\``, 'Call', API, apiNames),
      section('Verbs', 'Verb', VERBS, verbs),
      section(
        'Settings',
        'Variable',
        named,
        Object.values(SETTINGS).map(({ variable }) => variable),
      ),
    ].join('\n')
    if (process.env.SIGNET_WRITE_TABLES) writeFileSync(FILE, table)
    console.log(table)
    expect(readFileSync(FILE, 'utf8')).toBe(table)
  })
})
