import type { Day, Instant } from '#protocol/atoms.js'
import type { Adoption, ParityRow } from '#protocol/host/admin.js'
import { formatPath, formatSeed, rolesSeed, type Seed } from '#src/domain/admin/gate-arms.js'
import { cycleFindings } from '#src/domain/entities/canonical-path.js'
import { entityNamed } from '#src/domain/entities/entities.js'
import { type Entities, ownerOn } from '#src/domain/entities/entity.js'
import type { FileChange } from '#src/domain/lore/changes.js'
import { type Figures, figuresOn, numberOrNull } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { formatOf, type SourceFile } from '#src/domain/lore/layout.js'
import { ensureNameIndexInSlices } from '#src/domain/names/name-index.js'
import { suggestNear } from '#src/domain/names/nearest.js'
import { locationExclusionsPath } from '#src/domain/places/projection.js'
import { closeLedgerPath, parseCloseLedgerInSlices } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Sessions } from '#src/domain/sessions/session.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import {
  type AdoptedView,
  applyFileChanges,
  buildViewInSlices,
  changesTo,
  countsOf,
  readSessionsInSlices,
} from './adopted-tree.js'
import { nearMax, type PastRows, planCloseLedger, reportUnresolvedNames } from './close-plan.js'
import { type Emitted, emitFiles } from './emission.js'
import { batchesPath, planBatches } from './ledger-plan.js'
import { legacyFilesIn, locateSources, type Sources, type Tree, treeOfFiles } from './legacy/manifest.js'
import { figureNames, noFigures, redactWebhooks } from './legacy/outline.js'
import type { LegacyCharacter } from './legacy/overlay.js'
import type { LegacyLabels } from './legacy/roster.js'
import { type LegacyRead, readLegacy } from './legacy-read.js'
import { planRegistryInSlices, type RegistryPlan } from './registry.js'

/** The inputs of adoption beside the files. `today` is the civil day of `now` in the server's zone (D10). */
export interface AdoptionContext {
  readonly now: Instant
  readonly today: Day
  readonly dryRun: boolean
  readonly labels: LegacyLabels
  /** Rows of the close ledger without the meaning of their sessions, with the files of their commits. */
  readonly past: PastRows
}

/**
 * The one commit that adopts a legacy repository, and the answer. `refused`: why nothing can be planned;
 * there are no changes then.
 */
export interface AdoptionPlan {
  readonly report: Adoption
  readonly changes: ReadonlyArray<FileChange>
  readonly refused: ReadonlyArray<string>
}

/**
 * Plans the adoption of a repository into format 2 (FORMATS 9): a pure function of its files. Planning again
 * on its own result changes nothing and counts the same. Nothing is lost: every word of the input is in the
 * adopted files or in the report, except credentials (D36). Yields in its long loops.
 */
export const planAdoptionInSlices = function* (
  files: ReadonlyMap<string, SourceFile>,
  context: AdoptionContext,
): Sliced<AdoptionPlan> {
  const tree = treeOfFiles(files.values())
  const sources = locateSources(tree)
  const stamped = formatOf(tree.get(formatPath) ?? null).state !== 'SchemaTooOld'
  const legacy = readLegacy(sources, context.labels, context.today)
  yield
  const content = emitFiles(tree, sources, legacy, { ...context, stamped })
  yield
  const eaten = new Set(legacyFilesIn(sources).map(file => file.path.normalize('NFC')))
  const sessions = yield* readSessionsInSlices(tree, eaten)
  const filled = applyFileChanges(tree, content.changes)
  yield
  const filledView = yield* buildViewInSlices(filled, sessions)
  const written = yield* ledgers(filled, sources, legacy, sessions, filledView, {
    ...context,
    stamped,
  })
  yield
  const settled = applyFileChanges(filled, written.changes)
  const view = yield* buildViewInSlices(settled, sessions)
  const registry = yield* planRegistryInSlices(view.state, sessions, context.today, tree)
  const changes = [
    ...content.changes,
    ...written.changes,
    ...registry.changes,
    ...changesTo(tree, seeds(tree, sources, stamped)),
  ]
  const parts = { view, sessions, registry, content, legacy }
  const findings = yield* collectFindingsInSlices(context.today, { ...parts, written })
  yield
  const refused = undecodable(tree, sources, changes)
  yield
  const planned = refused.length === 0 ? changes : []
  return {
    report: report(context, { ...parts, sources, changes: planned, findings }),
    changes: planned,
    refused,
  }
}

/** The list of exclusions of the old layout; only the run that adopts copies it, and only when format 2 has none. */
const exclusionsSeed = (tree: Tree, { exclusions }: Sources, stamped: boolean): ReadonlyArray<Seed> =>
  stamped || exclusions === undefined || tree.has(locationExclusionsPath)
    ? []
    : [{ path: locationExclusionsPath, text: redactWebhooks(exclusions.text) }]

/** The stamp, the roles table and the list of exclusions, each only when absent (LAYOUT). */
const seeds = (tree: Tree, sources: Sources, stamped: boolean): ReadonlyArray<readonly [string, string]> =>
  [
    ...(tree.has(rolesSeed.path) ? [] : [rolesSeed]),
    ...exclusionsSeed(tree, sources, stamped),
    ...(stamped ? [] : [formatSeed]),
  ].map(({ path, text }) => [path, text] as const)

