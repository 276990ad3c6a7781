import { type CommitId, type Day, requirePath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { formatOf, type SourceFile } from '#src/domain/lore/layout.js'
import { readSamples } from '#src/domain/samples/samples.js'
import { noTuning, type TuningStore } from '#src/domain/samples/tuning-store.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { type LogArchive, noArchive } from '#src/domain/transcripts/archive.js'
import type { ParsedFile } from './parsed-file.js'
import type { Snapshot, TreeHeads } from './snapshot.js'
import { sortLore } from './sorted-lore.js'
import { buildStages, type StageFiles, type Stages } from './stages.js'

/** Everything that determines a snapshot. `lore` is sorted by path. */
export interface Inputs extends StageFiles {
  readonly commit: CommitId | null
  readonly id: string
  readonly treeHeads: TreeHeads
  readonly day: Day
  /** The configuration of the host, the same for every load until it restarts. */
  readonly config: Config
  /**
   * Paths of committed files that are not in `lore` because they are too large (D65). Empty on a reader
   * thread.
   */
  readonly leftOut: ReadonlySet<string>
  /** Absent: the host has no archive of transcripts. */
  readonly archive?: LogArchive
  /** Absent: the host has no fine-tuning samples, as on a reader thread. Their findings are in `findings`. */
  readonly tuning?: TuningStore
  readonly findings: ReadonlyArray<Finding>
}

/**
 * A snapshot with the results of its build stages, so that the next build repeats only stages whose inputs
 * changed.
 */
export interface Build {
  readonly snapshot: Snapshot
  readonly stages: Stages
}

/**
 * Builds the snapshot of `inputs` and reuses from the build before every stage whose inputs are the same.
 * Yields between and within stages, so that a large commit does not block the event loop.
 */
export const buildSnapshotInSlices = function* (inputs: Inputs, before: Build | null): Sliced<Build> {
  const sorted = sortLore(inputs.lore)
  yield
  const stages = yield* buildStages(inputs, sorted, before?.stages)
  yield
  const samples = samplesOf(inputs.samples ?? noSampleFiles)
  yield
  const { tuning = noTuningStore } = inputs
  const snapshot: Snapshot = {
    generation: (before?.snapshot.generation ?? 0) + 1,
    commit: inputs.commit,
    inputs: inputs.id,
    treeHeads: inputs.treeHeads,
    day: inputs.day,
    config: inputs.config,
    format: formatOf(sorted.text('format')),
    files: sourcesOf(inputs.lore),
    entities: stages.overlay.value.entities,
    names: stages.overlaidNames.value,
    language: stages.language.value,
    annotatedLemmas: stages.lexicon.value,
    samples,
    tuning,
    people: stages.people.value,
    moderators: stages.moderators.value,
    characterFiles: stages.characters.value,
    sessions: stages.sessions.value,
    archive: inputs.archive ?? noArchive,
    closeLedger: stages.closeLedger.value,
    moves: stages.moves.value,
    payments: stages.overlay.value.payments,
    batches: stages.batches.value,
    players: stages.players.value,
    ledger: stages.ledger.value,
    roles: stages.roles.value,
    grants: stages.grants.value,
    bindings: stages.bindings.value,
    fleetKeys: stages.fleetKeys.value,
    leftOut: inputs.leftOut,
    findings: [
      ...inputs.findings,
      ...stages.moderators.value.findings,
      ...stages.overlay.value.findings,
      ...stages.overlaidNames.value.findings,
      ...samples.findings.map(inAnnotations),
    ],
  }
  return { snapshot, stages }
}

/** Runs `buildSnapshotInSlices` to its end without yielding. */
export const buildSnapshot = (inputs: Inputs, before: Build | null): Build =>
  atOnce(buildSnapshotInSlices(inputs, before))

const sourcesOf = (lore: ReadonlyMap<string, ParsedFile>): ReadonlyMap<string, SourceFile> => {
  const sources = new Map<string, SourceFile>()
  for (const [path, file] of lore) sources.set(path, file.source)
  return sources
}

const noSampleFiles: ReadonlyArray<SourceFile> = []

const samplesOf = perValue(readSamples)

const noTuningStore = noTuning('NoStoreConfigured')

/** A finding of the annotation tree under the path that people are shown: it lies in another repository. */
const inAnnotations = (finding: Finding): Finding => ({
  ...finding,
  file: requirePath(`corpora.adnotacje/${finding.file}`),
})
