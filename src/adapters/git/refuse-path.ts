/** Longer texts are cut, because they go into a report. */
const shownMax = 120

/** Throws for a path that our checkouts do not accept, with the path and the reason. */
export const refusePath = (path: string, why: string): never => {
  const shown = path.length > shownMax ? `${path.slice(0, shownMax)}…` : path
  throw new Error(`the commit has a file at "${shown}", which no checkout can hold: ${why}; remove it in git`)
}

/** Throws where a commit has a name twice: a checkout can hold only one of the two. */
export const refuseTwins = (twins: Iterable<string>): void => {
  for (const path of twins) refusePath(path, 'its tree has this name twice')
}
