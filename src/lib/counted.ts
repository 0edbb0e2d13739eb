/** A number with its noun, in English. Other languages have forms of their own. */

/** `1 entry`, `2 entries`; by default the plural has an s. */
export const counted = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`

export const entriesText = (count: number): string => counted(count, 'entry', 'entries')
