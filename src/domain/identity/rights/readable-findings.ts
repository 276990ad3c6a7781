import type { AdoptionFinding } from '#protocol/admin.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { mayReadFile, unreadableLines } from './readable-lines.js'

type Files = ReadonlyMap<string, Pick<SourceFile, 'path' | 'text'>>

/**
 * The findings about lines that the caller may read (docs/spec/security.md#findings-by-sight). A finding
 * without a line is about the whole file. Looks once at each file.
 */
export const readableFindings = (
  findings: ReadonlyArray<AdoptionFinding>,
  files: Files,
  caller: Pick<Caller, 'holds'>,
): ReadonlyArray<AdoptionFinding> => {
  const unreadable = new Map<string, ReadonlySet<number>>()
  return findings.filter(({ file, line }) => {
    const source = files.get(file)
    if (source === undefined) return mayReadFile(caller, file)
    const lines = unreadable.get(file) ?? unreadableLines(caller, source)
    unreadable.set(file, lines)
    return line === null ? lines.size === 0 : !lines.has(line)
  })
}
