import * as t from 'io-ts'
import { previewOf } from '#protocol/dry-run.js'
import { Adoption, AdoptionFinding } from '../admin/adoption.js'

const counted = {
  findingCount: t.number,
  findings: t.readonlyArray(AdoptionFinding),
  stats: t.type({
    Entities: Adoption.types[0].props.Entities,
    SessionsObserved: t.number,
    SessionRegistry: Adoption.types[0].props.SessionRegistry,
    /** Files of the commit. */
    Files: t.number,
  }),
} as const

/** A speaker in sessions that is no entity; `Suggestions` are the nearest characters. */
export const SpeakerProposal = t.type(
  {
    Speaker: t.string,
    Sessions: t.number,
    First: t.string,
    Last: t.string,
    Suggestions: t.readonlyArray(t.string),
  },
  'SpeakerProposal',
)
export type SpeakerProposal = t.TypeOf<typeof SpeakerProposal>

export const Reindexed = t.type(
  { reindexed: t.boolean, ...counted, speakerProposals: t.readonlyArray(SpeakerProposal) },
  'Reindexed',
)
export type Reindexed = t.TypeOf<typeof Reindexed>

/** `wouldReindex` and `reindexed` are true when a file changes. */
export const Reindex = t.union([Reindexed, t.type({ wouldReindex: t.boolean, ...counted })], 'Reindex')

/** A way from one place to another, stored as a `@drzwi` row of the first. `remove` ends it. */
export const TraversalLink = t.intersection(
  [t.type({ source: t.string, target: t.string }), t.partial({ remove: t.boolean })],
  'TraversalLink',
)
export type TraversalLink = t.TypeOf<typeof TraversalLink>

const ends = { to: t.string, changed: t.boolean } as const

const Linked = t.type({ linked: t.string, ...ends }, 'Linked')
export type Linked = t.TypeOf<typeof Linked>

export const LinkAnswer = t.union(
  [Linked, previewOf({ wouldLink: t.string, ...ends }, 'LinkPreview')],
  'LinkAnswer',
)
