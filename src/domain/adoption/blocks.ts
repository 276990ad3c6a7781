import { type Day, type EntityType, nameKey, type RepoPath } from '#protocol/atoms.js'
import { compareDecimals, numberAt } from '#src/domain/lore/figures.js'
import { applySplices, keepHidden } from '#src/domain/lore/file-edit.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { escapeComments, linesOf, type Newline } from '#src/domain/lore/lines.js'
import { isReservedName } from '#src/domain/people/roster.js'
import { adoptRows } from './adopted-tree.js'
import { figureNames, findingOfNotice, pointsText, redactWebhooks } from './legacy/outline.js'
import type { LegacyCharacter, LegacyPlayer } from './legacy/overlay.js'
import {
  indexTypeOf,
  type LegacyEntity,
  type LegacyRow,
  legacyScalarOn,
  quoteRow,
} from './legacy/registry.js'
import { isGameId, type LegacyLabels, topicsOf } from './legacy/roster.js'

/**
 * The index block of an entity that is neither a Gracz nor a Postać. `labels.game` is the brand word in
 * `@<game>id`, by which a game id of the predecessor is recognised; null matches any word. `day` decides the
 * type.
 */
export const entityBlock = (entity: LegacyEntity, labels: LegacyLabels, day: Day): PlannedBlock =>
  block(entity, addTypeRows(entity), [], labels, day)

/**
 * The index block of a character: the rows of the registry (the predecessor's files of entities), then what
 * only the roster (its player database) has: owner and aliases, with the PU that the predecessor held
 * (docs/spec/adoption.md). `rosterPlace` is the place of the rows that the registry lacks. `document` is a
 * character file whose path does not follow from its name; null when no `@plik` row is needed. `labels` is
 * that of `entityBlock`. `day` decides the type and whether the registry has an active owner. Each of the
 * four figures (the values of PU) that is not null is one undated row; the rows of PU in the registry are
 * left out.
 */
export const characterBlock = (
  character: LegacyCharacter,
  rosterPlace: Pick<LegacyRow, 'path' | 'line'>,
  document: string | null,
  labels: LegacyLabels,
  day: Day,
): PlannedBlock => {
  const { entity } = character
  const place = entity ?? rosterPlace
  const base: LegacyEntity = entity ?? { type: 'Postać', name: character.name, rows: [], ...place }
  const own = addTypeRows(base)
  const has = (tag: string, value: string): boolean => own.some(row => row.tag === tag && row.value === value)
  const owner =
    character.player === null || legacyScalarOn(own, 'należy_do', day) !== null
      ? []
      : [makeRow('należy_do', character.player, rosterPlace)]
  const aliases = character.aliases
    .filter(alias => !has('alias', alias) && alias !== character.name)
    .map(alias => makeRow('alias', alias, rosterPlace))
  const figures = figureNames.flatMap(name => {
    const figure = character.figures[name]
    return figure === null ? [] : [makeRow(`pu_${name}`, pointsText(figure), place)]
  })
  const file = document === null || has('plik', document) ? [] : [makeRow('plik', document, rosterPlace)]
  const rows = [...own.filter(row => !isFigure(row)), ...owner, ...aliases, ...figures, ...file]
  const told = [
    ...replacementFindings(character, own.filter(isFigure)),
    ...rosterReplaced(character, rosterPlace),
  ]
  return block(base, rows, told, labels, day)
}

/**
 * The `### Person` block of a player: game ids, aliases, status, topics and every other tag of the registry;
 * free lines of the roster as `@info`. Never contains a webhook or a key (FORMATS 9, step 5). Null for a name
 * that only a character states.
 */
