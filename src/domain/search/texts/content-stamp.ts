import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId, type Tier } from '#protocol/atoms.js'
import type { TierStates } from '../searched-tiers.js'

/** Grows with every change of how documents are made of files, so that every source of a saved index is read again. */
export const documentVersion = 3

/** What the documents of a tier are made of. A tree is named by the id of its head. */
export interface ContentInputs {
  /** The commit of the lore; null for a plain directory, and for a tier without lore. */
  readonly commit: CommitId | null
  readonly tree: string
  readonly annotations: string
  readonly language: string
  readonly setup: string
}

/** The stamp of the content of a tier: equal stamps mean equal documents. */
export const contentStamp = ({ commit, tree, annotations, language, setup }: ContentInputs): string =>
  [commit ?? '', tree, annotations, language, setup, documentVersion].join('.')

/** The commit of the lore that an index with this stamp holds; null where it names none. */
export const commitOfStamp = (stamp: string): CommitId | null => {
  const commit = CommitId.decode(stamp.slice(0, stamp.indexOf('.')))
  return isLeft(commit) ? null : commit.right
}

const loreTiers: ReadonlyArray<Tier> = ['lore', 'session']

/** The commits that the indexes of the lore hold; null for one that does not say. */
export const indexedCommitsOf = (states: TierStates): ReadonlyArray<CommitId | null> =>
  loreTiers.flatMap(tier => {
    const state = states[tier]
    return state._tag === 'Live' ? [commitOfStamp(state.stamp)] : []
  })
