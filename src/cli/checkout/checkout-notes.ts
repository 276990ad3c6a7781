import type { IntegrityFinding } from '#protocol/finding.js'
import { blockCodes, type CheckoutFault, stateGoneMend } from '#protocol/host/discovery.js'
import type { ConvergeFailure, SyncAction } from '#protocol/host/sync.js'
import type { ConfigFault } from '#src/domain/config/read-config.js'
import type { ForgeAddressFault } from '#src/domain/forge/wire.js'
import { type Finding, integrityOf } from '#src/domain/lore/finding.js'
import type { CheckoutState, ParkedWork } from '#src/ports/git.js'
import { quoteWord } from '../output.js'

/** The note for a directory without git: it can be read, but may not be the one that was meant. */
export const plainDirectory = (directory: string): IntegrityFinding =>
  note({
    Kind: 'NoGitCheckout',
    Severity: 'Info',
    Subject: directory,
    Detail:
      'This directory is not a git checkout. Its files are read as they are, and a host serves it read-only.',
    Suggestion: 'Name the lore checkout with --repo, unless you mean the plain directory.',
  })

/** A note on the checkout as a whole, without file and line. */
const note = (of: Note): IntegrityFinding => ({ ...of, File: null, Line: null })

/** The note for an edit without effect: only the committed configuration is read. */
export const uncommittedConfig = note({
  Kind: 'ConfigUncommitted',
  Severity: 'Warning',
  Subject: '.svc/config.json',
  Detail: '.svc/config.json has uncommitted changes, which no host reads.',
  Suggestion: 'Commit them and restart the host; git diff HEAD -- .svc/config.json shows them.',
})

/** The note for an uncommitted configuration that no host would use. */
export const noteOfBrokenEdit = ({ line, column, reason }: ConfigFault): IntegrityFinding => ({
  Kind: 'ConfigInvalid',
  Severity: 'Warning',
  Subject: '.svc/config.json',
  Detail:
    `The uncommitted .svc/config.json does not parse at line ${line}, column ${column}: ${reason}. ` +
    'Once it is committed, a host uses an earlier version, or the defaults.',
  File: '.svc/config.json',
  Line: line,
  Suggestion: 'Fix that place before you commit the file.',
})

/** The note for a wrong value or key of an uncommitted configuration. */
export const invalidEdit = (finding: Finding): IntegrityFinding => {
  const { Detail, ...rest } = integrityOf(finding)
  return { ...rest, Subject: '.svc/config.json', Detail: `In the uncommitted .svc/config.json: ${Detail}` }
}

/** The note for a file with uncommitted work: every write that touches it is refused. */
export const dirtyNote = (path: string): IntegrityFinding =>
  note({
    Kind: 'WorkTreeDirty',
    Severity: 'Warning',
    Subject: path,
    Detail: 'This file has uncommitted changes, so a write that touches it is refused.',
    Suggestion: 'Commit or stash the changes; git diff HEAD shows them.',
  })

/** The note on a fault of the checkout, with the words of the table of `blocked`. */
export const faultNote = ({ code, reason, files }: CheckoutFault): IntegrityFinding =>
  note({
    Kind: code === 'index_lock' ? 'IndexLocked' : 'CheckoutBlocked',
    Severity: 'Warning',
    Subject: files[0] ?? code,
    Detail: `${reason} So every write that needs it is refused (${code}).`,
    Suggestion: blockCodes[code].mend,
  })

/** What is missing of the state area that a checkout was last served with. */
export interface LostState {
  readonly path: string
  /** Whether another state area is at its path. */
  readonly isReplaced: boolean
  readonly lost: ReadonlyArray<string>
}

/**
 * The note for a lost state area: a running host refuses writes; one that starts begins with an empty area.
 */
export const stateLossNote = ({ path, isReplaced, lost }: LostState): IntegrityFinding =>
  note({
    Kind: 'StateAreaLost',
    Severity: 'Error',
    Subject: path,
    Detail:
      `${isReplaced ? 'This is not the state area that the host of this checkout used' : 'This is gone'}; ` +
      `lost with it: ${lost.join(', ')}.`,
    Suggestion: stateGoneMend,
  })