interface Ledgers {
  readonly changes: ReadonlyArray<FileChange>
  readonly findings: ReadonlyArray<Finding>
}

const ledgers = function* (
  tree: Tree,
  sources: Sources,
  legacy: LegacyRead,
  sessions: Sessions,
  view: AdoptedView,
  at: AdoptionContext & { readonly stamped: boolean },
): Sliced<Ledgers> {
  const batches = planBatches(
    tree.get(batchesPath),
    legacy.history,
    sources.history?.path ?? null,
    sessions,
    view.entities,
  )
  const file = tree.get(closeLedgerPath)
  yield
  const closeLedger = yield* parseCloseLedgerInSlices(file ?? null)
  const base = view.entities
  const names = yield* ensureNameIndexInSlices(base)
  const close = yield* planCloseLedger(file, { base, names, sessions, closeLedger }, at, at.past)
  return {
    changes: changesTo(tree, [
      ...(batches.text === null ? [] : [[batchesPath, batches.text] as const]),
      ...(close === null ? [] : [[closeLedgerPath, close] as const]),
    ]),
    findings: batches.findings,
  }
}

const report = (
  context: AdoptionContext,
  parts: {
    readonly view: AdoptedView
    readonly sessions: Sessions
    readonly registry: RegistryPlan
    readonly content: Emitted
    readonly legacy: LegacyRead
    readonly sources: Sources
    readonly changes: ReadonlyArray<FileChange>
    readonly findings: ReadonlyArray<Finding>
  },
): Adoption => {
  const { view, sessions, registry, content, legacy } = parts
  const parity = legacy.people.characters.map(one => parityRow(one, view.entities, context.today))
  return {
    Applied: !context.dryRun && parts.changes.length > 0,
    Entities: { ...countsOf(view), preserved: content.preserved },
    SessionsObserved: sessions.all.length,
    SessionRegistry: {
      Applied: !context.dryRun && registry.written > 0,
      Roots: registry.roots,
      Files: { Written: registry.written, Unchanged: registry.unchanged },
      Sessions: { Total: registry.total, Placed: registry.placed },
    },
    Findings: parts.findings.map(({ kind, severity, file, line, subject, reason, suggestion }) => ({
      kind,
      severity,
      file,
      line,
      subject,
      reason,
      suggestion,
    })),
    Files: parts.changes.map(change => change.path),
    Sources: legacyFilesIn(parts.sources).map(file => file.path),
    ...(context.dryRun ? { Parity: parity } : {}),
  }
}

/** Files that cannot be read or rewritten without loss, because their bytes are not UTF-8. */
const undecodable = (
  tree: Tree,
  sources: Sources,
  changes: ReadonlyArray<FileChange>,
): ReadonlyArray<string> => {
  const touched = changes.flatMap(change => tree.get(change.path.normalize('NFC')) ?? [])
  const isSeeded = changes.some(change => change.path === locationExclusionsPath)
  const seeded = isSeeded && sources.exclusions !== undefined ? [sources.exclusions] : []
  const files = new Set([...legacyFilesIn(sources), ...seeded, ...touched].filter(file => file.undecodable))
  return [...files].map(file => `${file.path}: the file is not UTF-8. Convert it and adopt again.`)
}

const sayNear = (near: ReadonlyArray<string>): string =>
  redactWebhooks(`The nearest names are ${near.join(', ')}.`)

/** The findings of the report, in the order of the steps that made them. */
const collectFindingsInSlices = function* (
  today: Day,
  parts: {
    readonly view: AdoptedView
    readonly sessions: Sessions
    readonly registry: RegistryPlan
    readonly content: Emitted
    readonly legacy: LegacyRead
    readonly written: Ledgers
  },
): Sliced<ReadonlyArray<Finding>> {
  const { view, sessions, registry, content, legacy, written } = parts
  const unresolved = yield* reportUnresolvedNames(sessions, view.entities, legacy.excluded, today)
  const lookedUpMax = Math.max(0, nearMax - unresolved.length)
  const read = yield* suggestNear(legacy.findings, view.entities, lookedUpMax, sayNear)
  return [
    ...read,
    ...content.findings,
    ...sessions.findings,
    ...unresolved,
    ...written.findings,
    ...registry.findings,
    ...cycleFindings(view.state, today),
  ]
}

type Side = ParityRow['legacy']

const sideOf = ({ suma, startowe, zdobyte, nadmiar }: Figures): Side => ({
  suma: numberOrNull(suma),
  startowe: numberOrNull(startowe),
  zdobyte: numberOrNull(zdobyte),
  nadmiar: numberOrNull(nadmiar),
})

/** The PU of a character in the predecessor, compared with the adopted block (FORMATS 9). */
const parityRow = (character: LegacyCharacter, entities: Entities, day: Day): ParityRow => {
  const adopted = entityNamed(entities, character.name, day, 'Postać')?.entity ?? null
  const legacy = sideOf(character.figures)
  const now = sideOf(adopted === null ? noFigures : figuresOn(adopted.rows, day))
  const player = character.player === null ? null : redactWebhooks(character.player)
  const owner = adopted === null ? null : ownerOn(adopted, day)
  return {
    character: character.name,
    player,
    legacy,
    adopted: now,
    equal: adopted !== null && owner === player && figureNames.every(name => legacy[name] === now[name]),
  }
}
