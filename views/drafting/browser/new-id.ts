/** Ids for what a page adds: a prefix and a ULID in lower case. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

export function newId(prefix: string): string {
  let time = Date.now()
  let text = ''
  for (let i = 0; i < TIME_LENGTH; i++) {
    text = (ALPHABET[time % 32] ?? '0') + text
    time = Math.floor(time / 32)
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) text += ALPHABET[byte % 32] ?? '0'
  return `${prefix}_${text}`
}
