import { ofHost, route, type Table } from '#protocol/route.js'
import { DerivedArtifact, DerivedList } from './derived.js'

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
