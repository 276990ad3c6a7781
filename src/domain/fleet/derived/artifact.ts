import {
  type DerivedKind,
  type DerivedRow,
  type DerivedStatus,
  derivedKinds,
} from '#protocol/fleet/derived.js'

/** The largest artifact that a host keeps and serves: that of the largest answer. Each kind has one in memory. */
export const artifactBytesMax = 16 * 1024 * 1024

/** A derived artifact as this host keeps it. */
export interface Artifact {
  readonly kind: DerivedKind
  /** The version of the transcript archive that it describes. */
  readonly stamp: string
  /** Of `bytes`, in lower-case hex. */
  readonly sha256: string
  readonly bytes: Buffer
}

export type Artifacts = ReadonlyMap<DerivedKind, Artifact>

/** What an artifact is to an archive of this version; null: the host knows of no archive. */
export const artifactStatusOf = (artifact: Artifact | undefined, archive: string | null): DerivedStatus => {
  if (artifact === undefined) return 'absent'
  return artifact.stamp === archive ? 'fresh' : 'stale'
}

/** One row for each kind, in the order of the closed list. */
export const listDerived = (artifacts: Artifacts, archive: string | null): ReadonlyArray<DerivedRow> =>
  derivedKinds.map(kind => {
    const artifact = artifacts.get(kind)
    return {
      kind,
      status: artifactStatusOf(artifact, archive),
      stamp: artifact?.stamp ?? null,
      sha256: artifact?.sha256 ?? null,
      bytes: artifact?.bytes.length ?? null,
    }
  })

/** The kinds that do not describe this archive. */
export const kindsLacking = (artifacts: Artifacts, archive: string): ReadonlyArray<DerivedKind> =>
  derivedKinds.filter(kind => artifactStatusOf(artifacts.get(kind), archive) !== 'fresh')
