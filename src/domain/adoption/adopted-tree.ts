import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { BlobId, type EntityType, nameKey, RepoPath, type Status, statuses } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { parseIndexFile } from '#src/domain/entities/bound-findings.js'
import { buildEntitiesInSlices } from '#src/domain/entities/entities.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { FileChange } from '#src/domain/lore/changes.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { ensureNameIndexInSlices } from '#src/domain/names/name-index.js'
import { parseContributorStore } from '#src/domain/people/contributor-store.js'
import { contributorsPath, type People } from '#src/domain/people/roster.js'
import {
  type ClosingGround,
  closeLedgerPath,
  parseCloseLedgerInSlices,
} from '#src/domain/sessions/effects/closed-sessions.js'
import { buildOverlayInSlices } from '#src/domain/sessions/effects/overlay.js'
import { mergeSessionsInSlices } from '#src/domain/sessions/merge.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Sessions } from '#src/domain/sessions/session.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import { type Settled, settleRows } from './ledger-plan.js'
import type { Tree } from './legacy/manifest.js'
import { findingOfNotice, holdsWebhook, isHashedKey, redactWebhooks, revoke } from './legacy/outline.js'
import { indexTypeOf, type LegacyRow, quoteRow, typeOfWord } from './legacy/registry.js'
import { isGameId, type LegacyLabels } from './legacy/roster.js'

/**
 * New texts by path as changes of a tree; texts that are there already give no change. Keys that are no valid
 * paths are skipped.
 */
export const changesTo = (
  tree: Tree,
  texts: Iterable<readonly [string, string]>,
): ReadonlyArray<FileChange> =>
  [...texts].flatMap(([name, after]) => {
    const file = tree.get(name.normalize('NFC'))
    const path = RepoPath.decode(file?.path ?? name)
    if (isLeft(path) || file?.text === after) return []
    return [{ path: path.right, before: file?.blob ?? null, after }]
  })

/** The tree after the changes; a change whose `after` is null removes its file. */
export const applyFileChanges = (tree: Tree, changes: ReadonlyArray<FileChange>): Tree => {
  const changed = new Map(tree)
  for (const { path, after } of changes) {
    const blob = after === null ? null : blobOf(after)
    const key = path.normalize('NFC')
    if (after === null || blob === null) changed.delete(key)
    else changed.set(key, { path, blob, text: after, undecodable: false })
  }
  return changed
}

/**
 * The sessions of a tree, as the snapshot will parse them, without the given files. Yields after each file.
 */
export const readSessionsInSlices = function* (tree: Tree, without: ReadonlySet<string>): Sliced<Sessions> {
  const files: Array<ReturnType<typeof readSessions>> = []
  for (const path of [...tree.keys()].filter(one => roleOf(one) === 'sessions' && !without.has(one)).sort()) {
    const file = tree.get(path)
    if (file !== undefined) files.push(readSessions(file))
    yield
  }
  return yield* mergeSessionsInSlices(files)
}

/** The inputs of closing, from a tree. */
export const closingGroundInSlices = function* (tree: Tree): Sliced<ClosingGround> {
  const base = (yield* entitiesIn(tree)).entities
  return {
    base,
    names: yield* ensureNameIndexInSlices(base),
    sessions: yield* readSessionsInSlices(tree, new Set()),
    closeLedger: yield* parseCloseLedgerInSlices(tree.get(closeLedgerPath) ?? null),
  }
}

/** People and entities of the adopted files; `state` includes the effects of closed sessions. */
export interface AdoptedView {
  readonly people: People
  readonly entities: Entities
  readonly state: Entities
}

/**
 * Parses the adopted tree with the daemon's own parsers, so that counts and parity describe what will be
 * served.
 */
