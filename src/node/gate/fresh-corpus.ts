import { isLeft } from 'fp-ts/lib/Either.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { CommitId } from '#protocol/atoms.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { NodeParts } from '../tree/node-parts.js'

/** How the gate sees the corpus: what HEAD names now, and what is published to readers. */
export interface FreshCorpus {
  readonly fresh: () => Promise<Snapshot | null>
  readonly published: (commit: CommitId) => Promise<boolean>
}

export interface FreshPorts {
  readonly source: TreeSource
  readonly held: Cell<Loaded>
  readonly look: NodeParts['look']
}

const looksMax = 5
const publishLimitMs = 10_000
const pauseMs = 50

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, pauseMs))

const headOf = async (source: TreeSource) => {
  try {
    return await source.head()
  } catch {
    return null
  }
}

/**
 * Asks the keeper to look until it holds what HEAD names, or until it has published a commit; both give up
 * after a limit.
 */
export const freshCorpus = ({ source, held, look }: FreshPorts): FreshCorpus => {
  const shows = async (commit: CommitId): Promise<boolean> => {
    const loaded = held.get()
    if (loaded === null) return false
    return loaded.loreHead.commit === commit || source.contains(loaded.loreHead, commit).catch(() => false)
  }
  return {
    fresh: async () => {
      for (let looks = 0; looks < looksMax; looks += 1) {
        const head = await headOf(source)
        const loaded = held.get()
        if (head !== null && loaded?.ahead === false && loaded.loreHead.commit === head.commit)
          return loaded.build.snapshot
        const outcome = await look()
        if (isLeft(outcome) || outcome.right._tag === 'LookFailed') await pause()
      }
      return null
    },
    published: async commit => {
      const endMs = performance.now() + publishLimitMs
      for (;;) {
        const outcome = await look(publishLimitMs)
        if (!isLeft(outcome) && (await shows(commit))) return true
        if (performance.now() > endMs) return false
        await pause()
      }
    },
  }
}
