import type { CommitId } from '#protocol/atoms/commit.js'
import type { LorePath } from './plans.js'

/** What a client was told of its write. `open`: nothing, or that nobody knows. */
export type Fate =
  | { readonly _tag: 'open' }
  | { readonly _tag: 'acked'; readonly commit: CommitId }
  /** Told that nothing was written. */
  | { readonly _tag: 'refused'; readonly reason: string }

/** One write that was asked for; its line stands nowhere else in the world. */
export interface Asked {
  readonly line: string
  readonly path: LorePath
  readonly host: string
  readonly dryRun: boolean
  readonly atMs: number
  fate: Fate
}

export const isAcked = (asked: Asked): asked is Asked & { readonly fate: { readonly _tag: 'acked' } } =>
  asked.fate._tag === 'acked' && !asked.dryRun
