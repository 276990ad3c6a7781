/** The layers of the project, the lowest first. A file imports from its own layer and from those below it. */
export const layers: ReadonlyArray<string> = [
  'protocol/',
  'src/domain/',
  'src/snapshot/',
  'src/writing/',
  'src/ports/',
  'src/kernel/',
  'src/adapters/',
  'actors/',
  'supervisors/',
  'src/http/',
  'src/demo/',
  'src/reference/',
  'src/cli/',
  'src/node/',
  'src/main.ts',
]

/** The areas of `src/domain`, the lowest first; the same rule holds among them. */
export const areas: ReadonlyArray<string> = [
  ...['slicing', 'caching', 'codecs', 'json', 'redaction', 'outbound'],
  ...['lore', 'callers', 'polish', 'entities', 'names', 'language', 'people', 'currency', 'sessions'],
  ...[
    'points',
    'elections',
    'places',
    'normalization',
    'ledger',
    'identity',
    'chat',
    'dispatch',
    'forge',
    'sync',
    'fleet',
    'audit',
  ],
  ...[
    'search',
    'transcripts',
    'samples',
    'models',
    'lineage',
    'lint',
    'config',
    'limits',
    'events',
    'discovery',
  ],
  ...['admin', 'adoption', 'html'],
]

/** The index of the layer that holds the file, or -1. */
export const layerOf = (path: string): number => layers.findIndex(layer => path.startsWith(layer))

/** The index of the area of `src/domain` that holds the file, or -1. */
export const areaOf = (path: string): number => {
  const [, , area] = path.startsWith('src/domain/') ? path.split('/') : []
  return areas.findIndex(known => known === area)
}
