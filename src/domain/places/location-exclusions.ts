import { type NameKey, nameKey, requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { rawLines } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

/** The committed list of texts that sessions name as places and that are none (FORMATS 8). */
export const locationExclusionsPath = requirePath('.svc/location-exclusions.txt')

/** The keys of the texts of a list of exclusions: one text a line, `#` starts a comment. Read once per file. */
export const exclusionsIn = perValue(
  (file: SourceFile): ReadonlySet<NameKey> =>
    new Set(
      rawLines(file.text)
        .map(line => line.trim())
        .filter(line => line !== '' && !line.startsWith('#'))
        .map(nameKey),
    ),
)

const none: ReadonlySet<NameKey> = new Set()

/** The exclusions that a tree has committed; empty without the file. */
export const locationExclusions = (files: ReadonlyMap<string, SourceFile>): ReadonlySet<NameKey> => {
  const file = files.get(locationExclusionsPath)
  return file === undefined ? none : exclusionsIn(file)
}
