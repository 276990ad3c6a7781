import { createHash } from 'node:crypto'
import { perValue } from '#src/domain/caching/per-value.js'
import { textBytes } from '#src/domain/lore/file-size.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

const folder = 'zgłoszenia/'
const dayChars = 10

/**
 * Where a report of the session with this key (`sessionKey`) lies: session and reporter make the path, so that a report
 * sent twice is one, and whose it is can be told from its text and path.
 */
export const reportPath = (key: string, reporter: string): string => {
  const hash = createHash('sha256').update(`${key}\n${reporter}`, 'utf8').digest('hex')
  return `${folder}${key.slice(0, dayChars)}-${hash.slice(0, 16)}.md`
}

/** The key of the session that a file below the folder tells of, by its first line; made once per file. */
const keyOf = perValue(({ text }: SourceFile): string => {
  const end = text.indexOf('\n')
  return sessionKey(end === -1 ? text : text.slice(0, end))
})

/**
 * Bytes of UTF-8 in the committed reports of one reporter. A report whose header was changed by hand is nobody's any
 * more: a narrator has taken it over. Linear in the files, with one hash per report.
 */
export const bytesOfReports = (files: ReadonlyMap<string, SourceFile>, reporter: string): number => {
  let sum = 0
  for (const [path, file] of files)
    if (path.startsWith(folder) && path === reportPath(keyOf(file), reporter)) sum += textBytes(file)
  return sum
}
