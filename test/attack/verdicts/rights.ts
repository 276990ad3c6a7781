import { nameKey } from '#protocol/atoms.js'
import {
  blockNamesOf,
  blockOwnersOf,
  blocksIn,
  blockTypeOf,
  closedHeadersOf,
  effectLines,
  entityBlocks,
  type Lore,
  type LoreBlock,
  namesInUse,
  sessionBlocks,
  type TextRow,
} from './lore.js'

/** Who may change what, told apart from the code that decides it. */
export interface Allowance {
  /** Name of the caller in the contributor store; null where it is no person. */
  readonly person: string | null
  /** Blocks of index files and character files: none, those of the caller's Postacie, or any. */
  readonly blocks: 'none' | 'own' | 'any'
  /** Paths beside those that it may change. */
  readonly paths: ReadonlyArray<RegExp>
  /** Whether it may add an api key to its own block of the contributor store. */
  readonly ownKey: boolean
}

/** Tags that a caller with `player.write.own` writes (D66); `status` by the route that deletes a Postać. */
const ownTags: ReadonlySet<string> = new Set([
  'info',
  'karta_postaci',
  'stan',
  'przedmiot_specjalny',
  'reputacja_pozytywna',
  'reputacja_neutralna',
  'reputacja_negatywna',
  'dodatkowe_informacje',
  'tematy_zastrzezone',
  'plik',
  'alias',
  'status',
])

export const ownLimits = { characters: 20, bytes: 256 * 1024, slackBytes: 8 * 1024 } as const

/** What holds for everybody in a block, also with `entity.write`: the batch alone writes these. */
const batchTags: ReadonlySet<string> = new Set(['pu_suma', 'pu_zdobyte', 'pu_nadmiar'])

const characterFile = /^Postaci\/Gracze\/(.+)\.md$/u

const keyOf = (block: LoreBlock): string => `${blockTypeOf(block)} ${nameKey(block.heading)}`
const rowKey = (row: TextRow): string => `${row.tag}\n${row.value}\n${row.from ?? ''}`

/** Rows of `after` that `before` has not. A row whose end alone changed is the same row. */
const findAddedRows = (
  before: ReadonlyArray<TextRow>,
  after: ReadonlyArray<TextRow>,
): ReadonlyArray<TextRow> => {
  const known = new Set(before.map(rowKey))
  return after.filter(row => !known.has(rowKey(row)))
}

const isEnded = (row: TextRow, after: ReadonlyArray<TextRow>): boolean =>
  !after.some(one => rowKey(one) === rowKey(row) && one.to === row.to)

const of = (block: LoreBlock): string => `${blockTypeOf(block) || 'block'} "${block.heading.slice(0, 80)}"`

const ownRowViolations = (
  block: LoreBlock,
  rows: ReadonlyArray<TextRow>,
  day: string,
): ReadonlyArray<string> =>
  rows.flatMap(row => [
    ...(ownTags.has(row.tag) ? [] : [`wrote @${row.tag} of ${of(block)}`]),
    ...(row.from !== null && day.slice(0, row.from.length) > row.from
      ? [`wrote @${row.tag} of ${of(block)} from ${row.from}, in the past`]
      : []),
  ])

interface Seen {
  readonly before: ReadonlyMap<string, LoreBlock>
  readonly used: ReadonlySet<string>
  readonly day: string
}

/** A block that is new with a caller of `player.write.own`. */
const newOwnViolations = (block: LoreBlock, person: string, { used, day }: Seen): ReadonlyArray<string> => [
  ...(blockTypeOf(block) === 'Postać' ? [] : [`made ${of(block)}`]),
  ...(blockOwnersOf(block, day).every(owner => owner === nameKey(person))
    ? []
    : [`made ${of(block)} of somebody else`]),
  ...blockNamesOf(block)
    .filter(name => used.has(name))
    .map(name => `made ${of(block)} with the name "${name.slice(0, 80)}", which the lore uses`),
  ...block.rows
    .filter(row => !['typ', 'należy_do', 'status'].includes(row.tag) && !ownTags.has(row.tag))
    .map(row => `made ${of(block)} with @${row.tag}`),
]

/** A block that a caller of `player.write.own` changed. */
const violationsOfOwnChange = (
  was: LoreBlock,
  block: LoreBlock,
  person: string,
  { used, day }: Seen,
): ReadonlyArray<string> => {
  const isTheirs = blockTypeOf(was) === 'Postać' && blockOwnersOf(was, day).includes(nameKey(person))
  if (!isTheirs) return [`changed ${of(block)}, which is not theirs`]
  const ended = was.rows.filter(row => isEnded(row, block.rows))
  const had = new Set(blockNamesOf(was))
  return [
    ...ownRowViolations(block, findAddedRows(was.rows, block.rows), day),
    ...ended.filter(row => !ownTags.has(row.tag)).map(row => `ended @${row.tag} of ${of(block)}`),
    ...blockNamesOf(block)
      .filter(name => !had.has(name) && used.has(name))
      .map(name => `gave ${of(block)} the name "${name.slice(0, 80)}", which the lore uses`),
  ]
}

const blockViolations = (
  allowance: Allowance,
  block: LoreBlock,
  was: LoreBlock | undefined,
  seen: Seen,
): ReadonlyArray<string> => {
  if (was?.text === block.text) return []
  const batch = findAddedRows(was?.rows ?? [], block.rows).filter(row => batchTags.has(row.tag))
  const written = batch.map(row => `wrote @${row.tag} of ${of(block)}`)
  if (allowance.blocks === 'any') return written
  if (allowance.blocks === 'none' || allowance.person === null) return [`changed ${of(block)}`]
  return was === undefined
    ? newOwnViolations(block, allowance.person, seen)
    : violationsOfOwnChange(was, block, allowance.person, seen)
}

