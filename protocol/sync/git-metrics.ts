/** The commands of git that a host runs; `other` is a command that is missing here. */
export const gitCommands = [
  'blame',
  'cat-file',
  'check-attr',
  'commit-tree',
  'config',
  'count-objects',
  'diff',
  'diff-index',
  'diff-tree',
  'fetch',
  'for-each-ref',
  'gc',
  'hash-object',
  'log',
  'ls-remote',
  'ls-tree',
  'merge-base',
  'merge-file',
  'merge-tree',
  'push',
  'read-tree',
  'remote',
  'repack',
  'rev-list',
  'rev-parse',
  'show',
  'symbolic-ref',
  'update-index',
  'update-ref',
  'write-tree',
  'other',
] as const
export type GitCommand = (typeof gitCommands)[number]

/**
 * How a process of git ended: exit code 0; exit code 1, by which many commands answer no; another code; by a signal,
 * such as that of our time limit; or not started at all.
 */
export const gitResults = ['ok', 'exit_1', 'failed', 'killed', 'not_started'] as const
export type GitProcessResult = (typeof gitResults)[number]

/** Which lock of git was removed; `ref` is that of any ref, `log` of its reflog, `objects` of the commit graph. */
export const gitLocks = ['index', 'head', 'ref', 'log', 'packed_refs', 'gc', 'objects'] as const
export type GitLock = (typeof gitLocks)[number]

/** The metrics of the processes of git, and of what they leave when they are killed. */
export const gitMetrics = {
  svc_git_commands_total: {
    kind: 'counter',
    labels: ['command', 'result'],
    help: 'Processes of git that ended, by command and exit.',
    values: { command: gitCommands, result: gitResults },
  },
  svc_git_command_duration_seconds: {
    kind: 'histogram',
    labels: ['command'],
    help: 'Time from the start of a process of git to its end; a cat-file lives for many questions.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    values: { command: gitCommands },
  },
  svc_git_stale_locks_removed_total: {
    kind: 'counter',
    labels: ['lock'],
    help: 'Locks of git that a killed process of this host left, and that the host removed or took over.',
    values: { lock: gitLocks },
  },
  svc_git_recoveries_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Writes that a crash left unfinished: found on the branch (intent_found), or not made (intent_lost).',
    values: { kind: ['intent_found', 'intent_lost'] },
  },
} as const
