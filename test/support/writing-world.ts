import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import { applySplices, type FileEdit, hasOverlap } from '#src/domain/lore/file-edit.js'
import { showPreview } from '#src/node/gate/preview.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { builtInHooks, refuseChange } from '#src/writing/batch/hooks.js'
import type { Admit, PlanCommand, WritePort } from '#src/writing/command.js'
import { refuseClosedEffects } from '#src/writing/sessions/closed-session-guard.js'
import { admitMachine, passThroughJson } from './commands.js'
import { tuningStore, tuningTexts } from './tuning.js'
import { archiveTexts, worldOf } from './world.js'

/** The texts of a world by path. */
export const textsOf = (snapshot: Snapshot): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...snapshot.files, ...archiveTexts(snapshot), ...tuningTexts(snapshot)].map(([path, file]) => [
      path,
      file.text,
    ]),
  )

/** The texts of the sample store by path; undefined where the world has none. */
const samplesOf = ({ samples, treeHeads }: Snapshot): Readonly<Record<string, string>> | undefined =>
  treeHeads.has('adnotacje')
    ? Object.fromEntries([...samples.files].map(([path, file]) => [path, file.text]))
    : undefined

/**
 * The text of a file after an edit; throws where the plan was made on another world, as the gate would refuse
 * it.
 */
const editText = (snapshot: Snapshot, edit: FileEdit): string | null => {
  const file =
    snapshot.files.get(edit.path) ??
    archiveTexts(snapshot).get(edit.path) ??
    snapshot.samples.files.get(edit.path) ??
    tuningTexts(snapshot).get(edit.path) ??
    null
  if ((file?.blob ?? null) !== edit.before) throw new Error(`${edit.path}: the plan was made on another blob`)
  if (edit._tag === 'Whole') return edit.after
  const clash = edit.splices.some((one, at) =>
    edit.splices.slice(at + 1).some(other => hasOverlap(one, other)),
  )
  if (clash) throw new Error(`${edit.path}: splices overlap`)
  return applySplices(file?.text ?? '', edit.splices)
}

/** The world of these texts; those of fine-tuning samples are of the store. */
const nextWorld = (
  before: Snapshot,
  after: Readonly<Record<string, string>>,
  samples: Readonly<Record<string, string>> | undefined,
): Snapshot => {
  const texts = tuningTexts(before)
  const [lore, store] = [false, true].map(isOfStore =>
    Object.fromEntries(Object.entries(after).filter(([path]) => texts.has(path) === isOfStore)),
  )
  return {
    ...worldOf(lore ?? {}, { day: before.day, ...(samples === undefined ? {} : { samples }) }),
    commit: before.commit,
    ...(texts.size === 0 ? {} : { tuning: tuningStore(store ?? {}) }),
  }
}

/** The texts of the world after the edits. */
export const applyEdits = (
  snapshot: Snapshot,
  edits: ReadonlyArray<FileEdit>,
  before: Readonly<Record<string, string>> = textsOf(snapshot),
): Readonly<Record<string, string>> => {
  const texts = new Map(Object.entries(before))
  if (new Set(edits.map(edit => edit.path)).size < edits.length) throw new Error('two edits of one file')
  for (const edit of edits) {
    const after = editText(snapshot, edit)
    if (after === null) texts.delete(edit.path)
    else texts.set(edit.path, after)
  }
  return Object.fromEntries(texts)
}

export interface WritingWorld {
  readonly write: WritePort
  readonly snapshot: () => Snapshot
}

export interface WritingOptions {
  /** The commit in every answer; a write of this world makes no commit. */
  readonly commit?: CommitId | null
  readonly nowMs: number
  /** Whether a write persists for the next request; false: each is planned on the first world. */
  readonly keeps: boolean
  readonly plan: PlanCommand
  /** Returns the caller of a dry run. Default: the machine. */
  readonly admit?: Admit
}

/** A world in memory with the same write port as the gate's, without git: for rules and rows. */
export const makeWritingWorld = (first: Snapshot, options: WritingOptions): WritingWorld => {
  let current = first
  const { commit = null, admit = admitMachine } = options
  return {
    snapshot: () => current,
    write: command => {
      const { dryRun } = command
      const planned = options.plan(passThroughJson(command), current, options.nowMs)
      if (isLeft(planned)) return Promise.resolve(planned)
      const refusal = refuseChange(builtInHooks, current, planned.right)
      if (refusal !== null) return Promise.resolve(left(refusal))
      const { edits, answer, status = null, tree = 'lore' } = planned.right
      const closed = refuseClosedEffects(current, edits)
      if (closed !== null) return Promise.resolve(left(closed))
      const [texts, samples] = [textsOf(current), samplesOf(current)]
      const before = tree === 'adnotacje' ? (samples ?? {}) : texts
      const after = applyEdits(current, edits, before)
      if (dryRun) {
        const changes = edits.map(edit => ({
          path: edit.path,
          before: before[edit.path] ?? null,
          after: after[edit.path] ?? null,
          splices: edit._tag === 'Lines' ? edit.splices : null,
        }))
        const caller = admit(command, current, options.nowMs)
        return Promise.resolve(
          isLeft(caller)
            ? caller
            : right({ status: null, body: showPreview(planned.right, changes, caller.right), commit }),
        )
      }
      if (options.keeps)
        current = tree === 'adnotacje' ? nextWorld(current, texts, after) : nextWorld(current, after, samples)
      return Promise.resolve(right({ status, body: answer, commit }))
    },
  }
}
