import { nameKey } from '#protocol/atoms.js'

/** The text of a repository by path. */
export type Lore = ReadonlyMap<string, string>

/**
 * A second reading of the lore, made for the verdicts alone: it shares no parser with the daemon, so that a fault of
 * that is not a fault of both.
 */
export interface LoreBlock {
  readonly path: string
  readonly heading: string
  readonly text: string
  readonly rows: ReadonlyArray<TextRow>
}

export interface TextRow {
  readonly tag: string
  readonly value: string
  readonly from: string | null
  readonly to: string | null
}

const rowLine = /^- @([^:]+):(.*)$/u
const range = /\((\d{4}(?:-\d{2}){0,2})?:(\d{4}(?:-\d{2}){0,2})?\)(?: \(auto\))?$/u

const rowOf = (line: string): ReadonlyArray<TextRow> => {
  const found = rowLine.exec(line)
  if (found === null) return []
  const value = (found[2] ?? '').trim()
  const dates = range.exec(value)
  const bare = dates === null ? value : value.slice(0, dates.index).trim()
  const tag = (found[1] ?? '').trim().toLowerCase().normalize('NFC')
  return [{ tag, value: bare, from: dates?.[1] ?? null, to: dates?.[2] ?? null }]
}

/** The blocks of a file, in their order. */
export const blocksIn = (path: string, text: string): ReadonlyArray<LoreBlock> =>
  `\n${text}`
    .split('\n### ')
    .slice(1)
    .map(part => {
      const [heading = '', ...lines] = part.split('\n')
      return { path, heading: heading.trim(), text: part.trimEnd(), rows: lines.flatMap(rowOf) }
    })

const isIndex = (path: string): boolean => /^encje\/[^/]+\.md$/u.test(path)

/** The blocks of all index files. */
export const entityBlocks = (lore: Lore): ReadonlyArray<LoreBlock> =>
  [...lore].filter(([path]) => isIndex(path)).flatMap(([path, text]) => blocksIn(path, text))

export const blockTypeOf = (block: LoreBlock): string =>
  block.rows.find(row => row.tag === 'typ')?.value ?? ''

/** Whether a row holds on a day: bounds are prefixes of days. */
export const holdsOn = ({ from, to }: TextRow, day: string): boolean =>
  (from === null || day >= from) && (to === null || day.slice(0, to.length) <= to)

export const blockOwnersOf = (block: LoreBlock, day: string): ReadonlyArray<string> =>
  block.rows.filter(row => row.tag === 'należy_do' && holdsOn(row, day)).map(row => nameKey(row.value))

/** Names that a block answers to, as keys. */
export const blockNamesOf = (block: LoreBlock): ReadonlyArray<string> => [
  nameKey(block.heading),
  ...block.rows.filter(row => row.tag === 'alias').map(row => nameKey(row.value)),
]

const isSession = (heading: string): boolean => /^\d{4}-\d{2}-\d{2}/u.test(heading)

/** The sessions of all files: sections whose heading begins with a day. */
export const sessionBlocks = (lore: Lore): ReadonlyArray<LoreBlock> =>
  [...lore]
    .filter(([path]) => path.endsWith('.md') && !isIndex(path) && !/^(?:zgłoszenia|Lokacje)\//u.test(path))
    .flatMap(([path, text]) => blocksIn(path, text))
    .filter(block => isSession(block.heading))

const effectList = /^- @?(?:zmiany|transfer|intel|pu)\b/iu

/** The lines of a session that have an effect once it is closed: Zmiany, Transfer, Intel and PU. */
export const effectLines = (block: LoreBlock): ReadonlyArray<string> => {
  const kept: Array<string> = []
  let inside = false
  for (const line of block.text.split('\n').slice(1)) {
    if (/^\S/u.test(line)) inside = effectList.test(line)
    if (inside && line.trim() !== '') kept.push(line.trimEnd())
  }
  return kept
}

/** Names that the lines of an effect use: entities of Zmiany, both sides of transfers. */
const namesInEffect = (line: string): ReadonlyArray<string> => {
  const transfer = /,([^,>]+)->([^>]+)$/u.exec(line)
  if (transfer !== null) return [transfer[1] ?? '', transfer[2] ?? '']
  const item = /^\s{2,6}- (?!@)([^:]+)/u.exec(line)
  return item === null ? [] : [item[1] ?? '']
}

/** Every name that the lore uses: of blocks of any type, people, owners, narrators and effects, as keys. */
export const namesInUse = (lore: Lore): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const block of entityBlocks(lore)) {
    for (const name of blockNamesOf(block)) names.add(name)
    for (const row of block.rows) if (row.tag === 'należy_do') names.add(nameKey(row.value))
  }
  for (const block of blocksIn('kontrybutorzy.md', lore.get('kontrybutorzy.md') ?? ''))
    for (const name of blockNamesOf(block)) names.add(name)
  for (const session of sessionBlocks(lore)) {
    const narrators = session.heading.split(',').at(-1) ?? ''
    for (const name of narrators.split('+')) names.add(nameKey(name))
    for (const line of effectLines(session)) for (const name of namesInEffect(line)) names.add(nameKey(name))
  }
  return names
}

/** Headers of sessions that are closed, by the close ledger. */
export const closedHeadersOf = (lore: Lore): ReadonlySet<string> =>
  new Set(
    (lore.get('.svc/close/ledger.jsonl') ?? '')
      .split('\n')
      .flatMap(line => /"header":\s*"((?:[^"\\]|\\.)*)"/u.exec(line)?.[1] ?? []),
  )