export const buildViewInSlices = function* (tree: Tree, sessions: Sessions): Sliced<AdoptedView> {
  const { people, entities } = yield* entitiesIn(tree)
  const ledger = yield* parseCloseLedgerInSlices(tree.get(closeLedgerPath) ?? null)
  const names = yield* ensureNameIndexInSlices(entities)
  const { entities: state } = yield* buildOverlayInSlices(entities, names, sessions, ledger)
  return { people, entities, state }
}

/** Number of people and blocks, under the field names of A 4.5. */
export const countsOf = ({ people, entities }: AdoptedView) => {
  const of = (type: EntityType): number => entities.byType.get(type)?.length ?? 0
  return {
    players: people.all.length,
    characters: of('Postać'),
    npc: of('NPC'),
    locations: of('Lokacja'),
    maps: of('Mapa'),
  }
}

/**
 * Legacy rows as rows of a format 2 block of `type` (FORMATS 10): without credentials, with statuses and
 * types of the closed lists, with the game id under its own tag, and with at most one active row per scalar.
 * Unknown tags are kept verbatim. Every change is a finding.
 */
export const adoptRows = (
  rows: ReadonlyArray<LegacyRow>,
  type: EntityType,
  subject: string,
  labels: LegacyLabels,
): Settled => {
  const clean = rows.map(row => withoutSecrets(row, subject))
  const steps = clean
    .flatMap(({ rows: left }) => left)
    .map(row => step(renameTag(row, type, labels), type, subject))
  const result = settleGroups(distinct(steps.flatMap(part => part.rows)), type, subject)
  return {
    rows: result.rows,
    findings: [
      ...clean.flatMap(part => part.findings),
      ...steps.flatMap(part => part.findings),
      ...result.findings,
    ],
  }
}

