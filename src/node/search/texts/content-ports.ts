import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { Tier } from '#protocol/atoms.js'
import type { DocumentPort, TierContent } from '#src/domain/search/document.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Cell } from '#src/snapshot/cell.js'
import { emptyDocuments } from '../document-ports.js'
import { loreContent, sessionContent } from './lore-contents.js'
import { type WorksReading, worksContent } from './works-content.js'

export interface ContentSetup extends WorksReading {
  readonly held: Cell<Loaded>
  /** Null where the host has no works tree, and before its trees are open. */
  readonly works: () => TreeSource | null
}

type MakeContent = (loaded: Loaded) => TierContent | Promise<TierContent>

/** The port of one tier over the cell: its content is made in slices after each publication, the newest alone. */
const portOver = (
  { held, warn }: Pick<ContentSetup, 'held' | 'warn'>,
  tier: Tier,
  make: MakeContent,
): DocumentPort => {
  let [content, made, isMaking]: [TierContent | null, Loaded | null, boolean] = [null, null, false]
  const watchers: Array<() => void> = []
  const remake = async (): Promise<void> => {
    if (isMaking) return
    isMaking = true
    try {
      for (let loaded = held.get(); loaded !== null && loaded !== made; loaded = held.get()) {
        const next = await make(loaded)
        made = loaded
        if (next.stamp === content?.stamp) continue
        content = next
        for (const watcher of watchers) watcher()
      }
    } catch (error) {
      // The next publication tries again; until then the last content stays.
      warn('search_content_failed', { tier, reason: error instanceof Error ? error.message : String(error) })
    } finally {
      isMaking = false
    }
  }
  held.watch(() => void remake())
  void remake()
  return { tier, current: () => content, watch: changed => void watchers.push(changed) }
}

/** The documents of each tier of a host; transcripts have none yet. */
export const documentsOf =
  (setup: ContentSetup) =>
  (tier: Tier): DocumentPort => {
    const { works, breathe } = setup
    if (tier === 'lore')
      return portOver(setup, tier, loaded => runWithPauses(loreContent(loaded, breathe), breathe))
    if (tier === 'session')
      return portOver(setup, tier, loaded => runWithPauses(sessionContent(loaded, breathe), breathe))
    return tier === 'external'
      ? portOver(setup, tier, loaded => worksContent(loaded, works(), setup))
      : emptyDocuments(tier)
  }
