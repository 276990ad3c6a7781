import * as t from 'io-ts'
import { previewOf } from '#protocol/dry-run.js'

const sha256 = t.union([t.string, t.null])
const counts = { added: t.number, changed: t.number, unchanged: t.number } as const

/**
 * Baselines of all sessions: lines written, sessions that had none before, and those whose text had drifted.
 */
export const HashAnswer = t.union(
  [t.type({ hashed: t.number, ...counts }), previewOf({ wouldHash: t.number, ...counts })],
  'SessionHashAnswer',
)

/**
 * The baseline of one session; `changed` is false when it was this text already. `sha256` is null for a
 * caller who may not read restricted topics, because the hash covers them too.
 */
export const RebaselineAnswer = t.union(
  [
    t.type({ rebaselined: t.string, sha256, changed: t.boolean }),
    previewOf({ wouldRebaseline: t.string, sha256, changed: t.boolean }),
  ],
  'RebaselineAnswer',
)

/** The regenerated graph of who played together (A 4.1.3). */
export const GraphRebuilt = t.type(
  { rebuiltAt: t.string, NodeCount: t.number, EdgeCount: t.number },
  'SessionGraphRebuilt',
)

type Applied<U, K extends string> = Extract<U, Record<K, unknown>>
export type HashAnswer = Applied<t.TypeOf<typeof HashAnswer>, 'hashed'>
export type RebaselineAnswer = Applied<t.TypeOf<typeof RebaselineAnswer>, 'rebaselined'>
