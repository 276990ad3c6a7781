import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import { pathSegment } from '#src/domain/lore/path-segment.js'

/**
 * The path of a Postać's file. Only the name connects the two (FORMATS 3). Throws for a name that makes no
 * path.
 */
export const characterPath = (name: string): RepoPath => {
  const path = RepoPath.decode(`Postaci/Gracze/${pathSegment(name)}.md`)
  if (isLeft(path)) throw new Error('a name is no path segment')
  return path.right
}