/** The note for a damaged record of what the operator trusts, without which no host starts. */
export const trustNote = (why: string): IntegrityFinding =>
  note({
    Kind: 'TrustUnreadable',
    Severity: 'Error',
    Subject: 'trust.json',
    Detail: `The file trust.json of the state area is damaged (${why}), so no host starts with it.`,
    Suggestion: 'Put a copy back; docs/spec/security.md says what a start without the file does.',
  })

export const readOnlyNote = note({
  Kind: 'ReadOnlyMode',
  Severity: 'Info',
  Subject: 'server.read_only',
  Detail: 'The configuration starts the host in mode ReadOnly, so it takes no writes.',
  Suggestion:
    'POST /admin/mode with "read-write" allows writes until the next start; remove the key for good.',
})

/** The note for mode `mr` with a forge that no host can call; `key` is what to set below `integrations.forge`. */
export const unusableForgeNote = (key: ForgeAddressFault): IntegrityFinding =>
  note({
    Kind: 'ForgeUnusable',
    Severity: 'Warning',
    Subject: `integrations.forge.${key}`,
    Detail:
      `server.publish_mode is "mr", and integrations.forge.${key} is missing or not usable, ` +
      'so nothing is published.',
    Suggestion:
      'Commit integrations.forge.api_url, which ends in /api/v4, or give each host SVC_FORGE_URL; commit ' +
      'integrations.forge.project; give each host SVC_FORGE_TOKEN, and restart it.',
  })

/**
 * The note for the last failed converge of a host that serves this checkout; `address` null: the remote no
 * longer exists.
 */
export const convergeNote = (
  { at, action, detail }: ConvergeFailure,
  remote: string,
  address: string | null,
): IntegrityFinding => {
  const where = address === null ? remote : `${remote} (${address})`
  const why = detail === null ? '' : `: ${detail.replace(/\.$/u, '')}`
  return note({
    Kind: 'ConvergeFailed',
    Severity: 'Warning',
    Subject: remote,
    Detail: `The last converge with ${where} failed at ${at} with ${action}${why}.`,
    Suggestion: mendOf(action, remote),
  })
}

/** What the operator should know of a checkout that follows this remote, most serious first. */
export const checkoutNotes = (state: CheckoutState, remote: string): ReadonlyArray<IntegrityFinding> => [
  ...(state.branch === null ? [onNoBranch] : []),
  ...state.parked.map(one => parkNote(one, state.branch)),
  remoteNote(remote, state.remote),
  ...(state.pushRemote === state.remote || state.pushRemote === null
    ? []
    : [pushesElsewhere(remote, state.remote, state.pushRemote)]),
  ...(state.unpublished === null || state.unpublished === 0 ? [] : [backlogNote(remote, state.unpublished)]),
]

type Note = Omit<IntegrityFinding, 'File' | 'Line'>

const onNoBranch = note({
  Kind: 'HeadOnNoBranch',
  Severity: 'Error',
  Subject: 'HEAD',
  Detail: 'HEAD is on no branch, so writes are refused.',
  Suggestion:
    'git switch BRANCH goes back to the branch that is served; git switch -c NAME keeps commits made here.',
})

const remoteNote = (name: string, address: string | null): IntegrityFinding =>
  note(
    address === null
      ? {
          Kind: 'NoRemote',
          Severity: 'Info',
          Subject: name,
          Detail: `There is no git remote ${name} (server.sync_remote), so nothing is fetched or published.`,
          Suggestion: `Run git remote add ${name} URL, unless this is the only host.`,
        }
      : {
          Kind: 'Remote',
          Severity: 'Info',
          Subject: name,
          Detail: `The remote ${name} (server.sync_remote) is ${address}.`,
          Suggestion: null,
        },
  )

