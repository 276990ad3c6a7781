/** Files of SQLite: `runtime.db`, the fence of the state area, and the indexes of the search. */
export const stores = ['runtime', 'fence', 'search'] as const
export type Store = (typeof stores)[number]

/** The primary result codes of SQLite that a disk, a lock or damage causes; `other` is any other one. */
export const storeErrors = [
  'busy',
  'locked',
  'readonly',
  'ioerr',
  'corrupt',
  'full',
  'cantopen',
  'constraint',
  'notadb',
  'other',
] as const
export type StoreError = (typeof storeErrors)[number]

/** The invariants of the specification of which a host in production checks an instance. */
export const checkedInvariants = ['S14', 'S24', 'S27', 'S31', 'S32', 'S33'] as const
export type CheckedInvariant = (typeof checkedInvariants)[number]

/** The metrics of the files of SQLite, and of what must never happen. */
export const storeMetrics = {
  svc_store_transaction_seconds: {
    kind: 'histogram',
    labels: ['store'],
    help: 'Time of a write of SQLite with its fsync: a transaction, or a statement outside of one.',
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 5],
    values: { store: stores },
  },
  svc_store_errors_total: {
    kind: 'counter',
    labels: ['store', 'code'],
    help: 'Calls that SQLite refused, by its primary result code.',
    values: { store: stores, code: storeErrors },
  },
  svc_store_wal_bytes: {
    kind: 'gauge',
    labels: ['store'],
    help: 'Size of the write-ahead log; a checkpoint lets it be written again from its start.',
    values: { store: stores },
  },
  svc_invariant_violations_total: {
    kind: 'counter',
    labels: ['invariant'],
    help: 'Checks of an invariant that failed. Any but 0 is a defect of the daemon.',
    values: { invariant: checkedInvariants },
  },
} as const

/** The metrics of ticks: work that a host does by its own clock. Each metric has one series for each tick. */
export const tickMetrics = {
  svc_tick_duration_seconds: {
    kind: 'histogram',
    labels: ['tick'],
    help: 'Time from the begin of a tick that had work to its end.',
    buckets: [0.005, 0.05, 0.25, 1, 5, 15, 60, 300],
  },
  svc_tick_overruns_total: {
    kind: 'counter',
    labels: ['tick'],
    help: 'Ticks that took longer than their budget.',
  },
  svc_tick_failures_total: {
    kind: 'counter',
    labels: ['tick'],
    help: 'Ticks of workloads that ended with an error.',
  },
} as const

/** The arms of the write gate, in the order of their refusals. */
export const gateArms = [
  'snapshot_stale',
  'state_gone',
  'schema_new',
  'schema_old',
  'sync_stale',
  'read_only',
] as const
export type GateArm = (typeof gateArms)[number]

/** The metrics of the write gate. */
export const writeMetrics = {
  svc_write_gate_open: {
    kind: 'gauge',
    labels: ['arm'],
    values: { arm: gateArms },
    help: '1 where the arm lets writes pass.',
  },
  svc_write_gate_refusals_total: {
    kind: 'counter',
    labels: ['arm', 'dry_run'],
    help: 'Writes refused by the gate.',
    values: { arm: gateArms, dry_run: ['true', 'false'] },
  },
  svc_write_results_total: {
    kind: 'counter',
    labels: ['result'],
    values: { result: ['committed', 'unchanged', 'refused', 'dropped'] },
    help: 'Writes by how they ended: committed, unchanged, refused, or dropped because the caller had left.',
  },
  svc_write_batch_writes: {
    kind: 'histogram',
    labels: [],
    help: 'Writes that shared one landing.',
    buckets: [1, 2, 4, 8, 16, 32, 64],
  },
  svc_write_step_seconds: {
    kind: 'histogram',
    labels: ['step'],
    help: 'Time of the steps of a batch: look, land, publish.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
  },
  svc_write_replans_total: {
    kind: 'counter',
    labels: [],
    help: 'Batches planned again because the branch moved.',
  },
  svc_write_hook_failures_total: {
    kind: 'counter',
    labels: ['hook'],
    help: 'Hooks after a write that failed; the write is kept.',
  },
} as const
