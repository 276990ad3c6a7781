import * as t from 'io-ts'
import { ofHost, route, type Table } from '#protocol/route.js'
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
const DerivedList = t.intersection(
  [listOf(DerivedRow, 'DerivedRows'), t.type({ archive: t.union([t.string, t.null]) })],
  'DerivedList',
)
type DerivedList = t.TypeOf<typeof DerivedList>

/** `GET /derived/{kind}`: the artifact, a JSON object whose shape its kind decides. */
const DerivedArtifact = t.UnknownRecord

/** Columns of what this host keeps beside the lore: it depends on no commit and answers before the first snapshot. */
const derived = {
  ...ofHost,
  anyCommit: true,
  early: true,
  method: 'GET',
  capability: 'derive.read',
  query: {},
  body: null,
  source: 'A 4.10, A 2.7',
} as const

export const derivedRoutes = {
  'derived.list': route({
    ...derived,
    path: '/derived',
    summary: 'The derived artifacts of this host, and whether each one describes its transcript archive.',
    answers: { 200: DerivedList },
    refusals: [],
    example: {},
  }),
  'derived.get': route({
    ...derived,
    path: '/derived/{kind}',
    summary:
      'A fresh derived artifact; the header `X-Svc-Derived-Stamp` names the archive that it describes.',
    answers: { 200: DerivedArtifact },
    refusals: ['UnknownDerivedKind', 'DerivedNotFresh'],
    example: { path: { kind: 'mentions' } },
  }),
} as const satisfies Table
