import { isLeft } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import { lastStateArea } from '#src/adapters/state/state-record.js'
import { readLintRecord } from '#src/adapters/sync/records.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import { findingsOfTopology, hostFleetKinds } from '#src/domain/fleet/role.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { TreeSource } from '#src/ports/git.js'
import { topologyReader } from '../fleet/role/read-topology.js'
import { openSource } from '../start/checkout.js'
import { readCommittedConfig } from '../tree/open-corpus.js'

/** The commits whose file of the fleet matters: the one that is served, and the one that gives hosts their roles. */
const commitsOf = async (
  repo: string,
  remote: string,
  served: CommitId | null,
): Promise<ReadonlyArray<CommitId>> => {
  const tip = await gitFleetBranch(repo, remote).tip()
  const fetched = tip._tag === 'Fetched' ? tip.commit : null
  return [...new Set([served, fetched])].filter(commit => commit !== null)
}

const findInFiles = async (
  source: TreeSource,
  remote: string,
  served: CommitId | null,
): Promise<ReadonlyArray<Finding>> => {
  const read = topologyReader(source, { lastChange: () => Promise.resolve(null) })
  const findings: Array<Finding> = []
  for (const commit of await commitsOf(source.path, remote, served))
    findings.push(...findingsOfTopology((await read(commit)).source))
  return findings
}

/** What only a running host knows, such as its town, as its last converge recorded it. */
const findRecorded = (repo: string): ReadonlyArray<Finding> =>
  (readLintRecord(lastStateArea(repo))?.findings ?? [])
    .filter(({ kind }) => hostFleetKinds.has(kind))
    .map(({ kind, severity, entity, reason }) => ({
      kind,
      severity,
      file: topologyPath,
      line: null,
      subject: entity,
      reason,
      suggestion: null,
    }))

/** What is wrong with `.svc/fleet.json`, in Polish, each finding once. None for a plain directory. */
export const findFleetFindings = async (
  repo: string,
  served: CommitId | null,
): Promise<ReadonlyArray<Finding>> => {
  const opened = await openSource(repo)
  if (isLeft(opened)) return []
  const source = opened.right
  try {
    if (source.kind !== 'git') return []
    const { config } = await readCommittedConfig(source)
    const found = await findInFiles(source, config['server.sync_remote'], served)
    const all = [...found, ...findRecorded(source.path)]
    return [...new Map(all.map(finding => [`${finding.kind} ${finding.reason}`, finding])).values()]
  } finally {
    await source.close()
  }
}
