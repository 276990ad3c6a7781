import type { PastRows } from '#src/domain/adoption/close-plan.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { closeLedgerPath, lacksMeaning } from '#src/domain/sessions/close-ledger.js'
import type { Head, LineOrigins } from '#src/ports/git.js'

type Files = ReadonlyMap<string, SourceFile>

/**
 * The rows of the close ledger that do not record what their sessions meant, each with the files of the
 * commit that added it. Reads one tree for each such commit: a ledger from an adoption has one; later rows
 * record their meaning.
 */
export const pastRows = async (
  origins: LineOrigins,
  filesAt: (head: Head) => Promise<Files>,
  head: Head,
  files: Files,
): Promise<PastRows> => {
  const ledger = files.get(closeLedgerPath)
  const lacking = new Set(ledger?.text.split(/\r?\n/u).filter(lacksMeaning) ?? [])
  if (head.commit === null || lacking.size === 0) return new Map()
  const past = new Map<string, Files>()
  const trees = new Map<string, Files>()
  for (const { commit, line } of await origins(head.commit, closeLedgerPath)) {
    if (!lacking.has(line)) continue
    const tree = trees.get(commit) ?? (await filesAt({ commit, id: commit }))
    trees.set(commit, tree)
    past.set(line, tree)
  }
  return past
}
