/** A stored setting with the one parser of its text. What it refuses counts as not stored. */

export interface StoredSetting<T = unknown> {
  /** Of the row. */
  name: string
  /** The page that stores it anew. */
  page: string
  /** @throws Error for a text that somebody edited, or that a later release wrote */
  parse(text: string): T
  /** In force without a text, and with one that cannot be read. */
  fallback: T
}

/** Checks the type of a setting, and keeps it. */
export const storedSetting = <T>(setting: StoredSetting<T>): StoredSetting<T> => setting

/** Never throws: one text that cannot be read must not stop the service. */
export function readSetting<T>(settings: ReadonlyMap<string, string>, setting: StoredSetting<T>): T {
  const text = settings.get(setting.name)
  const parsed = text === undefined ? undefined : tryParse(setting, text)
  return parsed ? parsed.value : setting.fallback
}

/** Undefined for a text that cannot be read. */
export function tryParse<T>({ parse }: { parse(text: string): T }, text: string): { value: T } | undefined {
  try {
    return { value: parse(text) }
  } catch {
    // Whatever a parser throws for such a text, the setting is unreadable.
    return undefined
  }
}

/** Reported by an alert, which names the setting. */
export const isUnreadable = (setting: Pick<StoredSetting, 'parse'>, text: string): boolean =>
  tryParse(setting, text) === undefined

/** For parsers of JSON. @throws Error */
export function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`must have ${what}`)
}
