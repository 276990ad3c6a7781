import type { FleetPeers, PeerReport } from '#protocol/fleet/peers.js'
import type { TakeoverAccepted } from '#protocol/fleet/takeover.js'
import type { SyncEnded } from '#protocol/host/sync.js'
import { escapeControls } from '../escape-controls.js'
import { formatColumns } from '../output.js'

/** What `kronika fleet status --help` says below the options. */
export const statusHelp =
  '\nTAKEOVER is candidate, or every reason why the town cannot become the apex.\n' +
  'With --watch the table is repainted every 2 s, until Ctrl-C. Into a pipe each look is printed below the last\n' +
  'one, with --json as one line.'

/** The detail of a refusal with what the route says of `force` as the option of the command. */
export const nameForceOption = (detail: string): string => detail.replace('send `force`', 'use --force')

/** The fleet as text: the apex, a row for each town, the refusals that a takeover would meet, the last takeover. */
export const describeFleet = (peers: FleetPeers): string =>
  [
    ...[describeApex(peers), ...describeLoss(peers), ...describeIsolation(peers)].map(escapeControls),
    '',
    tableOf(peers),
    '',
    ...[...describeOutlook(peers), describeJob(peers)].map(escapeControls),
  ].join('\n')

/** The answer to an accepted takeover as text: what was queued, and the failure that the job will meet. */
export const describeAccepted = (
  answer: TakeoverAccepted,
  { dryRun, wait }: { readonly dryRun: boolean; readonly wait: boolean },
): string => {
  const { target, queued, status, requestedUtc } = answer
  if (!queued)
    return (
      `${target} has a takeover already: ${status ?? 'queued'}, requested ${requestedUtc ?? 'before'}. ` +
      'Its reason and its force stay.'
    )
  const earlier = describeEarlier(answer)
  if (dryRun) return `${target} would become the apex. Nothing was queued.${earlier}`
  const hint = wait ? '' : ' kronika fleet status --watch shows how it ends.'
  return `The takeover by ${target} is queued.${hint}${earlier}`
}

/** What `kronika accept-rewrite` did or would do. */
export const describeRewrite = ({
  accepted,
  rewrite = null,
  parked,
  unpublished,
}: Pick<SyncEnded, 'accepted' | 'rewrite' | 'parked' | 'unpublished'>): string => {
  if (rewrite === null) return 'Nothing to accept: the remote has all that this host saw there.'
  const { seen, tip, commits, removed, related } = rewrite
  if (tip === null)
    return `The remote had ${seen} and no longer has the branch. Push it again, or set another server.sync_branch.`
  const done = [
    `Done. ${unpublished ?? 0} commits wait to be published.`,
    'Kept here for a person:',
    ...list(parked.map(({ ref, commit }) => `${ref} ${commit}`)),
  ]
  const isPurge = seen === tip
  const gone = isPurge ? 'were purged' : 'the remote no longer has'
  return [
    isPurge
      ? `Commits of this host would bring back what was purged; the remote has ${tip}.`
      : `The remote had ${seen} and has ${tip} without it now.`,
    ...(related ? [] : [unrelatedWords]),
    `Commits of this host that are made again on it: ${commits.length}.`,
    ...list(commits.map(({ id, subject }) => `${id.slice(0, 12)} ${subject}`)),
    `Files with versions that ${gone}, which this host never publishes again: ${removed.length}.`,
    ...list(removed),
    ...(accepted === true
      ? done
      : [
          'The branch as it is stays here under refs/svc/parked/. Nothing was changed; run it again with --yes.',
        ]),
  ].join('\n')
}

const heading = ['TOWN', 'ROLE', 'ANSWERS', 'MISSES', 'SYNC AGE', 'OBSERVED', 'TAKEOVER']

const unrelatedWords =
  'THE TWO HAVE NO COMMIT IN COMMON: the history was rewritten from its first commit on, or the remote is another ' +
  'repository. Look at it before you accept: this host then serves what is there.'

const unknown = '-'

const describeMinutes = (minutes: number | null): string => (minutes === null ? unknown : `${minutes} min`)