/** The git blob id of a text. */
const blobOf = (text: string): BlobId | null => {
  const bytes = Buffer.from(text, 'utf8')
  const id = BlobId.decode(createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'))
  return isLeft(id) ? null : id.right
}

/** Trees of several commits share most files, so each file is parsed once. */
const readSessions = perValue(parseSessionFile)
const readIndex = perValue(parseIndexFile)

const entitiesIn = function* (tree: Tree): Sliced<Pick<AdoptedView, 'people' | 'entities'>> {
  const people = parseContributorStore(tree.get(contributorsPath) ?? null)
  const paths = [...tree.keys()].filter(path => roleOf(path) === 'index').sort()
  const index: Array<ReturnType<typeof readIndex>> = []
  for (const path of paths) {
    const file = tree.get(path)
    if (file !== undefined) index.push(readIndex(file))
    yield
  }
  const fileAt = (path: string) => tree.get(path.normalize('NFC')) ?? null
  return { people, entities: yield* buildEntitiesInSlices(index, { people, fileAt }) }
}

const place = (row: LegacyRow, subject: string) => ({ file: row.path, line: row.line, subject }) as const

const none: ReadonlyArray<LegacyRow> = []

interface Step {
  readonly rows: ReadonlyArray<LegacyRow>
  readonly findings: ReadonlyArray<Finding>
}

const keepRow = (row: LegacyRow): Step => ({ rows: [row], findings: [] })

const secretTags: ReadonlySet<string> = new Set(['prfwebhook', 'webhook'])

const dates = ({ from, to }: LegacyRow): string => (from === '' && to === '' ? '' : ` (${from}:${to})`)

/** The text of a credential row beside the credential. */
const beside = (row: LegacyRow): string => {
  const text = redactWebhooks(row.value).replaceAll('[webhook]', ' ').trim()
  return row.tag !== 'klucz_api' && !text.includes('://') && /[\p{L}\p{N}]/u.test(text) ? `: "${text}"` : ''
}

/**
 * Removes credentials: the row is dropped, or loses its URL, and a finding asks a person to revoke the
 * credential (D36).
 */
const withoutSecrets = (row: LegacyRow, subject: string): Step => {
  const raw = row.tag === 'klucz_api' && !isHashedKey(row.value)
  const whole = secretTags.has(row.tag)
  if (!raw && !whole && !holdsWebhook(row.value)) return keepRow(row)
  const plain = whole && !holdsWebhook(row.value) && !row.value.includes('://')
  const reason = plain
    ? `@${row.tag} ${quoteRow(row)} of ${subject} is not an address, so it was not adopted.`
    : `@${row.tag}${dates(row)} of ${subject} has a credential in plain text, which was not copied${beside(row)}.`
  const told = findingOfNotice({
    ...place(row, subject),
    kind: plain ? 'WebhookInvalid' : raw ? 'RawKeyToRevoke' : 'WebhookToRevoke',
    severity: 'warning',
    reason,
    ...(plain ? {} : { suggestion: revoke }),
  })
  return { rows: raw || whole ? none : [{ ...row, value: redactWebhooks(row.value) }], findings: [told] }
}

const statusOf = new Map<string, Status>(statuses.map(status => [nameKey(status), status]))

const withStatus = (row: LegacyRow, subject: string): Step => {
  const status = statusOf.get(nameKey(row.value))
  if (status !== undefined) return keepRow({ ...row, value: status })
  const known = statuses.join(', ')
  const reason = `@status ${quoteRow(row)} of ${subject} is not one of ${known}; it was adopted as Niepewny.`
  const told = findingOfNotice({ ...place(row, subject), kind: 'UnknownStatus', severity: 'warning', reason })
  return { rows: [{ ...row, value: 'Niepewny' }], findings: [told] }
}

const withType = (row: LegacyRow, of: EntityType, subject: string): Step => {
  const type = of === 'Gracz' ? (typeOfWord(row.value) === 'Gracz' ? of : null) : indexTypeOf(row.value)
  if (type !== null) return keepRow({ ...row, value: type })
  const reason = `@typ ${quoteRow(row)} of ${subject} is not a type; it was adopted as @info.`
  const told = findingOfNotice({ ...place(row, subject), kind: 'FreeTextType', severity: 'info', reason })
  return { rows: [{ ...row, tag: 'info' }], findings: [told] }
}

const renameTag = (row: LegacyRow, type: EntityType, labels: LegacyLabels): LegacyRow =>
  (type === 'Gracz' || type === 'Mapa') && isGameId(row, labels) ? { ...row, tag: 'gameid' } : row

const step = (row: LegacyRow, type: EntityType, subject: string): Step => {
  if (row.tag === 'status') return withStatus(row, subject)
  if (row.tag === 'typ') return withType(row, type, subject)
  if (tagRule(row.tag, type) !== null) return keepRow(row)
  const reason = `@${row.tag} is not a tag of type ${type}; the row was kept unchanged.`
  return {
    rows: [row],
    findings: [findingOfNotice({ ...place(row, subject), kind: 'UnknownTag', severity: 'info', reason })],
  }
}

const identity = (row: LegacyRow): string => `${row.tag}\n${row.from}:${row.to}\n${row.value}`

const distinct = (rows: ReadonlyArray<LegacyRow>): ReadonlyArray<LegacyRow> =>
  [...new Map([...rows].reverse().map(row => [identity(row), row])).values()].reverse()

/**
 * Whether a tag has one value at a time. A Gracz has one game id at a time, though it may have several closed
 * ones.
 */
const isScalar = (tag: string, type: EntityType): boolean =>
  tag === 'gameid' ? type === 'Gracz' || type === 'Mapa' : tagRule(tag, type)?.multi === false

const settleGroups = (rows: ReadonlyArray<LegacyRow>, type: EntityType, subject: string): Settled => {
  const groups = new Map<string, Array<LegacyRow>>()
  for (const row of rows) {
    const group = groups.get(row.tag) ?? []
    group.push(row)
    groups.set(row.tag, group)
  }
  const parts = [...groups].map(([tag, group]) =>
    isScalar(tag, type) ? settleRows(group, subject) : { rows: group, findings: [] },
  )
  return { rows: parts.flatMap(part => part.rows), findings: parts.flatMap(part => part.findings) }
}
