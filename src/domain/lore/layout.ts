/** What a path of a lore repository holds, by its name alone (LAYOUT, D19). */
export type FileRole =
  | 'index'
  | 'contributors'
  | 'character'
  | 'sessions'
  | 'registry'
  | 'draft'
  | 'staged'
  | 'batches'
  | 'close-ledger'
  | 'players-ledger'
  | 'session-hashes'
  | 'location-exclusions'
  | 'roles'
  | 'grants'
  | 'bindings'
  | 'fleet-keys'
  | 'permissions'
  | 'fleet'
  | 'format'
  | 'config'
  | 'language-forms'
  | 'language-titles'
  | 'language-lemmas'
  | 'legacy'
  | 'other'

const fixed: ReadonlyMap<string, FileRole> = new Map([
  ['kontrybutorzy.md', 'contributors'],
  ['.svc/pu/batches.jsonl', 'batches'],
  ['.svc/close/ledger.jsonl', 'close-ledger'],
  ['.svc/players/ledger.jsonl', 'players-ledger'],
  ['.svc/sessions/hashes.jsonl', 'session-hashes'],
  ['.svc/location-exclusions.txt', 'location-exclusions'],
  ['.svc/roles.json', 'roles'],
  ['.svc/grants.json', 'grants'],
  ['.svc/bindings.json', 'bindings'],
  ['.svc/fleet-keys.json', 'fleet-keys'],
  ['.svc/permissions.json', 'permissions'],
  ['.svc/fleet.json', 'fleet'],
  ['.svc/format.json', 'format'],
  ['.svc/config.json', 'config'],
  ['jezyk/odmiany.tsv', 'language-forms'],
  ['jezyk/tytuly.txt', 'language-titles'],
  ['jezyk/lematy.tsv', 'language-lemmas'],
  ['Gracze.md', 'legacy'],
  ['entities.md', 'legacy'],
])

const identityRoles: ReadonlySet<FileRole> = new Set([
  'contributors',
  'roles',
  'grants',
  'bindings',
  'fleet-keys',
])

/**
 * The files that say who may do what. The daemon reads them by path from HEAD, also when the tree cannot be
 * loaded (D63).
 */
export const identityPaths: ReadonlyArray<string> = [...fixed]
  .filter(([, role]) => identityRoles.has(role))
  .map(([path]) => path)

/** Whether the layout names this path, so that it tells nothing about the content of a repository. */
export const isFixedPath = (path: string): boolean => fixed.has(path)

const direct = (path: string, folder: string): boolean =>
  path.startsWith(folder) && !path.slice(folder.length).includes('/')

/** The role of a file. The daemon never reads a file with the role `other`. */
export const roleOf = (path: string): FileRole => {
  const name = path.normalize('NFC')
  const known = fixed.get(name)
  if (known !== undefined) return known
  if (direct(name, '.svc/staged/') && name.endsWith('.md')) return 'staged'
  if (!name.toLowerCase().endsWith('.md') || name.startsWith('.svc/')) return 'other'
  if (direct(name, 'encje/')) return 'index'
  if (direct(name, 'Postaci/Gracze/')) return 'character'
  if (name.startsWith('zgłoszenia/')) return 'draft'
  if (name.startsWith('Lokacje/') && name.endsWith('/Sesje.md')) return 'registry'
  if (name.startsWith('.robot') || name.endsWith('-ent.md')) return 'legacy'
  return 'sessions'
}

/** Whether the snapshot needs the text of files with this role. */
export const isRead = (role: FileRole): boolean => role !== 'other'

/** The folders whose names alone say that lore is in them. */
const loreFolders: ReadonlySet<string> = new Set([
  'encje',
  'Postaci',
  'Postaci/Gracze',
  'Lokacje',
  'zgłoszenia',
  '.svc',
])

/** Whether lore would be missing if the folder at this path were something else, such as a link. */
export const isLoreFolder = (path: string): boolean => loreFolders.has(path.normalize('NFC'))
