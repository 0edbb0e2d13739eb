/** Mends taken out again, one at a time: the simulation has to find each. */

export interface Edit {
  /** Below `src`. */
  file: string
  /** Occurs in the file once. */
  find: string
  replace: string
}

export interface Mutation extends Edit {
  name: string
  /** In another file: a second defence against the same. */
  also?: Edit
  /** So many have to pass at least, until it can show. */
  days?: number
}

/** Of one machine. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'times taken before the child',
    file: 'documents/draft/create.ts',
    find: `      const now = await changeTime(tx, app)
      const draft`,
    replace: `      const now = deps.now
      const draft`,
  },
  {
    name: 'times of the clock alone',
    file: 'db/change-time.ts',
    find: '  const taken = take(tx, now())',
    replace: '  const taken = Promise.resolve(now())',
  },
  {
    name: 'updatedAt falls behind after a clock that was ahead',
    file: 'documents/record.ts',
    find: 'updatedAt: before.updatedAt > now ? before.updatedAt : now',
    replace: 'updatedAt: now',
  },
  {
    name: 'asOf without its millisecond',
    file: 'db/change-time.ts',
    find: 'Date.parse(newest) - 1',
    replace: 'Date.parse(newest)',
  },
  {
    name: 'asOf of the clock',
    file: 'db/change-time.ts',
    find: '  return new Date(newest ? Date.parse(newest) - 1 : 0)',
    replace: '  return clock',
  },
  {
    name: 'upload not synced',
    file: 'storage/scratch.ts',
    find: 'const sync = handle.sync().finally(() => handle.close())',
    replace: 'const sync = handle.close()',
  },
  {
    name: 'upload stored before its sync',
    file: 'documents/files/store-files.ts',
    find: 'await Promise.all([app.pdf.inspect(order), upload.synced])',
    replace: '[await app.pdf.inspect(order)]',
  },
  {
    name: 'sealed file not synced',
    file: 'pades/placeholder.ts',
    find: `    await file.sync()
`,
    replace: '',
  },
  {
    name: 'folder not synced after a rename',
    file: 'storage/folder-store.ts',
    find: `    this.forget(temporaryPath)
    await watchSync(syncFolder(this.machine.fileSystem, this.#folder), this.#listeners)`,
    replace: '    this.forget(temporaryPath)',
  },
  {
    name: 'every commit without a sync',
    file: 'db/sqlite.ts',
    find: `synchronous.set(durable ? 'FULL' : 'NORMAL')`,
    replace: `synchronous.set('NORMAL')`,
  },
  {
    name: 'row of the file before its bytes',
    file: 'files/claims.ts',
    find: `    await app.storage.keep(path, sha256)
    return claim`,
    replace: `    void app.storage.keep(path, sha256)
    return claim`,
  },
  {
    name: 'claims of dead processes are not ended',
    file: 'files/claims.ts',
    find: 'const claims = await unfinishedClaims(app.db, removalSpan(app), UNFINISHED_AT_ONCE)',
    replace: 'const claims: { id: string; sha256: string }[] = []',
  },
  {
    name: 'a removal of a clock that was ahead goes on',
    file: 'files/claim-queries.ts',
    find: 'AND boot NOT IN (SELECT boot FROM nodes)',
    replace: 'AND 1 = 0',
    days: 30,
  },
  {
    name: 'leases not released at a start',
    file: 'db/nodes.ts',
    find: `      await insertNode(tx, this, this.#options, sql.val(now().toISOString()))
      await release(tx)`,
    replace: '      await insertNode(tx, this, this.#options, sql.val(now().toISOString()))',
  },
  {
    name: 'leases released of living nodes',
    file: 'outbox/queries.ts',
    find: '    WHERE lease_boot IS NOT NULL AND lease_boot NOT IN (SELECT boot FROM nodes)`',
    replace: '    WHERE lease_boot IS NOT NULL AND 1 = 0`',
  },
  {
    name: 'seal job ended in its own transaction',
    file: 'documents/sealing/sealing.ts',
    find: `  return app.write(async tx => {
    await finishJob(tx, job, 'done')
`,
    replace: `  await app.write(tx => finishJob(tx, job, 'done'))
  return app.write(async tx => {
`,
  },
  {
    name: 'sealing is given up',
    file: 'documents/sealing/sealing.ts',
    find: '    await postponeJob(tx, job, retryTime(app, pauseS), cause)',
    replace: `    await finishJob(tx, job, 'failed', cause)`,
  },
  {
    name: 'mail job ended before the mail',
    file: 'jobs/send-mail.ts',
    find: '  await settle(app, job, mail, await attempt(app, mail, document))',
    replace: `  await app.write(tx => finishJob(tx, job, 'done'))
  await attempt(app, mail, document)`,
  },
  {
    name: 'a refused mail is not tried again',
    file: 'jobs/send-mail.ts',
    find: 'const pauseS = accepted || verdict.permanent ? undefined : MAIL_PAUSES_S[job.attempts]',
    replace: 'const pauseS = undefined',
  },
  {
    name: 'mails have a new Message-ID each time',
    file: 'jobs/send-mail.ts',
    find: '    messageId: messageIdOf(app, mail.id),',
    replace: `    messageId: messageIdOf(app, app.newId('mail')),`,
  },
  {
    name: 'mails are not queued',
    file: 'documents/record.ts',
    find: `    ...mailInsertions(tx, queued.mails),
    ...deliveryInsertions(tx, deliveries, now),
    ...jobInsertions(tx, [...queued.jobs, ...jobs], now),`,
    replace: `    ...deliveryInsertions(tx, deliveries, now),
    ...jobInsertions(tx, jobs, now),`,
  },
  {
    name: 'deliveries are not queued',
    file: 'documents/record.ts',
    find: '    ...jobInsertions(tx, [...queued.jobs, ...jobs], now),',
    replace: '    ...jobInsertions(tx, queued.jobs, now),',
  },
  {
    name: 'a delivery is done whatever the answer',
    file: 'webhooks/deliver.ts',
    find: 'const succeeded = answered !== undefined && answered.status >= 200 && answered.status < 300',
    replace: 'const succeeded = true',
  },
  {
    name: 'a failed delivery is not tried again',
    file: 'webhooks/deliver.ts',
    find: 'PAUSES_S[job.attempts]',
    replace: 'undefined',
  },
  {
    name: 'deliveries have an id of their own',
    file: 'webhooks/deliver.ts',
    find: '...sign({ id: eventId, timestamp, body, secrets })',
    replace: `...sign({ id: app.newId('evt'), timestamp, body, secrets })`,
  },
  {
    name: 'a finished job keeps its lease',
    file: 'outbox/queries.ts',
    find: '    .set({ ...values, lease_boot: null })',
    replace: '    .set({ ...values })',
  },
  {
    name: 'a job that failed is lost',
    file: 'jobs/worker.ts',
    find: '      else await this.#postpone(job, error)',
    replace: '      else this.#noteLost(job)',
  },
  {
    name: 'the worker wakes only by commits',
    file: 'jobs/worker.ts',
    find: 'const minMs = isIdle ? 1 : POLL_MS',
    replace: 'const minMs = 1e12',
  },
  {
    name: 'the clock is always believed',
    file: 'health/clock-watch.ts',
    find: `  isBelieved(): Promise<boolean> {
`,
    replace: `  isBelieved(): Promise<boolean> {
    if (Date.length > 0) return Promise.resolve(true)
`,
  },
  {
    name: 'a jump of a running clock is not noticed',
    file: 'health/clock-watch.ts',
    find: '    if (Math.abs(jumpedMs) <= JUMP_MS) return',
    replace: '    if (Math.abs(jumpedMs) >= 0) return',
  },
  {
    name: 'a clock may be a year ahead',
    file: 'health/clock-watch.ts',
    find: 'export const MAX_GAP_MS = DAY_MS',
    replace: 'export const MAX_GAP_MS = 400 * DAY_MS',
  },
  {
    name: 'irreversible work at any clock',
    file: 'jobs/schedule.ts',
    find: `  if (kind === 'harmless') await run(app)`,
    replace: '  if (kind.length > 0) await run(app)',
  },
  {
    name: 'expiry a day early',
    file: 'core/document/document.ts',
    find: 'expiresAt !== undefined && expiresAt <= now',
    replace: 'expiresAt !== undefined && expiresAt <= daysAfter(now, 2)',
    also: {
      file: 'documents/queries.ts',
      find: 'expires_at <= ? ORDER BY expires_at, id LIMIT ?',
      replace: "expires_at <= strftime('%Y-%m-%dT%H:%M:%fZ', ?, '+2 days') ORDER BY expires_at, id LIMIT ?",
    },
    days: 40,
  },
  {
    name: 'reminders without end',
    file: 'core/document/document.ts',
    find: 'const nextReminderAt = plan && sent < plan.max ? daysAfter(now, plan.everyDays) : undefined',
    replace: 'const nextReminderAt = plan ? now : undefined',
  },
  {
    name: 'a draft may be sent twice',
    file: 'core/document/document.ts',
    find: `  if (document.status !== 'draft') {
    throw new Refusal('invalid_state', violation('document_not_a_draft', { status: document.status }))
  }
  requireSendable`,
    replace: '  requireSendable',
  },
  {
    name: 'a voided document may be signed',
    file: 'core/document/document.ts',
    find: `  requireAllowed(allowedActions(document).void, document, 'void')
  return { document: close(document, 'voided')`,
    replace: `  requireAllowed(allowedActions(document).void, document, 'voided')
  return { document`,
  },
  {
    name: 'the chain skips an entry',
    file: 'audit/log.ts',
    find: `    hash = chainHash(hash, entry)
`,
    replace: `    chainHash(hash, entry)
`,
  },
  {
    name: 'a transaction is not rolled back',
    file: 'db/sqlite.ts',
    find: `    if (this.#raw.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))`,
    replace: `    if (this.#raw.inTransaction) await connection.executeQuery(CompiledQuery.raw('commit'))`,
  },
  {
    name: 'a deletion has no event',
    file: 'core/document/document.ts',
    find: `  if (reason === 'request') return [{ type: 'document.deleted', data: { status, originalSha256 } }]`,
    replace: `  if (reason === 'request') return []`,
  },
  {
    name: 'documents are deleted without regard to their status',
    file: 'core/document/document.ts',
    find: '  if (!allowedActions(document).delete) {',
    replace: `  if (document.id === '') {`,
  },
  {
    name: 'an answer is not kept with its key',
    file: 'outbox/idempotency-queries.ts',
    find: 'document_id: documentId ?? null, expires_at: expiresAt.toISOString() })',
    replace: `document_id: documentId ?? null, expires_at: '2000-01-01T00:00:00.000Z' })`,
  },
  {
    name: 'complete with one signature',
    file: 'core/signing/routing.ts',
    find: 'document.recipients.some(mustAct) && !document.recipients.some(isOpen)',
    replace: `document.recipients.some(r => r.status === 'signed')`,
  },
  {
    name: 'the cursor skips a change',
    file: 'documents/lists/list-queries.ts',
    find: 'number > ? ORDER BY number LIMIT ?',
    replace: 'number > ? + 1 ORDER BY number LIMIT ?',
  },
  {
    name: 'the feed takes back what was rolled back',
    file: 'writing.ts',
    find: `    if (used) {
      deps.committed(used)`,
    replace: `    if (used && durable !== undefined) {
      deps.committed(used)`,
  },
  {
    name: 'a job that a wrong clock has put off waits for it',
    file: 'health/clock-watch.ts',
    find: `  await queries.retryPutOff(tx, beyond, now)
`,
    replace: '',
  },
  {
    name: 'a time-stamp that a wrong clock has put off waits for it',
    file: 'health/clock-watch.ts',
    find: `  await planAnew(tx, beyond, now)
`,
    replace: '',
  },
  {
    name: 'personal details of an erased document stay in the log',
    file: 'audit/queries.ts',
    find: `  await tx.deleteFrom('event_details').where('document_id', '=', documentId).execute()
`,
    replace: '',
  },
  {
    name: 'renewal date in the past',
    file: 'documents/sealing/long-term.ts',
    find: '  return new Date(Math.max(plannedMs, nowMs + Math.max(DAY_MS, (endMs - nowMs) / 2)))',
    replace: '  return new Date(plannedMs)',
    also: {
      file: 'documents/sealing/augment.ts',
      find: 'if (isRenewal && app.now() < inADay(version.madeAt)) return',
      replace: 'if (isRenewal && app.now() < version.madeAt) return',
    },
    days: 30,
  },
  {
    name: 'a member reads every document',
    file: 'documents/record.ts',
    find: '(actor.seesAll || document.ownerId === actor.userId)',
    replace: `(actor.seesAll || document.id !== '')`,
  },
  {
    name: 'a member lists every document',
    file: 'documents/lists/list-queries.ts',
    find: `(actor.seesAll ? undefined : (actor.userId ?? ''))`,
    replace: `(actor.seesAll || actor.isAdmin ? undefined : undefined)`,
  },
  {
    name: 'a rotation leaves out the secrets of webhooks',
    file: 'settings/master-key-rotation.ts',
    find: 'of Object.values(SEALED)) secrets',
    replace: `of Object.values(SEALED).filter(({ table }) => table !== 'webhooks')) secrets`,
  },
  {
    name: 'a start forgets a rotation that was killed',
    file: 'settings/master-key-rotation.ts',
    find: '  const newKey = await unfinishedRotation(database.db, found)',
    replace: '  const newKey = undefined as Uint8Array | undefined',
  },
]