const byKey = (blocks: ReadonlyArray<LoreBlock>): ReadonlyMap<string, LoreBlock> =>
  new Map(blocks.map(block => [keyOf(block), block]))

const indexViolations = (
  allowance: Allowance,
  before: Lore,
  after: Lore,
  day: string,
): ReadonlyArray<string> => {
  const [was, is] = [byKey(entityBlocks(before)), byKey(entityBlocks(after))]
  const seen = { before: was, used: namesInUse(before), day }
  const gone = [...was].filter(([key]) => !is.has(key)).map(([, block]) => block)
  return [
    ...[...is].flatMap(([key, block]) => blockViolations(allowance, block, was.get(key), seen)),
    ...(allowance.blocks === 'any' ? [] : gone.map(block => `took away ${of(block)}`)),
  ]
}

const ownBlocks = (lore: Lore, person: string, day: string): ReadonlyArray<LoreBlock> =>
  entityBlocks(lore).filter(
    block => blockTypeOf(block) === 'Postać' && blockOwnersOf(block, day).includes(nameKey(person)),
  )

const fileOf = (block: LoreBlock): string => `Postaci/Gracze/${block.heading}.md`

/** How much a caller of `player.write.own` may have (D64). Bytes are those of blocks and character files. */
const limitViolations = (
  { person, blocks }: Allowance,
  before: Lore,
  after: Lore,
  day: string,
): ReadonlyArray<string> => {
  if (blocks !== 'own' || person === null) return []
  const [had, own] = [ownBlocks(before, person, day), ownBlocks(after, person, day)]
  const bytesOf = (block: LoreBlock): number =>
    Buffer.byteLength(block.text) + Buffer.byteLength(after.get(fileOf(block)) ?? '')
  const bytes = own.reduce((sum, block) => sum + bytesOf(block), 0)
  const { characters, bytes: bytesMax, slackBytes } = ownLimits
  return [
    ...(own.length > Math.max(characters, had.length) ? [`has ${own.length} Postacie`] : []),
    ...(bytes > bytesMax + slackBytes ? [`has ${bytes} bytes of lore`] : []),
  ]
}

/** Lines with an effect that stand under each closed header, of all files. */
const effectsByHeader = (lore: Lore, headers: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const lines = new Map<string, Set<string>>()
  for (const session of sessionBlocks(lore)) {
    if (!headers.has(session.heading)) continue
    const of = lines.get(session.heading) ?? new Set()
    for (const line of effectLines(session)) of.add(line)
    lines.set(session.heading, of)
  }
  return new Map([...lines].map(([header, of]) => [header, [...of].sort().join('\n')]))
}

/** Effects of sessions that were closed before the round (D62). Nobody changes these over a route. */
const violationsOfClosed = (before: Lore, after: Lore): ReadonlyArray<string> => {
  const headers = closedHeadersOf(before)
  const [was, is] = [effectsByHeader(before, headers), effectsByHeader(after, headers)]
  return [...headers]
    .filter(header => (was.get(header) ?? '') !== (is.get(header) ?? ''))
    .map(header => `changed the effects of the closed session "${header}"`)
}

const storePath = 'kontrybutorzy.md'
const keyRow = /^- @klucz_api: sha256:[0-9a-f]{64}$/u

/** Whether all that changed in the contributor store is one api key more in the block of the person. */
const isOwnKey = (before: Lore, after: Lore, person: string | null): boolean => {
  const was = blocksIn(storePath, before.get(storePath) ?? '')
  const is = blocksIn(storePath, after.get(storePath) ?? '')
  return was.every((block, at) => {
    const now = is[at]
    if (now === undefined || now.heading !== block.heading) return false
    if (now.text === block.text) return true
    const kept = now.text.split('\n').filter(line => !keyRow.test(line))
    const had = block.text.split('\n').filter(line => !keyRow.test(line))
    return person !== null && block.heading === person && kept.join('\n') === had.join('\n')
  })
}

const isPathAllowed = (
  allowance: Allowance,
  path: string,
  before: Lore,
  after: Lore,
  day: string,
): boolean => {
  if (/^encje\/[^/]+\.md$/u.test(path)) return true
  if (path === storePath) return allowance.ownKey && isOwnKey(before, after, allowance.person)
  const character = characterFile.exec(path)?.[1]
  if (character !== undefined && allowance.blocks !== 'none') {
    if (allowance.blocks === 'any') return true
    const own = ownBlocks(after, allowance.person ?? '', day)
    return own.some(block => nameKey(block.heading) === nameKey(character))
  }
  return allowance.paths.some(pattern => pattern.test(path))
}

const pathViolations = (
  allowance: Allowance,
  before: Lore,
  after: Lore,
  day: string,
): ReadonlyArray<string> => {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  return paths
    .filter(path => before.get(path) !== after.get(path))
    .filter(path => !isPathAllowed(allowance, path, before, after, day))
    .map(path => `changed ${path}`)
}

/** What changed in the lore though the caller has no right to change it. `day` is today, `YYYY-MM-DD`. */
export const rightViolations = (
  allowance: Allowance,
  before: Lore,
  after: Lore,
  day: string,
): ReadonlyArray<string> => [
  ...indexViolations(allowance, before, after, day),
  ...pathViolations(allowance, before, after, day),
  ...limitViolations(allowance, before, after, day),
  ...violationsOfClosed(before, after),
]
