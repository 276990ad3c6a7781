/** A row of a tree object: a file, a folder or a submodule, depending on its mode. */
export interface TreeRow {
  readonly mode: string
  readonly name: string
  readonly id: string
}

const idBytes = 20

/**
 * The rows of a tree object: `<mode> <name>\0<id>`, the id in 20 bytes. Names are decoded as text (`utf8`),
 * or as one character per byte (`latin1`), which keeps git's byte order. At most the first `most` rows.
 */
export const treeRows = (
  tree: Buffer,
  names: 'utf8' | 'latin1',
  most = Number.POSITIVE_INFINITY,
): ReadonlyArray<TreeRow> => {
  const rows: Array<TreeRow> = []
  for (let at = 0; at < tree.length && rows.length < most; ) {
    const [space, nul] = [tree.indexOf(0x20, at), tree.indexOf(0, at)]
    rows.push({
      mode: tree.toString('latin1', at, space),
      name: tree.toString(names, space + 1, nul),
      id: tree.toString('hex', nul + 1, nul + 1 + idBytes),
    })
    at = nul + 1 + idBytes
  }
  return rows
}
