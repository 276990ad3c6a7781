import type { CommitId } from '#protocol/atoms.js'
import type { WriteWish } from './plans.js'

/** What a client was told of its write. `open`: nothing, or that nobody knows. */
export type Fate =
  | { readonly _tag: 'open' }
  | { readonly _tag: 'acked'; readonly commit: CommitId }
  /** Told that nothing was written. */
  | { readonly _tag: 'refused'; readonly reason: string }

/** One write that was asked for. */
export interface AskedWrite {
  readonly wish: WriteWish
  readonly host: string
  readonly dryRun: boolean
  fate: Fate
}

export type Acked = AskedWrite & { readonly fate: { readonly _tag: 'acked'; readonly commit: CommitId } }

export const isAcked = (asked: AskedWrite): asked is Acked => asked.fate._tag === 'acked' && !asked.dryRun
