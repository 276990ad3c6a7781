import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms/path.js'
import { pathSegment } from '#src/domain/lore/path-segment.js'

/** Where the file of a Postać lies: its name is all that ties the two (FORMATS 3). */
export const characterPath = (name: string): RepoPath => {
  const path = RepoPath.decode(`Postaci/Gracze/${pathSegment(name)}.md`)
  if (isLeft(path)) throw new Error('a name is no path segment')
  return path.right
}
