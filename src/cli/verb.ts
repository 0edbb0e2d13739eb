/** A verb of the command line, and the parser of its flags. Unknown flags are refused. */
import { type Config, readConfig, SETTINGS, type SettingName, type SettingRow } from '../config.ts'
import type { AppHandle } from '../ports.ts'

export interface Io {
  out(text: string): void
  err(text: string): void
  env: Record<string, string | undefined>
  stdin(): Promise<string>
  /** The command that starts this program as a child process. */
  command: string[]
  /**
   * Opens the installation for a verb, beside processes that serve it. `mayMigrate`: brings the
   * schema up to date, for which a data folder must not be in use.
   */
  open(config: Config, lockHolder: string, mayMigrate: boolean): Promise<AppHandle>
  /** Serves until the process receives a signal to end. */
  serve(config: Config): Promise<void>
}

export interface Verb {
  /** One or two words: `serve`, `key create`. */
  name: string
  usage: string
  summary: string
  /** What each flag means, where the summary does not say it. */
  flags?: Readonly<Record<string, string>>
  /** Exit code of an unexpected failure, 1 by default. 1 of `verify` means not-valid. */
  failureCode?: number
  run(args: string[], io: Io): Promise<number>
}

/** The command line is invalid; exit code 2. */
export class UsageError extends Error {}

/** `value`: takes one; `list`: may be repeated; `switch`: takes none. */
type FlagKind = 'value' | 'list' | 'switch'

export interface FlagSpec {
  [flag: string]: FlagKind
}

export interface ParsedFlags {
  values: Record<string, string>
  lists: Record<string, string[]>
  switches: Set<string>
  positionals: string[]
}

export function parseFlags(args: string[], spec: FlagSpec): ParsedFlags {
  const parsed: ParsedFlags = { values: {}, lists: {}, switches: new Set(), positionals: [] }
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg.startsWith('--')) parseFlag(arg, rest, spec, parsed)
    else parsed.positionals.push(arg)
  }
  return parsed
}

/** Parses one `--flag`, `--flag value` or `--flag=value`. A value is taken from `rest`. */
function parseFlag(arg: string, rest: string[], spec: FlagSpec, parsed: ParsedFlags): void {
  const [, flag = arg, attached] = /^([^=]*)=(.*)$/s.exec(arg) ?? []
  const kind = spec[flag]
  if (!kind) throw new UsageError(`unknown flag ${flag}; known here: ${Object.keys(spec).join(', ') || 'none'}`)
  if (kind === 'switch') {
    if (attached !== undefined) throw new UsageError(`${flag} takes no value`)
    parsed.switches.add(flag)
    return
  }
  const value = attached ?? rest.shift()
  if (value === undefined || (attached === undefined && value.startsWith('--'))) throw new UsageError(`${flag} needs a value`)
  if (kind === 'list') parsed.lists[flag] = [...(parsed.lists[flag] ?? []), value]
  else if (flag in parsed.values) throw new UsageError(`${flag} is given twice`)
  else parsed.values[flag] = value
}

/** Flags that several verbs share, by the names in the configuration table. */
export const DATA_FLAG: FlagSpec = { '--data': 'value' }
export const SERVE_FLAGS: FlagSpec = { '--data': 'value', '--host': 'value', '--port': 'value', '--base-url': 'value' }

export function configFrom({ values }: ParsedFlags, env: Io['env']): Config {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const [name, row] of Object.entries(SETTINGS) as [SettingName, SettingRow][]) {
    const value = row.flag === undefined ? undefined : values[row.flag]
    if (value !== undefined) flags[name] = value
  }
  return readConfig(flags, env)
}

export function noPositionals({ positionals }: ParsedFlags): void {
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is not expected here`)
}

/** A secret from standard input: the line break that `echo` and editors append is no part of it. */
export const firstLine = (text: string): string => text.replace(/\r?\n[\s\S]*$/, '')