export const personBlock = (
  player: LegacyPlayer,
  fileTopics: ReadonlyArray<string>,
  labels: LegacyLabels,
): PlannedBlock | null => {
  const place = placeOf(player)
  if (place === null) return null
  const own = (player.entity?.rows ?? []).filter(row => !isTopic(row))
  const hasId = own.some(row => isGameId(row, labels))
  const id = player.roster?.gameId ?? null
  const rosterId = hasId || id === null ? [] : [makeRow('gameid', id, place)]
  const notes = (player.roster?.notes ?? []).map(note => makeRow('info', note, place))
  const topics = topicsOfPlayer(player, fileTopics)
  const made = topics.length === 0 ? [] : [makeRow('tematy', topics.join(', '), place)]
  const typ = own.filter(row => row.tag === 'typ')
  const rest = own.filter(row => row.tag !== 'typ')
  const adopted = adoptRows([...rosterId, ...rest, ...typ, ...made, ...notes], 'Gracz', player.name, labels)
  const rows = adopted.rows.filter(row => row.tag !== 'typ')
  const nameless = rows.some(row => row.tag === 'gameid')
    ? []
    : [
        findingOfNotice({
          kind: 'MissingGameId',
          severity: 'warning',
          file: place.path,
          line: place.line,
          subject: player.name,
          reason: `${player.name} has no game id; the person stays unlisted.`,
          suggestion: 'Add - @gameid: <digits> to the block in the contributor store.',
        }),
      ]
  const reserved = isReservedName(player.name)
    ? [
        findingOfNotice({
          kind: 'ReservedName',
          severity: 'error',
          file: place.path,
          line: place.line,
          subject: player.name,
          reason: `${player.name} is the name of the daemon in the audit, so the block cannot be used to sign in.`,
          suggestion: 'Give the block in the contributor store the name of the player.',
        }),
      ]
    : []
  return {
    type: 'Gracz',
    heading: player.name,
    text: blockText(player.name, rows),
    path: place.path,
    line: place.line,
    findings: [
      ...adopted.findings,
      ...topicFindings(player),
      ...otherId(player, own, labels),
      ...nameless,
      ...reserved,
    ],
  }
}

/** A block that adoption writes unless it exists. */
export interface PlannedBlock {
  readonly type: EntityType
  readonly heading: string
  readonly text: string
  /** The place of the source in the legacy layout. */
  readonly path: RepoPath
  readonly line: number
  readonly findings: ReadonlyArray<Finding>
}

/**
 * The finding for an existing block that adoption kept, with the lines of the planned block that it lacks.
 */
export const omissionFindings = (block: PlannedBlock, standing: string): ReadonlyArray<Finding> => {
  const there = new Set(standing.split('\n').map(line => line.trim()))
  const missing = block.text.split('\n').filter(line => !there.has(line.trim()))
  if (missing.length === 0) return []
  return [
    findingOfNotice({
      kind: 'BlockKept',
      severity: 'warning',
      file: block.path,
      line: block.line,
      subject: block.heading,
      reason: `The block ${block.heading} existed before and was kept; not adopted: ${missing.join(' | ')}`,
      suggestion: 'Add what is missing to the block by hand.',
    }),
  ]
}

/** Appends blocks to a text, with one blank line between; existing bytes are kept. */
export const blocksAppended = (text: string, blocks: ReadonlyArray<string>, newline: Newline): string =>
  blocks.length === 0 ? text : `${text}${gap(text, newline)}${joinBlocks(blocks, newline)}${newline}`

/**
 * Inserts blocks after the `line`-th line, with one blank line on either side; null: at the end of what shows, before
 * a fence or a comment that is never closed.
 */
export const blocksInserted = (text: string, line: number | null, blocks: ReadonlyArray<string>): string => {
  if (blocks.length === 0) return text
  const scanned = linesOf(text)
  const { lines, unclosed } = scanned
  const from = line === null ? (unclosed?.line ?? lines.length + 1) : line + 1
  const isBlank = (number: number): boolean => (lines[number - 1]?._tag ?? 'Blank') === 'Blank'
  const spaced = blocks.flatMap((block, at) => [...(at === 0 ? [] : ['']), ...block.split('\n')])
  const inserted = [...(isBlank(from - 1) ? [] : ['']), ...spaced, ...(isBlank(from) ? [] : [''])]
  return applySplices(text, keepHidden(scanned, [{ from, to: from - 1, lines: inserted }]))
}

/** A continuation line of a value, so far in that it is no heading; what would open a fence is escaped. */
export const continueLine = (line: string): string => {
  if (line.startsWith('#')) return `    ${line}`
  return linesOf(line).lines[0]?._tag === 'Fenced' ? `  \\${line}` : `  ${line}`
}

