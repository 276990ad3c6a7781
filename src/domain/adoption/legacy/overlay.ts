import { type Day, type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import { type Decimal, deriveFigures, type Figures, figureOf } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { figureNames, findingOfNotice, hasWrongSum, isWebhook, noFigures, pointsText } from './outline.js'
import {
  byFrom,
  type LegacyEntity,
  type LegacyRegistry,
  type LegacyRow,
  legacyScalarOn,
  registryKey,
} from './registry.js'
import {
  isGameId,
  type LegacyLabels,
  type LegacyRoster,
  type RosterCharacter,
  type RosterPlayer,
} from './roster.js'

/** A character as the predecessor knew it: the roster overlaid with the registry (FORMATS 2.3). */
export interface LegacyCharacter {
  readonly name: string
  /** The Gracz who owns it; null for an orphan. */
  readonly player: string | null
  readonly path: RepoPath | null
  readonly active: boolean
  readonly aliases: ReadonlyArray<string>
  readonly figures: Figures
  readonly notes: ReadonlyArray<string>
  readonly roster: RosterCharacter | null
  readonly entity: LegacyEntity | null
  /** Its place in the sources: the row of the roster, else the bullet of the registry. */
  readonly place: { readonly path: RepoPath; readonly line: number } | null
}

/** A player as the predecessor knew it. `known` is false when only a character's `@należy_do` names it. */
export interface LegacyPlayer {
  readonly name: string
  readonly names: ReadonlyArray<string>
  readonly gameId: string | null
  readonly webhook: string | null
  readonly topics: ReadonlyArray<string>
  readonly characters: ReadonlyArray<LegacyCharacter>
  readonly roster: RosterPlayer | null
  readonly entity: LegacyEntity | null
  readonly known: boolean
}

export interface LegacyPeople {
  readonly players: ReadonlyArray<LegacyPlayer>
  /** Every character, including those without a player. */
  readonly characters: ReadonlyArray<LegacyCharacter>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * The roster overlaid with the registry, whose owner wins (FORMATS 2.3, 9 step 4). A character belongs to one
 * player; players that only a `@należy_do` names are stubs.
 */
export const overlayPeople = (
  roster: LegacyRoster,
  registry: LegacyRegistry,
  labels: LegacyLabels,
  day: Day,
): LegacyPeople => {
  const { rows, findings } = rowsByName(roster)
  const entities = registry.entities.filter(entity => entity.type === 'Postać')
  const own = new Set(entities.map(entity => nameKey(entity.name)))
  const players = new Map<NameKey, string>()
  for (const player of roster.players) players.set(nameKey(player.name), player.name)
  for (const entity of registry.entities)
    if (entity.type === 'Gracz' && !players.has(nameKey(entity.name)))
      players.set(nameKey(entity.name), entity.name)
  const known = new Set(players.keys())
  const pairs = [
    ...[...rows.values()]
      .filter(row => !own.has(nameKey(row.character.name)))
      .map(row => ({ row, entity: null })),
    ...entities.map(entity => ({ row: rows.get(nameKey(entity.name)) ?? null, entity })),
  ]
  const characters = pairs.map(({ row, entity }) => ({ row, character: characterOf(row, entity, day) }))
  const owned = new Map<NameKey, LegacyCharacter[]>()
  for (const { character } of characters) {
    if (character.player === null) continue
    const key = nameKey(character.player)
    if (!players.has(key)) players.set(key, character.player)
    const known = owned.get(key)
    if (known === undefined) owned.set(key, [character])
    else known.push(character)
  }
  const rosterOf = new Map([...roster.players].reverse().map(player => [nameKey(player.name), player]))
  return {
    players: [...players].map(([key, name]) =>
      playerOf(
        name,
        rosterOf.get(key) ?? null,
        registry.byKey.get(registryKey('Gracz', name)) ?? null,
        owned.get(key) ?? [],
        labels,
        day,
      ),
    ),
    characters: characters.map(({ character }) => character),
    findings: [
      ...duplicateFindings(roster),
      ...findings,
      ...characters.flatMap(({ row, character }) => characterFindings(character, row, known)),
    ],
  }
}

const showPoints = (value: Decimal | null): string => (value === null ? 'BRAK' : pointsText(value))

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const valuesOf = (entity: LegacyEntity | null, tag: string): ReadonlyArray<string> =>
  (entity?.rows ?? []).filter(row => row.tag === tag).map(row => row.value)

const lastOf = (rows: ReadonlyArray<LegacyRow>, tag: string, day: Day): LegacyRow | null =>
  legacyScalarOn(rows, tag, day) ?? byFrom(rows.filter(row => row.tag === tag)).at(-1) ?? null

const figuresOf = (base: Figures, entity: LegacyEntity | null, day: Day): Figures => {
  const of = (name: keyof Figures): Decimal | null => {
    const row = entity === null ? null : lastOf(entity.rows, `pu_${name}`, day)
    return row === null ? base[name] : figureOf(row.value)
  }
  return deriveFigures({
    suma: of('suma'),
    startowe: of('startowe'),
    zdobyte: of('zdobyte'),
    nadmiar: of('nadmiar'),
  })
}

interface Row {
  readonly owner: RosterPlayer
  readonly character: RosterCharacter
}

const characterOf = (row: Row | null, entity: LegacyEntity | null, day: Day): LegacyCharacter => {
  const owner = entity === null ? null : (legacyScalarOn(entity.rows, 'należy_do', day)?.value ?? null)
  const player = owner ?? row?.owner.name ?? null
  const moved =
    row !== null && owner !== null && registryKey('Gracz', owner) !== registryKey('Gracz', row.owner.name)
  return {
    name: entity?.name ?? row?.character.name ?? '',
    player,
    path: row?.character.path ?? null,
    active: row !== null && !moved && row.character.active,
    aliases: distinct([...(row?.character.aliases ?? []), ...valuesOf(entity, 'alias')]),
    figures: figuresOf(row?.character.figures ?? noFigures, entity, day),
    notes: distinct([...(row?.character.notes ?? []), ...valuesOf(entity, 'info')]),
    roster: row?.character ?? null,
    entity,
    place: row === null ? entity : { path: row.owner.file, line: row.character.line },
  }
}

const characterFindings = (
  character: LegacyCharacter,
  row: Row | null,
  players: ReadonlySet<NameKey>,
): ReadonlyArray<Finding> => {
  const { entity, player, name, figures } = character
  const place = entity ?? (row === null ? null : { path: row.owner.file, line: row.character.line })
  if (place === null) return []
  const at = { file: place.path, line: place.line, subject: name } as const
  const found: Finding[] = []
  if (player === null) {
    const reason = `${name} belongs to no player: no active @należy_do, and no row in the roster.`
    found.push(findingOfNotice({ ...at, kind: 'OrphanCharacter', severity: 'warning', reason }))
  } else if (!players.has(nameKey(player))) {
    const reason = `${name} belongs to ${player}, who is neither in the roster nor in the registry.`
    const suggestion = `Add a block ${player} with its @gameid to the contributor store.`
    const missing = { name: player, type: 'Gracz' } as const
    found.push(
      findingOfNotice({ ...at, kind: 'UnknownPlayer', severity: 'warning', reason, suggestion, missing }),
    )
  }
  if (row !== null && player !== null && nameKey(player) !== nameKey(row.owner.name)) {
    const reason = `${name} is listed under ${row.owner.name} in the roster; the registry says ${player} and wins.`
    const file = row.owner.file
    const line = row.character.line
    found.push(findingOfNotice({ ...at, file, line, kind: 'MovedOwner', severity: 'warning', reason }))
  }
  if (hasWrongSum(figures)) {
    const parts = `STARTOWE ${showPoints(figures.startowe)} + ZDOBYTE ${showPoints(figures.zdobyte)}`
    const reason = `SUMA ${showPoints(figures.suma)} of ${name} is not ${parts}.`
    const suggestion = 'Adopted unchanged. A coordinator decides which of the three is right.'
    found.push(findingOfNotice({ ...at, kind: 'pu-niespójne', severity: 'warning', reason, suggestion }))
  }
  if (row !== null && !row.character.active) {
    const reason = `${name} is not bold in the roster; its @status was left as it is.`
    const line = row.character.line
    found.push(
      findingOfNotice({ ...at, file: row.owner.file, line, kind: 'NotBold', severity: 'info', reason }),
    )
  }
  return found
}

const playerOf = (
  name: string,
  roster: RosterPlayer | null,
  entity: LegacyEntity | null,
  characters: ReadonlyArray<LegacyCharacter>,
  labels: LegacyLabels,
  day: Day,
): LegacyPlayer => {
  const ids = (entity?.rows ?? [])
    .filter(row => isGameId(row, labels))
    .map(row => ({ ...row, tag: 'gameid' }))
  const webhook = byFrom((entity?.rows ?? []).filter(row => row.tag === 'prfwebhook' && isWebhook(row.value)))
  const triggers = valuesOf(entity, 'trigger')
  return {
    name,
    names: distinct([
      name,
      ...valuesOf(entity, 'alias'),
      ...characters.flatMap(character => [character.name, ...character.aliases]),
    ]),
    gameId: lastOf(ids, 'gameid', day)?.value ?? roster?.gameId ?? null,
    webhook: webhook.at(-1)?.value ?? roster?.webhook ?? null,
    topics: triggers.length > 0 ? triggers : (roster?.topics ?? []),
    characters,
    roster,
    entity,
    known: roster !== null || entity !== null,
  }
}

/**
 * Findings for second sections of one name: only their characters are adopted, and the finding quotes the
 * rest.
 */
const duplicateFindings = (roster: LegacyRoster): ReadonlyArray<Finding> => {
  const seen = new Set<NameKey>()
  return roster.players.flatMap(player => {
    const known = seen.has(nameKey(player.name))
    seen.add(nameKey(player.name))
    if (!known) return []
    const said = [player.gameId ?? '', ...player.topics, ...player.notes].filter(text => text !== '')
    const at = { file: player.file, line: player.line, subject: player.name } as const
    const kept = 'of the second section only the characters were adopted'
    const reason = `${player.name} is in the roster twice; ${kept}, not: ${said.join('; ')}.`
    return [findingOfNotice({ ...at, kind: 'DuplicatePlayer', severity: 'error', reason })]
  })
}

/** The first row of each name; a later one of the same name is a finding. */
const rowsByName = (
  roster: LegacyRoster,
): { readonly rows: ReadonlyMap<NameKey, Row>; readonly findings: ReadonlyArray<Finding> } => {
  const rows = new Map<NameKey, Row>()
  const findings: Finding[] = []
  for (const owner of roster.players) {
    for (const character of owner.characters) {
      const first = rows.get(nameKey(character.name))
      if (first === undefined) {
        rows.set(nameKey(character.name), { owner, character })
        continue
      }
      const said = [...character.aliases, ...character.notes, character.path ?? ''].join('; ')
      const figures = figureNames.map(key => `${key.toUpperCase()} ${showPoints(character.figures[key])}`)
      const row = `${owner.name}: ${said}; ${figures.join(', ')}`
      findings.push(
        findingOfNotice({
          kind: 'DuplicateCharacter',
          severity: 'error',
          file: owner.file,
          line: character.line,
          subject: character.name,
          reason: `${character.name} is already listed under ${first.owner.name}; not adopted: ${row}.`,
        }),
      )
    }
  }
  return { rows, findings }
}
