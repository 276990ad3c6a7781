import type { Descriptions } from '../description.js'

/** Fields that `GET /health` and `GET /sync` share. */
export const syncFields = {
  enabled: 'True when a remote is configured.',
  stale: 'True when the last complete converge is older than `staleAfterMinutes`.',
  publishMode: 'How commits are published: by push, by merge request, or not at all.',
  intervalMinutes: 'Minutes between two converges.',
  staleAfterMinutes: 'Minutes after which a converge counts as too old; 0 for never.',
  lastConvergeOkUtc:
    'When a converge last did all that its mode asks, ISO 8601 in UTC; null before the first.',
  lastAction: 'How the last converge ended; null before the first.',
  request: 'In mode `mr`, the merge request that publishes the commits of this host; null without one.',
} as const

/** Fields of `GET /sync`, which the answer of a refused converge has too. */
export const syncStatusFields = {
  ...syncFields,
  git: 'True when the served directory is a git repository.',
  remote: 'Address of the remote without credentials; null without one.',
  lastDetail: 'Why the last converge failed or what it left; null when there is nothing to tell.',
  unpublished: 'Number of commits that the remote was not seen to have; null when unknown.',
  mode: 'Whether the daemon takes writes.',
  modeReason: 'Why the daemon is read-only; null when it is not.',
  blocked: 'What keeps this host from writing, or will.',
  parked: 'Sides of true conflicts that were set aside for a person.',
} as const

const treesField = {
  trees: 'The trees of `corpora.*` that this host writes beside the lore; absent without one.',
} as const

export const parkedFields = { ref: 'Name of the git ref.', commit: 'Commit that it names.' } as const

export const publishRequestFields = {
  iid: 'Number of the request in its project.',
  url: 'Page of the request.',
  state: '`opened`, `closed`, `locked` while the forge merges, or `merged`.',
  status: "What the request waits for, in the forge's words; null where it names nothing.",
} as const

export const syncDescriptions: Descriptions = {
  SyncStatus: { ...syncStatusFields, ...treesField },
  'SyncStatus.parked': parkedFields,
  PublishRequest: publishRequestFields,
  SyncEnded: {
    ...syncStatusFields,
    ...treesField,
    accepted:
      'Only with `acceptRewrite`: true when the branch of this host has the new history; false in a dry run.',
    rewrite:
      'Only with `acceptRewrite`: what was to be accepted; null when the remote has all that this host saw there.',
  },
  'SyncEnded.parked': parkedFields,
  TreeSync: {
    tree: 'The tree, by the end of its key `corpora.*`.',
    enabled: syncFields.enabled,
    stale: 'True when its last complete converge is too old for writes to it.',
    remote: syncStatusFields.remote,
    lastConvergeOkUtc: syncFields.lastConvergeOkUtc,
    lastAction: syncFields.lastAction,
    lastDetail: syncStatusFields.lastDetail,
    unpublished: syncStatusFields.unpublished,
    parked: syncStatusFields.parked,
  },
  'TreeSync.parked': parkedFields,
  WantedSync: { acceptRewrite: 'Also take a history that the remote was given; needs `admin.migrate`.' },
  RewritePlan: {
    seen: 'Commit that the remote had when this host saw it last.',
    tip: 'Commit that the remote has now; null when the branch is gone.',
    commits: 'Commits of this host that the remote never had, which are made again on the new history.',
    removed:
      'Paths of file versions that the new history no longer has; this host never publishes them again.',
    related:
      'False when the two histories have no commit in common: it goes back to the first commit, or is of another ' +
      'repository.',
  },
  'RewritePlan.commits': { id: 'Id of the commit.', subject: 'First line of its message.' },
}
