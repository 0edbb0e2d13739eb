/** What a verb of the command line is, and how flags are read: known ones only, each fault one sentence. */

import { type Config, readConfig, SETTINGS, type SettingName } from '../config.ts'
import type { AppHandle } from '../ports.ts'

export interface Io {
  out(text: string): void
  err(text: string): void
  env: Record<string, string | undefined>
  stdin(): Promise<string>
  /** Starts this program for a child process. */
  command: string[]
  /** Opens a data folder; `exclusive` when nothing may be served from it meanwhile. `who` is told to others who want it. */
  open(config: Config, who: string, exclusive: boolean): Promise<AppHandle>
  /** Serves until the process is told to end. */
  serve(config: Config): Promise<void>
}

export interface Verb {
  /** One or two words: `serve`, `key create`. */
  name: string
  usage: string
  summary: string
  /** The exit code of a failure that nobody expected; 1 when absent. `verify` needs its own: there 1 says that a file is not valid. */
  failureCode?: number
  run(args: string[], io: Io): Promise<number>
}

/** The command line was not understood; exit code 2. */
export class UsageError extends Error {}

export interface FlagSpec {
  /** `value`: takes one; `list`: may be repeated; `switch`: stands alone. */
  [flag: string]: 'value' | 'list' | 'switch'
}

export interface ParsedFlags {
  values: Record<string, string>
  lists: Record<string, string[]>
  switches: Set<string>
  positionals: string[]
}

export function parseFlags(args: string[], spec: FlagSpec): ParsedFlags {
  const parsed: ParsedFlags = { values: {}, lists: {}, switches: new Set(), positionals: [] }
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (!arg.startsWith('--')) {
      parsed.positionals.push(arg)
      continue
    }
    const at = arg.indexOf('=')
    const flag = at < 0 ? arg : arg.slice(0, at)
    const kind = spec[flag]
    if (!kind) throw new UsageError(`unknown flag ${flag}; known here: ${Object.keys(spec).join(', ') || 'none'}`)
    if (kind === 'switch') {
      if (at >= 0) throw new UsageError(`${flag} takes no value`)
      parsed.switches.add(flag)
      continue
    }
    const value = at < 0 ? args[++i] : arg.slice(at + 1)
    if (value === undefined || (at < 0 && value.startsWith('--'))) throw new UsageError(`${flag} needs a value`)
    if (kind === 'list') parsed.lists[flag] = [...(parsed.lists[flag] ?? []), value]
    else if (flag in parsed.values) throw new UsageError(`${flag} is given twice`)
    else parsed.values[flag] = value
  }
  return parsed
}

/** The common flags, from the configuration table. */
export const DATA_FLAG: FlagSpec = { '--data': 'value' }
export const SERVE_FLAGS: FlagSpec = { '--data': 'value', '--host': 'value', '--port': 'value', '--base-url': 'value' }

export function configFrom({ values }: ParsedFlags, env: Io['env']): Config {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const [name, row] of Object.entries(SETTINGS) as [SettingName, { flag?: string }][]) {
    const value = row.flag === undefined ? undefined : values[row.flag]
    if (value !== undefined) flags[name] = value
  }
  return readConfig(flags, env)
}

export function noPositionals({ positionals }: ParsedFlags): void {
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is not expected here`)
}
