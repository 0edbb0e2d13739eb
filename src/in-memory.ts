/** The services of an App that keep state in memory only: it is lost at the end of the process. */
import type { FoundFields } from './core/draft/proposal.ts'
import type { PageBox } from './core/field/geometry.ts'
import { InProcessChangeFeed, PolledChangeFeed } from './db/change-feed.ts'
import { FeatureLevels } from './db/feature-level.ts'
import type { PackedAsset } from './lib/asset-pack.ts'
import { KeyedQueue } from './lib/async-work.ts'
import { EventStreams } from './lib/event-streams.ts'
import { LruCache, SharedCache } from './lib/lru-cache.ts'
import { PasswordHasher } from './lib/password.ts'
import { RateLimiter } from './lib/rate-limit.ts'
import type { App, InMemoryServices, MailLogoFile } from './ports.ts'

const ATTEMPTS = { perMinute: 20, burst: 20 }
/** Each takes about 3 MB. */
const MAX_ASSET_PACKS = 2
/** One for each language, until the organisation is renamed. */
const MAX_STORED_CONSENTS = 100
const MAX_LAST_USES = 50_000
const MAX_FILES_WITH_PAGE_BOXES = 20
const MAX_FILES_WITH_FOUND_FIELDS = 50
const MAX_DISABLING_BYTES = 8_000_000
/** Of an entry without an update: about. */
const ENTRY_BYTES = 500

type Deps = Pick<App, 'db' | 'log' | 'metrics' | 'random' | 'threads' | 'timers'>

export function createInMemoryServices({ db, log, metrics, random, threads, timers }: Deps): InMemoryServices {
  return {
    passwords: new PasswordHasher(threads),
    attempts: new RateLimiter(ATTEMPTS),
    lastUse: new LruCache<string, number>(MAX_LAST_USES),
    recipientQueue: new KeyedQueue(),
    pageBoxes: new LruCache<string, PageBox[]>(MAX_FILES_WITH_PAGE_BOXES),
    disablingUpdates: new SharedCache<Uint8Array>(MAX_DISABLING_BYTES, update => update.length + ENTRY_BYTES),
    foundFields: new LruCache<string, Promise<FoundFields>>(MAX_FILES_WITH_FOUND_FIELDS),
    mailLogos: new LruCache<string, Promise<MailLogoFile | undefined>>(1),
    changes: db.engine === 'sqlite' ? new InProcessChangeFeed(random) : new PolledChangeFeed({ db, log, timers }),
    features: new FeatureLevels(),
    assetPacks: new LruCache<string, PackedAsset[]>(MAX_ASSET_PACKS),
    storedConsents: new LruCache<string, true>(MAX_STORED_CONSENTS),
    eventStreams: new EventStreams(timers),
    metrics,
  }
}
