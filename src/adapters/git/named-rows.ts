/** A file, link, submodule or folder of a commit, by its full path. */
export interface NamedRow {
  readonly mode: string
  readonly type: string
  readonly id: string
  readonly path: string
}

/** The arguments of git whose output `parseNamedRows` parses. */
export const listRows = (commit: string): ReadonlyArray<string> => [
  ...['ls-tree', '-r', '-t', '-z', '--full-tree'],
  commit,
]

/** The most files and folders of one tree; a community has some thousands. */
export const treeRowsMax = 500_000

/** Why a tree of more rows is not read. */
export const tooManyRows = (): Error =>
  new Error(`the commit has more than ${treeRowsMax} files and folders; remove some in git`)

/** Throws for a tree of more rows: a commit of some hundred bytes can name one folder a billion times. */
const refuseTooMany = (printed: string): void => {
  let rows = 0
  for (let at = printed.indexOf('\0'); at >= 0; at = printed.indexOf('\0', at + 1)) {
    rows += 1
    if (rows > treeRowsMax) throw tooManyRows()
  }
}

/** Parses the output of `git ls-tree -z`. Throws for more than `treeRowsMax` rows. */
export const parseNamedRows = (printed: string): ReadonlyArray<NamedRow> => {
  refuseTooMany(printed)
  return printed.split('\0').flatMap(line => {
    const tab = line.indexOf('\t')
    const [mode = '', type = '', id = ''] = line.slice(0, tab).split(' ')
    return tab < 0 ? [] : [{ mode, type, id, path: line.slice(tab + 1) }]
  })
}

/** The files and links in the output of `git ls-tree -z`. */
export const fileRows = (printed: string): ReadonlyArray<NamedRow> =>
  parseNamedRows(printed).filter(({ type }) => type === 'blob')

/**
 * The paths that a commit has twice: git never makes such a tree, and a checkout can hold only one of the
 * two.
 */
export const twinPaths = (rows: ReadonlyArray<NamedRow>): ReadonlySet<string> => {
  const seen = new Set<string>()
  const twins = new Set<string>()
  for (const { path } of rows) {
    if (seen.has(path)) twins.add(path)
    seen.add(path)
  }
  return twins
}

/** Whether a path is one of the given paths, or below one. */
export const isWithin = (paths: ReadonlySet<string>, path: string): boolean => {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true
  return false
}