/** The note for a remote that a push would not reach: `pushurl` or `pushInsteadOf` leads elsewhere. */
const pushesElsewhere = (name: string, fetched: string | null, pushed: string): IntegrityFinding =>
  note({
    Kind: 'PushesElsewhere',
    Severity: 'Warning',
    Subject: name,
    Detail:
      `The remote ${name} is fetched from ${fetched ?? 'nowhere'} and pushed to ${pushed}. Unless both are one ` +
      'repository, the commits of this host reach no other host.',
    Suggestion:
      `git remote get-url --push ${name} shows the second address; git config --unset remote.${name}.pushurl ` +
      'takes it away, unless a url.*.pushInsteadOf makes it.',
  })

const backlogNote = (name: string, count: number): IntegrityFinding =>
  note({
    Kind: 'Unpublished',
    Severity: 'Info',
    Subject: name,
    Detail: `${count} commit${count === 1 ? ' is' : 's are'} not published, as of the last fetch of this host.`,
    Suggestion:
      'GET /sync says how the last converge ended. Where its publishMode is none, the running host publishes ' +
      'nothing: commit server.publish_mode "push" and restart the host. Otherwise POST /sync publishes now.',
  })

/**
 * What the operator does after a failed converge of this kind; the host recovers from the other failures by
 * retrying.
 */
const mends: Readonly<Partial<Record<SyncAction, string>>> = {
  auth_failed:
    'Give the user of this host the right to read and push there; check with git ls-remote REMOTE as that user.',
  unreachable: 'Check git ls-remote REMOTE; fix the network, or run git remote set-url REMOTE URL.',
  timeout: 'Check git ls-remote REMOTE; fix the network, or run git remote set-url REMOTE URL.',
  transport_refused:
    'Set a file, ssh or https address, or http of this machine, with git remote set-url REMOTE URL.',
  work_tree_dirty: 'Commit or stash the changed files; git status lists them.',
  push_rejected: 'Let the remote accept pushes of this host: check its hooks and its protected branches.',
  forge_refused:
    'Set integrations.forge and SVC_FORGE_TOKEN, and give its member the right to open and merge requests.',
  shallow_clone:
    'Run git fetch --unshallow REMOTE; do not make a new clone: commits that are only in this one would be lost.',
  history_rewritten:
    'Run kronika accept-rewrite, which shows what it would do; see docs/howto/fleet/purge-from-history.md.',
  history_purged:
    'Take it out of the remote again; where it is in commits of this host, kronika accept-rewrite --yes takes it out.',
  no_common_history:
    'Point REMOTE at the repository that this checkout was cloned from, or clone the other one.',
}

const mendOf = (action: SyncAction, remote: string): string =>
  mends[action]?.replaceAll('REMOTE', () => remote) ??
  'The host tries again by itself; POST /sync tries at once and returns how it ended.'

/** The most conflicts of one merge that a note names; `git diff` shows all. */
const conflictsMax = 20

const conflictWords = (conflicts: ReadonlyArray<string>): string => {
  const more = conflicts.length - conflictsMax
  const named = conflicts.slice(0, conflictsMax).join('; ')
  return named === '' ? '' : ` Left out: ${named}${more > 0 ? ` and ${more} more` : ''}.`
}

/** The branch as it was before an accepted rewrite has no list of conflicts: it is no merge of the host. */
const keptNote = (ref: string): IntegrityFinding =>
  note({
    Kind: 'Parked',
    Severity: 'Warning',
    Subject: ref,
    Detail:
      'This is the branch as it was before a rewritten history was accepted here. It may hold what was purged.',
    Suggestion: `Once nothing in it is needed, run git update-ref -d ${quoteWord(ref)}. Do not merge it.`,
  })

const parkNote = ({ ref, conflicts }: ParkedWork, branch: string | null): IntegrityFinding =>
  conflicts.length === 0
    ? keptNote(ref)
    : note({
        Kind: 'Parked',
        Severity: 'Warning',
        Subject: ref,
        Detail: `A merge left out a change of this host, and a person must decide about it.${conflictWords(conflicts)}`,
        Suggestion:
          `git diff ${branch ?? 'HEAD'} ${quoteWord(ref)} shows the change. Send what you want to keep through ` +
          `the routes, then run git update-ref -d ${quoteWord(ref)}.`,
      })
