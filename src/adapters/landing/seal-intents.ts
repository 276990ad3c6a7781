import type { CommitId } from '#protocol/atoms.js'
import type { Draft, TouchedFile } from '#src/ports/landing.js'
import type { Intent, Intents } from '#src/ports/records.js'
import type { Chain } from './objects/chain.js'
import type { Seal } from './objects/seal.js'

interface ChainBase {
  readonly base: CommitId | null
  readonly files: ReadonlyArray<TouchedFile>
  readonly atMs: number
}

/** What each commit of the chain does to each file, relative to the commit before it. */
export const intentsOf = (
  { base, files, atMs }: ChainBase,
  drafts: ReadonlyArray<Draft>,
  chain: Chain,
): ReadonlyArray<Intent> => {
  const now = new Map(files.map(({ path, before }) => [path, before]))
  return drafts.flatMap(({ intent: id, actor, route, audit = [] }, at) => {
    const commit = chain.commits[at]
    if (commit === undefined) return []
    const paths = [...(chain.files[at] ?? [])].map(([path, blob]) => {
      const old = now.get(path) ?? null
      now.set(path, blob?.id ?? null)
      return { path, old, new: blob?.id ?? null }
    })
    const parent = chain.commits[at - 1] ?? base
    return [{ id, atMs, actor, route, commit, parent, state: 'prepared', paths, audit }]
  })
}

/** How long ended intents are kept, for callers who ask about a write later. */
const keptMs = 90 * 86_400_000

/** How a seal records its intents; it records nothing without a database. */
export const intentHooks = (
  intents: Intents | null,
  batch: ReadonlyArray<Intent>,
): Pick<Seal, 'announce' | 'settle'> => ({
  announce: () => intents?.prepare(batch),
  settle: state => {
    intents?.settle(
      batch.map(({ id }) => id),
      state,
    )
    for (const { atMs } of batch.slice(0, 1)) intents?.forget(atMs - keptMs)
  },
})
