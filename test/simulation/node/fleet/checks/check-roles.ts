import type { CommitId } from '#protocol/atoms.js'
import type { StatusCard } from '#protocol/fleet/peers.js'
import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import { cardRoleOf, type FleetRole, isApexRole } from '#src/domain/fleet/role.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { Life } from '#test/simulation/node/weather.js'
import type { FleetMember, FleetRunning } from '../fleet-host.js'
import type { FleetHistory } from '../model/fleet-history.js'
import { readPlainTopology } from '../model/topology-files.js'

/** The roles of the hosts, held against S1, S2 and S10, and against what the published branch says. */
export interface RoleChecks {
  /** The host reads the file of the fleet at a commit. */
  readonly reads: (host: FleetMember, life: Life, commit: CommitId) => void
  /** The commit at which the process of this host last read the file; null before. */
  readonly readAt: (host: FleetMember) => CommitId | null
  readonly follows: (host: FleetMember, life: Life, state: FleetState) => void
  /** A host shows its card to another one. */
  readonly shown: (host: FleetMember, running: FleetRunning, card: StatusCard) => void
  /** The host finished a full converge. */
  readonly converged: (host: FleetMember, life: Life) => void
  /** The host acts as the apex: by a write of a client, or by a duty. */
  readonly acts: (host: FleetMember, what: string) => void
}

interface Reading {
  readonly life: number
  readonly at: CommitId | null
  readonly convergedMs: number | null
  readonly role: FleetRole | null
}

const cardKeys =
  'bootId,bootUtc,imageDigest,nowUtc,role,schemaVersion,syncAgeMinutes,town,uptimeSeconds,version'

export interface RoleCheckParts {
  readonly trace: Trace
  readonly history: FleetHistory
  readonly nowMs: () => number
  /** The oldest sync with which a host may act, on the fastest and slowest clock. */
  readonly actsWithinMs: number
  /** Whether the second commit has the first one in its history, or is it. */
  readonly isAncestor: (ancestor: CommitId, commit: CommitId) => boolean
}

export const roleChecks = ({
  trace,
  history,
  nowMs,
  actsWithinMs,
  isAncestor,
}: RoleCheckParts): RoleChecks => {
  const { violation, mark } = trace
  const readings = new Map<string, Reading>()
  const readingOf = ({ name, lives }: FleetMember): Reading => {
    const known = readings.get(name)
    return known?.life === lives ? known : { life: lives, at: null, convergedMs: null, role: null }
  }
  const note = (host: FleetMember, change: Partial<Reading>): void =>
    void readings.set(host.name, { ...readingOf(host), ...change })

  const roleAt = (name: string, commit: CommitId | null): FleetRole => {
    if (commit === null) return 'replica'
    const topology = readPlainTopology(history.textAt(commit))
    const own = topology?.towns[name]
    if (topology === null || own === undefined || topology.towns[topology.apex] === undefined) return 'lost'
    if (topology.apex !== name) return 'replica'
    return own.steppingDown === true ? 'stepping-down' : 'primary'
  }

  const markRole = (host: FleetMember, before: FleetRole | null, role: FleetRole): void => {
    const believers = [...readings].filter(([, one]) => one.role !== null && isApexRole(one.role))
    if (believers.length > 1) mark('two hosts believed to be the apex')
    if (role === 'lost') mark('a host lost its role by the file')
    if (before !== null && isApexRole(before) && role === 'replica') mark('an apex was demoted')
    if (before === null && host.lives > 1 && isApexRole(role)) mark('an apex came back')
  }

  return {
    reads: (host, life, commit) => {
      if (life.isOver) return
      const { fetched } = host.repository
      if (fetched === null || !isAncestor(commit, fetched))
        violation(`${host.name} reads the file at a commit that it has not fetched (S1)`)
      note(host, { at: commit })
    },
    readAt: host => readingOf(host).at,
    follows: (host, life, state) => {
      if (life.isOver) return
      const { at, role: before } = readingOf(host)
      const expected = roleAt(host.name, at)
      if (state.role !== expected)
        violation(`${host.name} is ${state.role}, and its fetched file makes it ${expected} (S1)`)
      if (state.findings.some(({ kind }) => kind === 'TermNotRaised')) mark('a flip did not raise the term')
      note(host, { role: state.role })
      markRole(host, before, state.role)
    },
    shown: (host, { watch }, card) => {
      const { role } = watch.state()
      const expected = roleAt(host.name, readingOf(host).at)
      if (cardRoleOf(role) !== cardRoleOf(expected))
        violation(`${host.name} shows the role ${role}, and its fetched file makes it ${expected} (S1)`)
      if (card.town !== host.name) violation(`${host.name} shows the card of another town (S10)`)
      if (!hasCardKeys(card)) violation(`${host.name} shows a card with other keys than its ten (S10)`)
      if (card.role !== cardRoleOf(expected)) violation(`${host.name} shows the role ${card.role} (S10)`)
    },
    converged: (host, life) => {
      if (!life.isOver) note(host, { convergedMs: nowMs() })
    },
    acts: (host, what) => {
      const { at, convergedMs } = readingOf(host)
      if (!isApexRole(roleAt(host.name, at)))
        violation(`${host.name} ${what}, and its fetched file gives that to another town (S2)`)
      if (convergedMs === null) violation(`${host.name} ${what} before its first converge of this boot (S2)`)
      else if (nowMs() - convergedMs > actsWithinMs)
        violation(`${host.name} ${what} with a sync of ${Math.round((nowMs() - convergedMs) / 1_000)} s (S2)`)
    },
  }
}

/** Whether a card has the ten keys and no other (S10). */
export const hasCardKeys = (card: object): boolean => Object.keys(card).sort().join() === cardKeys
