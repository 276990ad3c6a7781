import { isLeft } from 'fp-ts/lib/Either.js'
import type { RepoPath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { isConverged } from '#protocol/host/sync.js'
import { openRemovedLines, type RemovedLines } from '#src/adapters/history/removed-lines.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { planAliases } from '#src/domain/lineage/aliases.js'
import {
  type LineageEvidence,
  type LineageLore,
  planLineage,
  witnessesOf,
} from '#src/domain/lineage/lineage.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Deposit, depositSamples, spanClass } from '#src/domain/samples/samples.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import { hostWritePort } from '#src/node/gate/gate.js'
import { convergeThrough } from '#src/node/sync/sync.js'
import type { HostNode, NodeTree } from '#src/node/tree/node.js'
import type { WorkloadRunner, WorkloadTick } from '#src/ports/host.js'
import type { ReadEvidence } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { treeWriteCommand, type WritePort } from '#src/writing/command.js'
import { formTaken } from '#src/writing/entities/taken.js'
import { type MachineLines, machineLinesCommand } from '#src/writing/machine-lines.js'

/** What a tick of an autopilot asks of its host. */
export interface AutopilotPorts {
  /** Null before the first. */
  readonly snapshot: () => Snapshot | null
  /** Whether the gate would accept a write to the lore now. */
  readonly mayWrite: () => boolean
  /** The files of the sample store; null where this host cannot write it. */
  readonly sampleFiles: () => ReadonlyArray<SourceFile> | null
  /** Null while no index of transcripts answers. */
  readonly evidence: ReadEvidence
  /** What persons removed of the lines of machines, up to now. */
  readonly removed: (signal: AbortSignal) => Promise<WasRemoved>
  readonly write: WritePort
  /**
   * Publishes the commits of the annotation tree, where the mode publishes. Returns why the remote does not have them;
   * null where it has, or where this host publishes nothing.
   */
  readonly publishDeposits: () => Promise<string | null>
  readonly breathe: () => Promise<void>
  readonly log: AutopilotLog
}

type WasRemoved = (heading: string, tag: string, value: string) => boolean

interface AutopilotLog {
  readonly info: (event: string, fields: Readonly<Record<string, unknown>>) => void
  readonly warn: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

export interface AutopilotRules {
  readonly intervalMs: number
  readonly linesMax: number
}

/**
 * Writes down which groups and origins transcripts prove (B 4.1). The rows that quote the witnesses are deposited and
 * published first, then the lines are written, in one commit each; a line never exists without its deposit. What a
 * person rules on outranks the count, and what a person removed stays out.
 */
export const lineageAutopilot = (rules: AutopilotRules, ports: () => AutopilotPorts): WorkloadRunner => ({
  intervalMs: rules.intervalMs,
  budgetMs,
  run: async (tick, signal) => {
    const { snapshot, sampleFiles, log, ...host } = ports()
    const files = sampleFiles()
    if (files === null)
      log.info('workload_idle', { workload: 'lineage_autopilot', reason: 'no_sample_store' })
    const ground = files === null ? null : await groundOf({ snapshot, ...host }, signal)
    if (files === null || ground === null) return
    const { evidence, lore, wasRemoved } = ground
    const witnesses = await runWithPauses(witnessesOf(evidence), host.breathe)
    const { speakerNamed, origins } = evidence
    const { linesMax } = rules
    const plan = planLineage({ witnesses, origins, lore, speakerNamed, wasRemoved, linesMax })
    const { ruled } = plan
    if (plan.lines.length === 0) return
    const whyNot = await deposit({ ...host, files, samples: lore.samples }, plan.deposits, tick)
    const written = whyNot ?? (await writeLines(host.write, 'autopilot:lineage', plan.lines, tick))
    if (typeof written === 'string')
      log.warn('lineage_autopilot_lost', { reason: written, lines: plan.lines.length })
    else log.info('lineage_autopilot_wrote', { lines: written, deposits: plan.deposits.length, ruled })
  },
})

/** Writes names that grammar or a ruling gives to one block as aliases of it (B 3). */
export const aliasAutopilot = (rules: AutopilotRules, ports: () => AutopilotPorts): WorkloadRunner => ({
  intervalMs: rules.intervalMs,
  budgetMs,
  run: async (tick, signal) => {
    const { log, ...host } = ports()
    const ground = await groundOf(host, signal)
    if (ground === null) return
    const { served, evidence, lore, wasRemoved } = ground
    const lines = planAliases({
      spoken: evidence.spoken,
      lore,
      isTaken: (surface, owner) => formTaken(served, surface, owner) !== null,
      wasRemoved: (heading, surface) => wasRemoved(heading, 'alias', surface),
      linesMax: rules.linesMax,
    })
    if (lines.length === 0) return
    const written = await writeLines(host.write, 'autopilot:alias', lines, tick)
    if (typeof written === 'string')
      log.warn('alias_autopilot_lost', { reason: written, lines: lines.length })
    else log.info('alias_autopilot_wrote', { lines: written })
  },
})

/** How long a tick may take: its evidence is read in a thread and in slices. */
const budgetMs = 60_000

interface Ground {
  readonly served: Snapshot
  readonly evidence: LineageEvidence
  readonly lore: LineageLore
  readonly wasRemoved: WasRemoved
}

/** What both autopilots read; null where a tick has nothing to read, or must not write. */
const groundOf = async (
  { snapshot, mayWrite, evidence, removed }: Omit<AutopilotPorts, 'log' | 'sampleFiles'>,
  signal: AbortSignal,
): Promise<Ground | null> => {
  const served = snapshot()
  if (served === null || !mayWrite()) return null
  const shown = await evidence(served, signal)
  if (shown === null || signal.aborted) return null
  const { names, samples, day } = served
  return { served, evidence: shown, lore: { names, samples, day }, wasRemoved: await removed(signal) }
}

interface Depositing extends Pick<AutopilotPorts, 'write' | 'publishDeposits'> {
  readonly files: ReadonlyArray<SourceFile>
  readonly samples: LineageLore['samples']
}

/** Adds the rows to the store and publishes them. Returns why they are not where every host can read them. */
const deposit = async (
  { files, samples, write, publishDeposits }: Depositing,
  deposits: ReadonlyArray<Deposit>,
  { whyNoPush }: WorkloadTick,
): Promise<string | null> => {
  const byPath = new Map<RepoPath, SourceFile>(files.map(file => [file.path, file]))
  const added = depositSamples(samples, byPath, spanClass, deposits)
  const whyNot = whyNoPush()
  if (whyNot !== null) return whyNot
  if (added.length > 0) {
    const written = await write(
      treeWriteCommand('autopilot:lineage', {
        tree: 'adnotacje',
        subject: `samples: ${deposits.length} proposed of lineage`,
        files: added.map(({ path, text }) => {
          const before = byPath.get(path)
          return { path, before: before?.blob ?? null, after: `${before?.text ?? ''}${text}` }
        }),
      }),
    )
    if (isLeft(written)) return written.left._tag
  }
  return publishDeposits()
}

/** Writes the lines in one commit. Returns how many still applied, or why none was written. */
const writeLines = async (
  write: WritePort,
  autopilot: string,
  lines: MachineLines['lines'],
  { whyNoPush }: WorkloadTick,
): Promise<number | string> => {
  const whyNot = whyNoPush()
  if (whyNot !== null) return whyNot
  const written = await write(machineLinesCommand(autopilot, lines))
  return isLeft(written) ? written.left._tag : lines.length
}

export const nodeLineageAutopilot = (config: Config, node: () => HostNode): WorkloadRunner =>
  lineageAutopilot(
    {
      intervalMs: config['lineage_autopilot.interval_minutes'] * minuteMs,
      linesMax: config['lineage_autopilot.max_per_tick'],
    },
    hostPorts(config, node),
  )

export const nodeAliasAutopilot = (config: Config, node: () => HostNode): WorkloadRunner =>
  aliasAutopilot(
    {
      intervalMs: config['alias_autopilot.interval_minutes'] * minuteMs,
      linesMax: config['alias_autopilot.max_per_tick'],
    },
    hostPorts(config, node),
  )

const minuteMs = 60_000

/** The ports of one autopilot; what persons removed is read on from tick to tick. */
const hostPorts = (config: Config, node: () => HostNode): (() => AutopilotPorts) => {
  let removed: RemovedLines | null = null
  return () => {
    const host = node()
    const { snapshot, evidence, trees, held, log } = host
    const history = removed ?? openRemovedLines(host.checkout.repo)
    removed = history
    const store = trees.get('adnotacje')
    return {
      snapshot,
      evidence,
      log,
      mayWrite: () => gateRefusal(host.gate(), false) === null,
      sampleFiles: () => (store === undefined ? null : (held.get()?.samples.files ?? null)),
      removed: async signal => {
        await history.refresh(signal)
        return history.has
      },
      write: hostWritePort(host),
      publishDeposits: async () =>
        store === undefined || config['server.publish_mode'] === 'none' ? null : await publishThrough(store),
      breathe: daemonBreather(),
    }
  }
}

/** Publishes a further tree by a converge. Null where its remote has the commits, or it has no remote. */
const publishThrough = async ({ syncRef, sync }: NodeTree): Promise<string | null> => {
  const ended = await convergeThrough(syncRef, sync.whyOff, 'Sync', sync.running)()
  if (isLeft(ended)) return ended.left._tag === 'SyncDisabled' ? null : ended.left._tag
  const { lastAction, lastDetail } = ended.right
  if (lastAction !== null && isConverged(lastAction)) return null
  return lastDetail ?? lastAction ?? 'no converge has ended'
}
