/** Types of the tables; `test/db/schema-drift.test.ts` compares them with the migrations. */
import type { Generated } from 'kysely'

type Flag = 0 | 1
type Time = string

/** What recipients enter. */
interface SigningSchema {
  drafts: { recipient_id: string; name: string; value: string }
  mark_contents: { recipient_id: string; sha256: string; kind: string; content: Uint8Array }
  field_files: {
    recipient_id: string
    field_id: string
    sha256: string
    file_name: string
    media_type: 'application/pdf' | 'image/png' | 'image/jpeg'
    bytes: number
    active_content: Flag
    added_at: Time
  }
  receipts: {
    recipient_id: string
    sequence: number
    text: string
    made_at: Time
  }
  one_time_codes: {
    id: string
    recipient_id: string
    link_version: number
    browser_hash: string
    attempts: Generated<number>
    created_at: Time
    used_at: Time | null
  }
}

interface ClusterSchema {
  cluster: {
    one: number
    feature_level: number
    finished_at: Time | null
    quiet_ms: Generated<number>
    counted_at: Time | null
  }
  nodes: {
    boot: string
    name: string
    version: string
    started_at: Time
    seen_at: Time
    feature_level: Generated<number>
  }
  consent_texts: {
    id: string
    kind: 'signing' | 'approval'
    language: string
    text: string
    intents: string
    shown_at: Time
  }
  asset_packs: { sha256: string; used_at: Time }
  leases: { name: string; boot: string; taken_at: Time }
}

interface BatchSchema {
  batches: {
    id: string
    template_id: string
    template_version: number
    owner_id: string | null
    actor: string
    title: string
    state: 'draft' | 'running' | 'stopped' | 'done'
    total: number
    sent: Generated<number>
    failed: Generated<number>
    stopped: Generated<number>
    template: string | null
    sha256: string | null
    content_sha256: string | null
    source: Uint8Array | null
    reading: string | null
    created_at: Time
    started_at: Time | null
    last_row_at: Time | null
    stopped_at: Time | null
    finished_at: Time | null
    resumed_by: string | null
    stop_reason: string | null
  }
  batch_rows: {
    batch_id: string
    number: number
    line: number
    state: 'waiting' | 'sent' | 'failed' | 'stopped'
    data: string | null
    document_id: string | null
    error: string | null
    mails: number | null
    sent_at: Time | null
  }
}

