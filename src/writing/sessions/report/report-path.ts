import { createHash } from 'node:crypto'
import { perValue } from '#src/domain/caching/per-value.js'
import { type SourceFile, textBytes } from '#src/domain/lore/layout.js'
import { sessionKey } from '#src/domain/lore/session-header.js'

const folder = 'zgłoszenia/'
const dayChars = 10

/**
 * The path of a report, derived from session (a `sessionKey`) and reporter. A report sent twice is therefore
 * one file, and its reporter can be verified from text and path.
 */
export const reportPath = (key: string, reporter: string): string => {
  const hash = createHash('sha256').update(`${key}\n${reporter}`, 'utf8').digest('hex')
  return `${folder}${key.slice(0, dayChars)}-${hash.slice(0, 16)}.md`
}

/** The key of the session that a report is about, from its first line; computed once per file. */
const keyOf = perValue(({ text }: SourceFile): string => {
  const end = text.indexOf('\n')
  return sessionKey(end === -1 ? text : text.slice(0, end))
})

/**
 * Bytes of UTF-8 in the committed reports of one reporter. A report whose header was changed by hand counts
 * for no reporter, because a narrator has taken it over. Linear in the files, with one hash per report.
 */
export const bytesOfReports = (files: ReadonlyMap<string, SourceFile>, reporter: string): number => {
  let sum = 0
  for (const [path, file] of files)
    if (path.startsWith(folder) && path === reportPath(keyOf(file), reporter)) sum += textBytes(file)
  return sum
}