const namesType = (row: LegacyRow): boolean => row.tag === 'typ' && indexTypeOf(row.value) !== null

/**
 * The type of an entity on a day: that of the deciding `@typ` among those that name a type of an index block,
 * else the type of its section. Any other word in a `@typ`, `Gracz` too, is free text.
 */
const typeOnDay = (entity: LegacyEntity, day: Day): EntityType => {
  const typed = entity.rows.filter(namesType)
  return indexTypeOf(legacyScalarOn(typed, 'typ', day)?.value ?? '') ?? entity.type
}

const isUndatedType = (row: LegacyRow): boolean => row.tag === 'typ' && row.from === '' && row.to === ''

/**
 * Rows with the `@typ` rows that name a type first. A `@typ` with the type of the section precedes them
 * unless one of them is undated.
 */
const addTypeRows = (entity: LegacyEntity): ReadonlyArray<LegacyRow> => {
  const named = entity.rows.filter(namesType)
  const ofSection = named.some(isUndatedType) ? [] : [makeRow('typ', entity.type, entity)]
  return [...ofSection, ...named, ...entity.rows.filter(row => !namesType(row))]
}

const block = (
  entity: LegacyEntity,
  rows: ReadonlyArray<LegacyRow>,
  more: ReadonlyArray<Finding>,
  labels: LegacyLabels,
  day: Day,
): PlannedBlock => {
  const type = typeOnDay(entity, day)
  const adopted = adoptRows(rows, type, entity.name, labels)
  return {
    type,
    heading: entity.name,
    text: blockText(entity.name, adopted.rows),
    path: entity.path,
    line: entity.line,
    findings: [...adopted.findings, ...more],
  }
}

/**
 * Findings for rows of PU in the registry that one undated row per figure replaces. A row that already is
 * undated and has the adopted value, without a remark, gives none. A dated row gives one although its value
 * may be the adopted one. `brak` means no value and is not worth a warning.
 */
const replacementFindings = (
  character: LegacyCharacter,
  rows: ReadonlyArray<LegacyRow>,
): ReadonlyArray<Finding> =>
  rows.flatMap(row => {
    const name = figureNames.find(known => row.tag === `pu_${known}`)
    const figure = name === undefined ? null : character.figures[name]
    const number = numberAt(row.value, 0, 'minus')
    const value = number?.value ?? null
    const same = figure !== null && value !== null && compareDecimals(figure, value) === 0
    if (same && row.from === '' && row.to === '' && number?.end === row.value.length) return []
    const now = figure === null ? 'no value' : pointsText(figure)
    const at = { file: row.path, line: row.line, subject: character.name } as const
    const reason = `@${row.tag} ${quoteRow(row)} of ${character.name} was adopted as ${now}, undated.`
    const kind = value === null ? 'PuUnreadable' : 'PuSuperseded'
    const brak = row.value.toLowerCase() === 'brak'
    return [findingOfNotice({ ...at, kind, severity: value === null && !brak ? 'warning' : 'info', reason })]
  })

/** Findings for PU of the roster for which another value was adopted, because the registry wins. */
const rosterReplaced = (
  character: LegacyCharacter,
  place: Pick<LegacyRow, 'path' | 'line'>,
): ReadonlyArray<Finding> =>
  figureNames.flatMap(name => {
    const before = character.roster?.figures[name] ?? null
    const now = character.figures[name]
    if (before === null || (now !== null && compareDecimals(before, now) === 0)) return []
    const adopted = now === null ? 'no value' : pointsText(now)
    const reason = `${name.toUpperCase()} ${pointsText(before)} of the roster was adopted as ${adopted}.`
    const at = { file: place.path, line: place.line, subject: character.name } as const
    return [findingOfNotice({ ...at, kind: 'PuSuperseded', severity: 'info', reason })]
  })

const isFigure = (row: LegacyRow): boolean => figureNames.some(name => row.tag === `pu_${name}`)

