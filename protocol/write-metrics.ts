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
