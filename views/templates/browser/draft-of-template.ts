/** Which draft was made last from a template, in this tab. */

const keyOf = (templateId: string) => `signet-draft-of-${templateId}`

export const draftOf = (templateId: string): string | null => sessionStorage.getItem(keyOf(templateId))

export function keepDraft(templateId: string, documentId: string): void {
  sessionStorage.setItem(keyOf(templateId), documentId)
}