/** The place of a person: the roster's section, else the registry's bullet. */
const placeOf = (player: LegacyPlayer): Pick<LegacyRow, 'path' | 'line'> | null =>
  player.roster === null ? player.entity : { path: player.roster.file, line: player.roster.line }

const isTopic = (row: LegacyRow): boolean => row.tag === 'trigger' || row.tag === 'tematy'

const distinctTopics = (topics: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Map(
    topics.map(topic => topic.normalize('NFC').trim()).map(topic => [nameKey(topic), topic]),
  ).values(),
]

/**
 * Restricted topics from all places that have them (FORMATS 10): roster, `@trigger`, the characters' tags and
 * files.
 */
const topicsOfPlayer = (player: LegacyPlayer, fileTopics: ReadonlyArray<string>): ReadonlyArray<string> => {
  const values = (rows: ReadonlyArray<LegacyRow>, tag: string): ReadonlyArray<string> =>
    rows.filter(row => row.tag === tag).flatMap(row => topicsOf(row.value))
  const ofCharacters = player.characters.flatMap(({ entity }) =>
    values(entity?.rows ?? [], 'tematy_zastrzezone'),
  )
  return distinctTopics([
    ...(player.roster?.topics ?? []),
    ...values(player.entity?.rows ?? [], 'trigger'),
    ...values(player.entity?.rows ?? [], 'tematy'),
    ...ofCharacters,
    ...fileTopics,
  ]).map(redactWebhooks)
}

const otherId = (
  player: LegacyPlayer,
  rows: ReadonlyArray<LegacyRow>,
  labels: LegacyLabels,
): ReadonlyArray<Finding> => {
  const { roster } = player
  if (roster === null || roster.gameId === null) return []
  const ids = rows.filter(row => isGameId(row, labels))
  if (ids.length === 0 || ids.some(row => row.value === roster.gameId)) return []
  const said = ids.map(row => row.value).join(', ')
  return [
    findingOfNotice({
      kind: 'GameIdDiffers',
      severity: 'warning',
      file: roster.file,
      line: roster.line,
      subject: player.name,
      reason: `The roster says game id ${roster.gameId}, the registry ${said}; the registry wins.`,
    }),
  ]
}

/**
 * Findings for dated topics: `@tematy` has no ranges, so they always count and the finding states their
 * dates.
 */
const topicFindings = (player: LegacyPlayer): ReadonlyArray<Finding> =>
  (player.entity?.rows ?? [])
    .filter(row => isTopic(row) && (row.from !== '' || row.to !== ''))
    .map(row =>
      findingOfNotice({
        kind: 'TopicUndated',
        severity: 'info',
        file: row.path,
        line: row.line,
        subject: player.name,
        reason: `@${row.tag} ${quoteRow(row)} of ${player.name} was adopted without its dates.`,
      }),
    )

/** A row that no registry file contains: from the roster, or derived from it. */
const makeRow = (tag: string, value: string, place: Pick<LegacyRow, 'path' | 'line'>): LegacyRow => ({
  tag,
  value,
  range: { from: null, to: null },
  from: '',
  to: '',
  path: place.path,
  line: place.line,
})

const joinBlocks = (blocks: ReadonlyArray<string>, newline: Newline): string =>
  blocks.map(block => block.replaceAll('\n', newline)).join(newline + newline)

const gap = (text: string, newline: Newline): string => {
  if (text === '' || text.endsWith(newline + newline)) return ''
  return text.endsWith('\n') ? newline : newline + newline
}

/** The content of a row, whatever its source. */
type WrittenRow = Pick<LegacyRow, 'tag' | 'value' | 'from' | 'to'>

const rowText = ({ tag, value, from, to }: WrittenRow): string => {
  const [first = '', ...rest] = value.split('\n')
  const range = from === '' && to === '' ? '' : ` (${from}:${to})`
  return [`- @${tag}: ${first}${range}`, ...rest.map(continueLine)].join('\n')
}

/** A block of an index file or of the contributor store (LAYOUT), without a newline at its end. */
const blockText = (heading: string, rows: ReadonlyArray<WrittenRow>): string =>
  [`### ${heading}`, ...rows.map(rowText)].join('\n').split('\n').map(escapeComments).join('\n')
