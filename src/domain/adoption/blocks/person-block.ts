import { nameKey } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { isReservedName } from '#src/domain/people/store/reserved-name.js'
import { adoptRows } from '../adopted-rows.js'
import { isGameId, type LegacyLabels } from '../legacy/game-id-tag.js'
import { findingOfNotice } from '../legacy/noticed.js'
import type { LegacyPlayer } from '../legacy/overlay.js'
import { type LegacyRow, quoteRow } from '../legacy/registry-row.js'
import { topicsOf } from '../legacy/roster.js'
import { redactWebhooks } from '../legacy/secret.js'
import { blockText } from './block-text.js'
import { makeRow, type PlannedBlock } from './planned-block.js'

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
