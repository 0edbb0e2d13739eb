/** Compiles one executable with everything in it, for this platform or another. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { BunPlugin } from 'bun'

/** Fonts are half of the executable: they are embedded compressed, and the reader unpacks them. */
const compressedFaces: BunPlugin = {
  name: 'compressed fonts',
  setup(build) {
    build.onLoad({ filter: /\.ttf$/ }, ({ path }) => ({ contents: gzipSync(readFileSync(path), { level: 9 }), loader: 'file' }))
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
    format: 'esm',
    // A process loads the chunks of its verb and its tasks alone.
    splitting: true,
    compile: platform === undefined ? options : { ...options, target: PLATFORMS[platform].target },
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'none',
    target: 'bun',
    define: buildInfo(),
    plugins: [compressedFaces, ...(platform === undefined ? [] : [sqliteOf(platform)])],
  })
  for (const message of result.logs) console.error(String(message))
  return result.success
}
