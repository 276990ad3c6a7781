import * as t from 'io-ts'
import { listOf } from '../list.js'

/** The closed list of derived artifacts: files that are made from the transcript archive and can be copied. */
export const derivedKinds = ['mentions'] as const

export const DerivedKind = t.keyof({ mentions: null }, 'DerivedKind')
export type DerivedKind = t.TypeOf<typeof DerivedKind>

/** `fresh`: it describes the archive of this host; `stale`: another version of it; `absent`: the host has none. */
export const DerivedStatus = t.keyof({ fresh: null, stale: null, absent: null }, 'DerivedStatus')
export type DerivedStatus = t.TypeOf<typeof DerivedStatus>

/** The header that names the version of the archive that an artifact describes. */
export const derivedStampHeader = 'X-Svc-Derived-Stamp'

/** One kind on this host (A 2.7). */
export const DerivedRow = t.strict(
  {
    kind: DerivedKind,
    status: DerivedStatus,
    stamp: t.union([t.string, t.null]),
    sha256: t.union([t.string, t.null]),
    bytes: t.union([t.number, t.null]),
  },
  'DerivedRow',
)
export type DerivedRow = t.TypeOf<typeof DerivedRow>

/** `GET /derived`: every kind, and the version of the archive that this host has now. */
export const DerivedList = t.intersection(
  [listOf(DerivedRow, 'DerivedRows'), t.type({ archive: t.union([t.string, t.null]) })],
  'DerivedList',
)
export type DerivedList = t.TypeOf<typeof DerivedList>

/** `GET /derived/{kind}`: the artifact, a JSON object whose shape its kind decides. */
export const DerivedArtifact = t.UnknownRecord