/** The time since an observation, on the clock of the host that observed. */
const describeAge = (thenUtc: string, nowUtc: string): string => {
  const seconds = Math.max(0, Math.round((Date.parse(nowUtc) - Date.parse(thenUtc)) / 1_000))
  return seconds < 120 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`
}

const describeAnswer = ({ reachable, failure, late, settling, flapping }: PeerReport): string => {
  const flaps = flapping ? ['flapping'] : []
  if (!reachable) return [`no: ${failure ?? 'unknown'}`, ...flaps].join(', ')
  return ['yes', ...(late ? ['late'] : []), ...(settling ? ['settling'] : []), ...flaps].join(', ')
}

const cellsOf = (peer: PeerReport, nowUtc: string): ReadonlyArray<string> => [
  peer.role === null ? unknown : peer.role || 'no role',
  describeAnswer(peer),
  String(peer.consecutiveMisses),
  describeMinutes(peer.syncAgeMinutes),
  describeAge(peer.observedUtc, nowUtc),
]

const rowOf = (peers: FleetPeers, town: string): ReadonlyArray<string> => {
  const { items, self } = peers
  if (town === self.town)
    return [self.role || 'no role', 'this host', '0', describeMinutes(self.syncAgeMinutes), 'now']
  const peer = items.find(one => one.town === town)
  return peer === undefined
    ? [unknown, 'not observed', unknown, unknown, unknown]
    : cellsOf(peer, self.nowUtc)
}

const describeReasons = (reasons: ReadonlyArray<string>): string =>
  reasons.length === 0 ? 'candidate' : `no: ${reasons.join(', ')}`

/** The towns of the topology; off the fleet, and after a change of the file, those that were observed. */
const tableOf = (peers: FleetPeers): string => {
  const { self, items, takeover } = peers
  const outlooks = new Map(takeover.towns.map(one => [one.town, describeReasons(one.reasons)]))
  const observed = [self.town, ...items.map(({ town }) => town)].filter(town => town !== '')
  const towns = [...new Set([...outlooks.keys(), ...observed])].sort()
  const rows = towns.map(town => [
    town,
    ...rowOf(peers, town),
    outlooks.get(town) ?? 'no: not in the topology',
  ])
  return formatColumns([heading, ...rows.map(row => row.map(escapeControls))])
}

const describeApex = ({ takeover: { apex }, self }: FleetPeers): string => {
  const own = self.town === '' ? 'this host has no town' : `this host is ${self.town}`
  if (apex === null) return `no apex: this host obeys no topology (.svc/fleet.json); ${own}`
  return `apex: ${apex}; ${own}`
}

/** Why this host has no place in the fleet, and what to do; nothing where it has one, or is in no fleet. */
const describeLoss = ({ takeover: { apex, towns }, self }: FleetPeers): ReadonlyArray<string> => {
  if (apex === null)
    return self.role === ''
      ? []
      : [
          'This host is ReadOnly until it fetches a valid .svc/fleet.json. Look for fleet_finding in its log, and at ' +
            'lastAction of GET /sync.',
        ]
  const names = towns.map(({ town }) => town)
  if (names.includes(self.town)) return []
  const own = self.town === '' ? 'a host without a town' : self.town
  return [
    `This host is ReadOnly: .svc/fleet.json does not list ${own}. Start it with --town and one of ` +
      `${[...names].sort().join(', ')}, or add its town to the file.`,
  ]
}

/** Why this host suspects no town, where every town and the remote fail. */
const describeIsolation = ({ isolated }: FleetPeers): ReadonlyArray<string> =>
  isolated
    ? [
        'Every town and the remote fail, so the cause may be this host or its network: it suspects no town until one ' +
          'of them, or the forge, answers.',
      ]
    : []

const describeOutlook = ({ takeover: { refusals, towns } }: FleetPeers): ReadonlyArray<string> => {
  if (refusals.length > 0)
    return [
      'A takeover now would be refused:',
      ...refusals.map(({ error, detail }) => `  ${error}: ${nameForceOption(detail)}`),
    ]
  const candidate = towns.find(({ reasons }) => reasons.length === 0)?.town ?? 'none'
  return [`A takeover now would be accepted; ${candidate} would become the apex.`]
}

const describeJob = ({ takeover: { job }, self }: FleetPeers): string => {
  if (job === null) return 'No takeover was asked for on this host.'
  const { target, status, requestedUtc, reason, failure, detail, mrUrl, lastError } = job
  const why = failure === null ? '' : `, ${failure}: ${detail ?? ''}`
  const error =
    lastError === null ? '' : `, last error ${describeAge(lastError.atUtc, self.nowUtc)}: ${lastError.detail}`
  const where = mrUrl === null ? '' : ` (${mrUrl})`
  return `Last takeover: ${target}, requested ${requestedUtc}: ${reason} – ${status}${why}${error}${where}`
}

type EarlierFailure = NonNullable<TakeoverAccepted['earlierFailure']>

/** What a person can do about a failure that the next job meets again. */
const remedies: Readonly<Record<EarlierFailure, string>> = {
  vetoed: 'a person closed its request. Reopen the request',
  foreign_claim: 'its branch is not that of a takeover. Delete the branch at the remote',
  conflicting: 'its request conflicts with the branch. Converge, and ask again',
}

const describeEarlier = ({ earlierFailure: failure }: TakeoverAccepted): string =>
  failure === undefined
    ? ''
    : ` The last job for this version of .svc/fleet.json failed as ${failure}: ${remedies[failure]}, or change the ` +
      'file by hand; until then a job fails again.'

const linesMax = 50

/** The first items on lines of their own, and how many follow. */
const list = (items: ReadonlyArray<string>): ReadonlyArray<string> => {
  const more = items.length - linesMax
  return [...items.slice(0, linesMax).map(one => `  ${one}`), ...(more > 0 ? [`  and ${more} more`] : [])]
}
