/** Who asks a recipient, by the same name in e-mails and on pages. Pure. */

/** `Anna Weber (Acme Ltd)`; `person` is undefined for documents of programs. */
export function senderName(person: string | undefined, organisation: string): string {
  return person === undefined || person === organisation ? organisation : `${person} (${organisation})`
}
