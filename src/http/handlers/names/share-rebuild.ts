import type { NameIndexRebuilt } from '#protocol/names.js'
import { buildNameIndexInSlices } from '#src/domain/names/name-index.js'
import { countTokensInSlices } from '#src/domain/names/search-entities.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** What the rows of names need of the node. */
export interface NamesDeps {
  /** Time that never goes back, for durations. */
  readonly monotonicMs: () => number
}

type Rebuilt = Pick<NameIndexRebuilt, 'buildMs' | 'indexStats'>

const rebuild = async ({ entities, language }: Snapshot, { monotonicMs }: NamesDeps): Promise<Rebuilt> => {
  const beganMs = monotonicMs()
  // A copy, so that the snapshot keeps its own index, which is equal to this one.
  const copy = { ...entities }
  const { forms } = await runDaemonWork(buildNameIndexInSlices(copy, language.data, null))
  const tokens = await runDaemonWork(countTokensInSlices(copy))
  const stems = forms?.table.words.formCount() ?? 0
  return { buildMs: Math.round(monotonicMs() - beganMs), indexStats: { tokens, stems } }
}

/** The rebuild that runs now, by node. */
const running = new WeakMap<NamesDeps, Promise<Rebuilt>>()

/** Rebuilds the index of names; a request that comes while a rebuild runs gets the result of that one. */
export const shareRebuild = (snapshot: Snapshot, node: NamesDeps): Promise<Rebuilt> => {
  const known = running.get(node)
  if (known !== undefined) return known
  const begun = rebuild(snapshot, node).finally(() => running.delete(node))
  running.set(node, begun)
  return begun
}
