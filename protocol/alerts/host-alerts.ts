import { type AlertTable, alertQuery, queryWindow } from './alert.js'

/** The alerts of one host: its actors, its threads and its gate. */
export const hostAlerts = {
  KronikaHostDown: {
    severity: 'critical',
    query: alertQuery`up{job="kronika"} == 0`,
    holdSeconds: 120,
    summary: 'Prometheus cannot scrape {{ $labels.instance }}.',
    means:
      'The process of the host has ended, hangs, or its operations listener has another port. No other alert of ' +
      'the host can fire meanwhile. A whole machine that is gone sends no sample at all: where each machine ' +
      'sends its own samples on, add a rule with `absent(up{job="kronika",instance="TOWN"})` for each host.',
    look: [
      'The last lines of the log, and the exit code of the process ([exit codes](../reference/exit-codes.md)).',
      '`kronika doctor` in the checkout.',
    ],
    act: [
      'Start the host again. Codes 64, 69, 74 and 75 need a person first: the log says what to mend.',
      'Where the apex does not come back, [another host takes over](../howto/fleet/when-the-apex-is-dead.md).',
    ],
  },
  KronikaWritesRefused: {
    severity: 'critical',
    query: alertQuery`${'svc_write_gate_open'} == 0
      unless on (job, instance) ${'svc_fleet_role'}{role="replica"} == 1`,
    holdSeconds: 60,
    summary: 'The arm {{ $labels.arm }} of the write gate is closed.',
    means:
      'The host answers reads and refuses every write. A replica of a fleet refuses writes by ' +
      'its role and raises no alert.',
    look: ['`GET /health`: `mode` and `blocked`.', 'The log: `writes_refused` with the reason.'],
    act: [
      '[When a host refuses writes](../howto/operate/when-a-host-refuses-writes.md) has a row for ' +
        'each reason.',
    ],
  },
  KronikaActorStuck: {
    severity: 'critical',
    query: alertQuery`${'svc_actor_state'}{state="stuck"} == 1`,
    holdSeconds: 0,
    summary: 'The actor {{ $labels.actor }} is stuck.',
    means:
      'An effect of the actor has taken longer than it may, and its mailbox waits behind it. ' +
      'What the actor does for the host does not happen.',
    look: [
      'The table of actors in [the architecture](../architecture.md): what the actor does.',
      'The log of the actor; load, memory and disk of the machine.',
    ],
    act: [
      'Start the host again: accepted work is on the disk and goes on.',
      'Report it with the log if the machine had processor time and a working disk. It is a defect.',
    ],
  },
  KronikaActorRestarts: {
    severity: 'warning',
    // More than 5 restarts of an actor in a minute are above its budget, so a crash loop never shows 0.1 a second for
    // 5 minutes: the group above it restarts, and the process ends. What it does show is a handful of restarts.
    query: alertQuery`sum by (job, instance) (increase(${'svc_actor_restarts_total'}${queryWindow(900)})) > 4`,
    holdSeconds: 0,
    summary: 'Actors restarted more than four times within 15 minutes.',
    means:
      'A fault repeats itself. When the budget of a supervisor is spent, the supervisor above ' +
      'restarts the group, and at last the process ends with 70.',
    look: [
      '`svc_actor_restarts_total` by `actor` and `cause`; `svc_supervisor_restarts_in_window`.',
      'The log of that actor: the error and its stack.',
    ],
    act: [
      'Remove what the error names, such as a full disk.',
      'Otherwise report the error with its stack. It is a defect.',
    ],
  },
  KronikaInvariantViolated: {
    severity: 'critical',
    query: alertQuery`increase(${'svc_invariant_violations_total'}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'A check of the invariant {{ $labels.invariant }} failed within the last 30 minutes.',
    means:
      'The daemon found itself in a state that must never occur. It is a defect of the daemon, and data may be ' +
      'affected. The alert ends 30 minutes after the last failed check.',
    look: [
      '[Invariants](../spec/metrics.md#invariants): what the invariant says and when it is checked.',
      'The log of that time: `journal_out_of_sequence` (`S27`), the fault of an actor (`S32`), the converge (`S14`).',
    ],
    act: [
      'Keep a copy of `.svc/state/` and of the log, and report both. It is a defect.',
      'Start the host again. If the check fails again, stop the host and let another host of the fleet take over.',
    ],
  },
  KronikaReaderThreadsMissing: {
    severity: 'warning',
    query: alertQuery`${'svc_reader_threads_live'} < ${'svc_reader_threads'}`,
    holdSeconds: 300,
    summary: 'Fewer reader threads answer than are wanted.',
    means: 'Reads are slower: the other threads answer, and without any thread the main thread does.',
    look: [
      '`svc_reader_ends_total` by `cause`.',
      'The log: `reader_ended`, `reader_poison`, ' + '`reader_overdue`.',
    ],
    act: [
      '[When a reader thread ends](../howto/operate/when-a-reader-thread-ends.md) has a row for ' +
        'each cause.',
    ],
  },
} as const satisfies AlertTable
