/** Compiles one executable with everything in it, for this platform or another. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BunPlugin } from 'bun'

const CACHE = join(import.meta.dir, '../.built/compressed')
/** The smallest files that still unpack as fast as by lower levels. */
const ZSTD_LEVEL = 19

/** Compressed once for the same bytes, because fonts take seconds. */
function compressed(bytes: Uint8Array): Uint8Array {
  const cached = join(CACHE, `${createHash('sha256').update(bytes).digest('hex')}.${ZSTD_LEVEL}.zst`)
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true })
    // Another build may make it at the same time.
    const fresh = `${cached}.${process.pid}`
    writeFileSync(fresh, Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL }))
    renameSync(fresh, cached)
  }
  return readFileSync(cached)
}

/** What `src/lib/embedded-file.ts` unpacks. */
const compressedFiles: BunPlugin = {
  name: 'compressed files',
  setup(build) {
    build.onLoad({ filter: /\.(ttf|wasm)$|licences\.txt$/ }, ({ path }) => ({
      contents: compressed(readFileSync(path)),
      loader: 'file',
    }))
  },
}

/** `@libpdf/core` needs these to sign, and one class to be loaded. Here it only rewrites files. */
const withoutSigning: BunPlugin = {
  name: 'no signing by @libpdf/core',
  setup(build) {
    build.onResolve({ filter: /^(pkijs|asn1js)$/ }, ({ importer }) =>
      /@libpdf[/\\]core/.test(importer) ? { path: 'left-out', namespace: 'left-out' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'exports.CryptoEngine = class {}', loader: 'js' }))
  },
}

/** `sqlite`: the entry of better-sqlite3 with the native module of the platform. */
export const PLATFORMS = {
  'linux-x64': { target: 'bun-linux-x64', sqlite: 'linux-x64', suffix: '' },
  'linux-arm64': { target: 'bun-linux-arm64', sqlite: 'linux-arm64', suffix: '' },
  'linux-x64-musl': { target: 'bun-linux-x64-musl', sqlite: 'linuxmusl-x64', suffix: '' },
  'darwin-arm64': { target: 'bun-darwin-arm64', sqlite: 'darwin-arm64', suffix: '' },
  'windows-x64': { target: 'bun-windows-x64', sqlite: 'win32-x64', suffix: '.exe' },
} as const

export type Platform = keyof typeof PLATFORMS

/** Both entries that `src/db/sqlite.ts` chooses from become the one of the platform. */
const sqliteOf = (platform: Platform): BunPlugin => ({
  name: 'native module of the platform',
  setup(build) {
    const path = Bun.resolveSync(`better-sqlite3/${PLATFORMS[platform].sqlite}`, import.meta.dir)
    build.onResolve({ filter: /^better-sqlite3\/linux-(x64|arm64)$/ }, () => ({ path }))
  },
})

const git = (...args: string[]): string | undefined => {
  const found = Bun.which('git') ? Bun.spawnSync(['git', ...args], { stderr: 'ignore' }) : undefined
  return found?.success ? found.stdout.toString().trim() : undefined
}

/** Of the commit: the same for each build of the same sources. None outside a repository. */
function buildInfo(): Record<string, string> {
  const [commit, date] = git('log', '-1', '--format=%H %cI')?.split(' ') ?? []
  if (commit === undefined || date === undefined) return {}
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  return {
    SIGNET_BUILT_AT: JSON.stringify(new Date(date).toISOString()),
    SIGNET_COMMIT: JSON.stringify(`${commit.slice(0, 12)}${isChanged ? '+' : ''}`),
  }
}

/** Without `platform`: for this machine. Answers whether it succeeded; problems are printed. */
export async function compile(outfile: string, platform?: Platform): Promise<boolean> {
  const options = { outfile, autoloadDotenv: false, autoloadBunfig: false }
  const result = await Bun.build({
    entrypoints: ['src/main.ts'],
    // Parsed at the build: a start takes half the time and less.
    bytecode: true,
    // Functions nested deeper are parsed at their first call; a start is as fast.
    bytecodeDepth: 2,
    format: 'esm',
    // A process loads the chunks of its verb and its tasks alone.
    splitting: true,
    compile: platform === undefined ? options : { ...options, target: PLATFORMS[platform].target },
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'none',
    target: 'bun',
    define: buildInfo(),
    plugins: [compressedFiles, withoutSigning, ...(platform === undefined ? [] : [sqliteOf(platform)])],
  })
  for (const message of result.logs) console.error(String(message))
  return result.success
}
