import type { Day, NameKey } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { exclusionsIn } from '#src/domain/places/projection.js'
import { containmentOf } from './character-files.js'
import type { Sources } from './legacy/manifest.js'
import { findingOfNotice, type History, migrationFindings, readHistory } from './legacy/outline.js'
import { type LegacyPeople, overlayPeople } from './legacy/overlay.js'
import { type LegacyRegistry, readRegistry } from './legacy/registry.js'
import { type LegacyLabels, readRoster } from './legacy/roster.js'

/** The parsed legacy layout: FORMATS 9, steps 2 to 4. */
export interface LegacyRead {
  readonly registry: LegacyRegistry
  readonly people: LegacyPeople
  readonly history: History
  readonly excluded: ReadonlySet<NameKey>
  readonly findings: ReadonlyArray<Finding>
}

/** Parses all legacy files that were found; pure and total. */
export const readLegacy = (sources: Sources, labels: LegacyLabels, day: Day): LegacyRead => {
  const roster = readRoster(sources.roster)
  const read = readRegistry(sources.registry)
  const turned = containmentOf(read.entities)
  const byKey = new Map(
    [...read.byKey.keys()].flatMap((key, at) => {
      const entity = turned.entities[at]
      return entity === undefined ? [] : [[key, entity] as const]
    }),
  )
  const registry = { ...read, entities: turned.entities, byKey }
  const people = overlayPeople(roster, registry, labels, day)
  const history = readHistory(sources.history)
  return {
    registry,
    people,
    history,
    excluded: sources.exclusions === undefined ? new Set() : exclusionsIn(sources.exclusions),
    findings: [
      ...manifestFindings(sources),
      ...migrationFindings(sources.migration),
      ...roster.findings,
      ...read.findings,
      ...turned.findings,
      ...people.findings,
      ...duplicateIdFindings(people),
      ...history.findings,
    ],
  }
}

const manifestFindings = ({ manifest }: Sources): ReadonlyArray<Finding> =>
  manifest.unknown.flatMap(({ key, value, line }) =>
    manifest.path === null
      ? []
      : findingOfNotice({
          kind: 'ManifestKeyUnknown',
          severity: 'info',
          file: manifest.path,
          line,
          subject: key,
          reason: `The manifest sets ${key} to "${value}", which adoption does not read.`,
        }),
  )

const duplicateIdFindings = (people: LegacyPeople): ReadonlyArray<Finding> => {
  const owners = new Map<string, Array<(typeof people.players)[number]>>()
  for (const player of people.players) {
    if (player.gameId === null) continue
    const known = owners.get(player.gameId)
    if (known === undefined) owners.set(player.gameId, [player])
    else known.push(player)
  }
  return [...owners].flatMap(([id, players]) => {
    const place = players.at(-1)
    const at = place?.roster ?? null
    const file = at?.file ?? place?.entity?.path
    if (players.length < 2 || file === undefined) return []
    const names = players.map(player => player.name).join(', ')
    return [
      findingOfNotice({
        kind: 'DuplicateGameId',
        severity: 'error',
        file,
        line: at?.line ?? place?.entity?.line ?? null,
        subject: id,
        reason: `Several people have the game id ${id}: ${names}.`,
        suggestion: 'Keep it for the person whose account it is.',
      }),
    ]
  })
}
