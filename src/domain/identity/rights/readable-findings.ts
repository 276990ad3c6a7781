import type { IntegrityFinding } from '#protocol/finding.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { unreadableLines } from './readable-lines.js'

/**
 * The findings about lines that the caller may read (docs/spec/security.md#findings-by-sight). One without a
 * line is about the whole file, and one without a file about any.
 */
export const readableFindings = (
  findings: ReadonlyArray<IntegrityFinding>,
  files: ReadonlyMap<string, Pick<SourceFile, 'text'>>,
  caller: Pick<Caller, 'holds'>,
): ReadonlyArray<IntegrityFinding> => {
  const hidden = new Map<string, ReadonlySet<number>>()
  return findings.filter(({ File, Line }) => {
    const path = File ?? ''
    const lines = hidden.get(path) ?? unreadableLines(caller, { path, text: files.get(path)?.text ?? '\n' })
    hidden.set(path, lines)
    return Line === null || !files.has(path) ? lines.size === 0 : !lines.has(Line)
  })
}
