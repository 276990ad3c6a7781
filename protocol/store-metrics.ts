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
