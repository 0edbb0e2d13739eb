/** The mail to the owner of a batch about rows that failed, in English. */
export const batchMail = {
  subject: (title: string, failed: number) =>
    failed === 1 ? `1 document of “${title}” was not sent` : `${failed} documents of “${title}” were not sent`,
  failed: (title: string, failed: number, total: number) =>
    total === 1
      ? `The batch “${title}” has ended. Its document was not sent.`
      : `The batch “${title}” has ended. Of its ${total} documents ${failed === 1 ? '1 was' : `${failed} were`} not sent.`,
  what: (days: number) => `The batch lists them with the reason of each. You can send them again there within ${days} days.`,
  open: 'Open the batch',
}