export interface Schema extends BatchSchema, ClusterSchema, SigningSchema {
  instance: { name: string; value: string }
  settings: { name: string; value: string }
  secrets: { name: string; sealed: Uint8Array }
  seal_roots: {
    id: string
    certificate: string
    sealed_key: Uint8Array
    not_after: Time
    list: Uint8Array
    list_number: number
    list_renew_at: Time
  }
  seal_certificates: {
    id: string
    root_id: string | null
    chain: string
    sha256: string
    algorithm: string
    sealed_key: Uint8Array
    created_at: Time
    not_after: Time
    revoked_at: Time | null
    revocation_reason: number | null
    /** Unused since warnings are alerts; it stays because its removal would gain nothing. */
    warned_days: number | null
    active: Flag
  }
  users: {
    id: string
    email: string
    name: string
    role: Generated<'admin' | 'member' | 'auditor'>
    password_hash: string
    created_at: Time
    language: string | null
    disabled_at: Time | null
    last_seen_at: Time | null
    last_sign_in_at: Time | null
    last_sign_in_methods: string | null
    warning_mails: Generated<Flag>
  }
  email_changes: {
    id: string
    user_id: string
    old_email: string
    new_email: string
    confirm_sha256: string
    stop_sha256: string
    requested_at: Time
    confirm_until: Time
    confirmed_at: Time | null
    stop_until: Time
  }
  invitations: {
    id: string
    email: string
    name: string
    role: 'admin' | 'member' | 'auditor'
    language: string | null
    token_sha256: string
    invited_by: string
    created_at: Time
    expires_at: Time
  }
  sessions: {
    token_sha256: string
    user_id: string
    created_at: Time
    confirmed_at: Time
    last_seen_at: Time
    user_agent: string | null
    ip: string | null
    methods: Generated<string>
    idle_minutes: number | null
  }
  sign_in_failures: { counter_sha256: string; failures: number; blocked_until: Time | null; at: Time }
  password_resets: { user_id: string; token_sha256: string; expires_at: Time; kind: Generated<string> }
  password_reset_requests: {
    mailbox_sha256: string
    email: string
    ip: string | null
    user_agent: string | null
    requested_at: Time
  }
  totp_secrets: { user_id: string; sealed_secret: Uint8Array; last_step: number; created_at: Time }
  totp_enrolments: { user_id: string; sealed_secret: Uint8Array; created_at: Time }
  recovery_codes: { user_id: string; code_hash: string; created_at: Time; used_at: Time | null }
  pending_sign_ins: { token_sha256: string; user_id: string; method: string; next: string; expires_at: Time }
  passkeys: {
    id: string
    user_id: string
    name: string
    public_key: Uint8Array
    counter: number
    transports: string
    is_backed_up: Flag
    created_at: Time
    last_used_at: Time | null
  }
  passkey_challenges: {
    challenge_sha256: string
    browser_sha256: string
    purpose: string
    user_id: string | null
    expires_at: Time
  }
  oidc_identities: {
    issuer: string
    subject: string
    user_id: string
    email: string
    linked_at: Time
    last_used_at: Time
  }
  oidc_requests: {
    state_sha256: string
    browser_sha256: string
    issuer: string
    purpose: string
    subject: string | null
    next: string
    created_at: Time
    expires_at: Time
  }
  template_uses: { template_id: string; used_at: Time }
  contacts: {
    id: string
    user_id: string
    mailbox: string
    email: string
    name: string
    locale: string | null
    search: string
    used_at: Time
    kept: Generated<Flag>
  }
  setup_links: { token_sha256: string; expires_at: Time }
  api_keys: {
    id: string
    owner_id: string | null
    name: string
    sha256: string
    prefix: string
    last_four: string
    scopes: string
    created_at: Time
    expires_at: Time | null
    revoked_at: Time | null
    last_used_at: Time | null
    last_used_ip: string | null
    end_noted_at: Time | null
  }
  files: { sha256: string; bytes: number; created_at: Time }
  file_claims: { id: string; sha256: string; purpose: string; boot: string; claimed_at: Time }
  file_holds: { id: string; until: Time }
  checkpoints: {
    id: string
    sequence: number
    hash: string
    tree_root: string
    peaks: string
    at: Time
    text: string
    stamped_at: Time | null
    authority: string | null
    witness_text: string | null
    witnessed_at: Time | null
  }
  witnessed_instances: {
    id: string
    name: string
    certificates: string
    instance: string | null
    sequence: Generated<number>
    tree_root: string | null
    seen_at: Time | null
    refused_at: Time | null
    refused_sequence: number | null
    refused_root: string | null
    added_at: Time
    removed_at: Time | null
  }
  witnessed_checkpoints: {
    id: string
    witnessed_id: string
    sequence: number
    tree_root: string
    received_at: Time
    statement: string
  }
  verify_pages: { sha256: string; first_used_at: Time; content: Uint8Array }
  backup_runs: {
    id: string
    cause: 'schedule' | 'request'
    boot: string
    started_at: Time
    ended_at: Time | null
    verdict: 'verified' | 'incomplete' | 'failed' | null
    file_name: string
    place: string
    bytes: number | null
    documents: number | null
    problem: string | null
    removed_at: Time | null
  }
  documents: {
    id: string
    owner_id: string | null
    title: string
    file_name: string
    status: string
    page_count: number
    message: string | null
    signing_order: string
    locale: string | null
    redirect_url: string | null
    allow_delegation: Flag
    device_key: string | null
    metadata: string
    labels: Generated<string>
    reminders: string | null
    expires_in_days: number
    created_at: Time
    sent_at: Time | null
    completed_at: Time | null
    expires_at: Time | null
    sealing_error: string | null
    sha256_original: string
    sha256_uploaded: string | null
    files: string | null
    sha256_sealed: string | null
    seal_level: string | null
    version: Generated<number>
    updated_at: Generated<Time>
    attention_from: Time | null
    attention_until: Time | null
    ended_at: Time | null
    held_at: Time | null
    hold_reason: string | null
    sender_fields: Generated<string>
    shared: Generated<Flag>
  }
  draft_changes: { document_id: string; path: string; version: number; at: Time; actor: string }
  document_search: { number: number; document_id: string; text: string }
  document_labels: { document_id: string; owner_id: string | null; label: string }
  document_counts: { owner_id: string; status: string; count: number }
  document_metadata: { document_id: string; key: string; value: string }
  device_keys: { recipient_id: string; credential_id: string; public_key: string; sha256: string; used_at: Time }
  time_stamp_chains: { sha256: string; pem: string }
  sealed_versions: {
    sha256: string
    document_id: string
    level: string
    sub_filter: Generated<string>
    made_at: Time
    time_stamp_chain: string | null
    augment_at: Time | null
  }
  recipients: {
    id: string
    document_id: string
    position: number
    email: string
    name: string
    role: string
    status: string
    signing_order: number
    locale: string | null
    verify: string | null
    access_code_hash: string | null
    access_code_tries: number
    access_code_wait_until: Time | null
    email_status: string
    link_version: number
    deliver_by: Generated<string>
    device_key: string | null
    pending_link: string | null
    sent_at: Time | null
    viewed_at: Time | null
    signed_at: Time | null
    declined_at: Time | null
    decline_reason: string | null
    signature: string | null
    initials: string | null
    consent_version: string | null
    consent_sha256: string | null
    reminders_sent: number
    last_mailed_at: Time | null
    next_reminder_at: Time | null
  }
  fields: {
    id: string
    recipient_id: string
    document_id: string
    position: number
    type: string
    page: number
    x: number
    y: number
    width: number
    height: number
    required: Flag
    read_only: Flag
    label: string | null
    placeholder: string | null
    value: string | null
    options: string
    max_length: number | null
    font_size: number | null
    date_format: string | null
    align: string | null
    rule: Flag | null
    covers: string | null
    name: string | null
    show_if: string | null
    boxes: Generated<string>
    min: number | null
    max: number | null
    accept: Generated<string>
    max_bytes: number | null
    file: string | null
  }
  events: { sequence: number; id: string; document_id: string | null; type: string; at: Time; entry: string; hash: string }
  document_sequence: { document_id: string; owner_id: string | null; number: number }
  public_events: { sequence: number; type: string; document_id: string; owner_id: string | null }
  public_event_data: { sequence: number; document_id: string; data: Uint8Array }
  event_details: { sequence: number; document_id: string | null; salt: string; personal: string }
  checks: {
    name: string
    boot: string
    actor: string
    started_at: Time
    finished_at: Time | null
    done: number
    total: number
    result: string | null
  }
  jobs: {
    id: string
    kind: 'mail' | 'webhook' | 'seal' | 'augment'
    subject: string
    lane: string
    document_id: string | null
    due_at: Time
    attempts: Generated<number>
    lease_boot: string | null
    state: Generated<'open' | 'done' | 'failed'>
    last_error: string | null
    created_at: Time
  }
  mails: {
    id: string
    kind: string
    document_id: string | null
    recipient_id: string | null
    recipient_name: string
    recipient_email: string
    status: 'queued' | 'accepted' | 'failed'
    reply: string | null
    created_at: Time
    sent_at: Time | null
    notice: string | null
  }
  alerts: {
    kind: string
    subject: string
    since: Time
    message: string
    step: number | null
    owner_id: string | null
    mail_due_at: Time | null
  }
  alert_mails: { kind: string; address: string; since: Time; count: number }
  webhooks: {
    id: string
    owner_id: string | null
    url: string
    events: string
    enabled: Flag
    disabled_reason: string | null
    sealed_secret: Uint8Array
    secret_last_four: string
    last_success_at: Time | null
    created_at: Time
    deleted_at: Time | null
    failures_from: Time | null
    description: string | null
  }
  webhook_former_secrets: { webhook_id: string; valid_until: Time; sealed_secret: Uint8Array }
  deliveries: {
    id: string
    webhook_id: string
    event_id: string
    document_id: string | null
    body: string
    status: 'pending' | 'delivered' | 'failed'
    created_at: Time
    is_test: Generated<Flag>
    type: string | null
  }
  delivery_attempts: {
    delivery_id: string
    number: number
    at: Time
    status: number | null
    error: string | null
    latency_ms: number
    answer: string
    request_headers: string | null
    answer_headers: string | null
  }
  idempotency_keys: {
    owner: string
    value: string
    fingerprint: string
    boot: string
    status: number | null
    sealed_body: Uint8Array | null
    created_at: Time
    expires_at: Time | null
    document_id: string | null
  }
}
