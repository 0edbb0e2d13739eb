/** What this process counts. `http/metrics.ts` adds values that it reads for each response. */
import { counter, gauge, histogram } from './metrics.ts'

export class ServiceMetrics {
  readonly requests = counter({
    name: 'signet_http_requests_total',
    help: 'HTTP requests answered, by class of address and status.',
    labels: ['class', 'status'],
  })
  readonly requestSeconds = histogram({
    name: 'signet_http_request_duration_seconds',
    help: 'Time from a request to its response, without the time to send it.',
    labels: ['class'],
  })
  readonly transactions = counter({
    name: 'signet_transactions_total',
    help: 'Transactions that change the database, by outcome.',
    labels: ['outcome'],
  })
  readonly transactionRetries = counter({
    name: 'signet_transaction_retries_total',
    help: 'Transactions run again after a conflict or a failure of the connection.',
  })
  readonly writerWaitSeconds = histogram({
    name: 'signet_writer_wait_seconds',
    help: 'Time that transactions wait until they may write.',
  })
  readonly databaseErrors = counter({
    name: 'signet_database_errors_total',
    help: 'Failures of the connection to the database or of its disk.',
  })
  readonly fileStoreErrors = counter({
    name: 'signet_file_store_errors_total',
    help: 'Requests to the file store that it did not answer.',
  })
  readonly jobsRunning = gauge({
    name: 'signet_jobs_running',
    help: 'Jobs that this process runs now, by kind.',
    labels: ['kind'],
  })
  readonly jobs = counter({ name: 'signet_jobs_total', help: 'Attempts at jobs that ended, by kind.', labels: ['kind'] })

  readonly mails = counter({
    name: 'signet_mails_total',
    help: 'Attempts at mails by this process, by outcome: accepted, postponed (tried again later) or failed for good.',
    labels: ['outcome'],
  })
  readonly deliveries = counter({
    name: 'signet_webhook_deliveries_total',
    help: 'Attempts at webhook deliveries by this process, by outcome: delivered, postponed or failed for good.',
    labels: ['outcome'],
  })
  readonly signInsRefused = counter({
    name: 'signet_sign_ins_refused_total',
    help: 'Sign-ins that this process refused: a wrong password, code, passkey or provider, or too many attempts.',
  })

  constructor() {
    // A rule compares with 0 from the start: without a value it would never match.
    for (const outcome of ['accepted', 'postponed', 'failed']) this.mails.of(outcome)
    for (const outcome of ['delivered', 'postponed', 'failed']) this.deliveries.of(outcome)
  }

  text(): string {
    return Object.values(this)
      .map(family => family.text())
      .join('')
  }
}
