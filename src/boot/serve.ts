import { timingSafeEqual } from 'node:crypto'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { CorpusKeeperMessage, LookOutcome } from '#actors/corpus-keeper/messages.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { routes } from '#protocol/routes.js'
import { gitCommitter } from '#src/adapters/git-committer.js'
import { httpMeter } from '#src/adapters/http-meter.js'
import { kernelMeter } from '#src/adapters/kernel-meter.js'
import { prometheus } from '#src/adapters/prometheus.js'
import { machineToken } from '#src/adapters/state-area.js'
import { type GateState, gateRefusal } from '#src/admin/gate-arms.js'
import type { ServeOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'
import { cell } from '#src/corpus/cell.js'
import { untilNextDayMs } from '#src/corpus/civil-day.js'
import { type FrontDeps, memoBytesMax } from '#src/http/deps.js'
import { handlers } from '#src/http/handlers/all.js'
import { machine, tokenHash } from '#src/identity/machine-token.js'
import { realClock } from '#src/kernel/clock.js'
import { type Kernel, openKernel } from '#src/kernel/kernel.js'
import { ask, type Ref } from '#src/kernel/ref.js'
import { adoptionPlan } from './adoption-plan.js'
import { type Checkout, holdCheckout } from './checkout.js'
import { collectGauges } from './collect.js'
import { readEnvironment } from './environment.js'
import { listeners } from './front-ports.js'
import { awaitLeaving } from './leave.js'
import { type Log, logRecord, stderrLog } from './log.js'
import { nodeViewOf } from './node-state.js'
import { committedConfig, loadPorts } from './open-corpus.js'
import { placeTree } from './tree.js'
import { packageVersion } from './version.js'

/** What a served node shows when it is ready; the one line on stdout. */
export interface ReadyLine {
  readonly ready: true
  readonly url: string
  readonly ops: string
  readonly pid: number
  readonly town: string
  readonly state: string
}

const lookDeadlineMs = 60_000
const noHosts: ReadonlySet<string> = new Set()

const look = (keeper: Ref<CorpusKeeperMessage>) =>
  ask<CorpusKeeperMessage, LookOutcome>(keeper, replyTo => ({ _tag: 'Refresh', replyTo }), lookDeadlineMs)

/** Looks until there is a snapshot; a look that fails is tried again by the keeper itself. */
const firstSnapshot = async (
  keeper: Ref<CorpusKeeperMessage>,
  isThere: () => boolean,
  log: Log,
): Promise<void> => {
  while (!isThere()) {
    const outcome = await look(keeper)
    if (isRight(outcome) && outcome.right._tag === 'LookFailed') {
      log.warn('look_failed', { reason: outcome.right.reason })
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }
}

const isMachineToken =
  (hash: Buffer) =>
  (token: string): boolean =>
    timingSafeEqual(tokenHash(token), hash)

/** Builds the node of a checkout, runs it until a signal or the root gives up, and drains it. */
const runNode = async (
  options: ServeOptions,
  checkout: Checkout,
  onReady: (line: ReadyLine) => void,
): Promise<ExitCode> => {
  const bootMs = realClock.nowMs()
  const log = stderrLog({ pid: process.pid, town: options.town })
  const read = await committedConfig(checkout.source)
  for (const finding of read.findings)
    log.warn('config_invalid', { key: finding.subject, reason: finding.reason })
  const { config } = read
  const held = cell<Loaded>()
  const snapshot = () => held.get()?.build.snapshot ?? null
  const mode = config['server.read_only'] || !checkout.isGit ? 'ReadOnly' : 'ReadWrite'
  const gate = (): GateState => ({ format: snapshot()?.format.state ?? 'Current', syncStale: false, mode })
  let kernel: Kernel | null = null
  const metrics = prometheus(meter => {
    if (kernel !== null) collectGauges(kernel, gate, snapshot)(meter)
  })
  const version = packageVersion()
  const environment = readEnvironment(process.env)
  metrics.meter.gauge('svc_build_info', { version, schema: '2', image: environment.imageDigest }, 1)
  kernel = openKernel({
    meter: kernelMeter(metrics.meter),
    log: logRecord(log),
  })
  const intervalMs = config['server.selfheal_interval_ms']
  const zone = config['server.time_zone']
  const tree = placeTree(kernel, { intervalMs, untilNextDayMs: nowMs => untilNextDayMs(nowMs, zone) })
  const { keeper, gate: writer } = tree.doors
  const http = httpMeter(metrics.meter)
  const isToken = isMachineToken(tokenHash(machineToken(checkout.state)))
  const node = nodeViewOf({
    version,
    town: options.town,
    environment,
    config,
    mode,
    bootMs,
    requests: http.requests,
    gate: writer,
  })
  const deps: FrontDeps = {
    table: routes,
    handlers,
    snapshot,
    freshen: intervalMs === 0 ? async () => void (await look(keeper)) : null,
    containsCommit: async commit => {
      const loaded = held.get()
      return loaded !== null && (await checkout.source.contains(loaded.loreHead, commit))
    },
    credentials: { resolve: token => (isToken(token) ? machine : null) },
    gate: (_row, dryRun) => {
      const refusal = gateRefusal(gate(), dryRun)
      if (refusal !== null)
        metrics.meter.count('svc_write_gate_refusals_total', { arm: refusal._tag, dry_run: String(dryRun) })
      return refusal
    },
    node,
    clock: realClock,
    meter: http,
    log: logRecord(log),
    published: () => noHosts,
    metricsText: metrics.text,
    memoBytesMax,
  }
  const doors = listeners(() => deps, {
    api: options.port ?? config['server.port'],
    ops: options.opsPort ?? 0,
  })
  const leaving = awaitLeaving(log, async () => {
    const orphans = await running.drain(20_000)
    for (const orphan of orphans) log.warn('orphaned', orphan)
  })
  const ports = loadPorts(checkout.source, read)
  const running = tree.run(
    {
      keeper: { load: ports, cell: held },
      gate: {
        source: checkout.source,
        commit: checkout.isGit ? gitCommitter(checkout.repo) : null,
        nowMs: realClock.nowMs,
        plan: adoptionPlan(zone),
        published: async () => void (await look(keeper)),
      },
      front: doors,
    },
    notice => {
      log.error('gave_up', { supervisor: notice.supervisor, error: notice.error })
      leaving.giveUp(exitCodes.intensity)
    },
  )
  const isUp = await running.ready
  if (isUp) {
    await firstSnapshot(keeper, () => snapshot() !== null, log)
    const front = doors.current()
    if (front !== null)
      onReady({
        ready: true,
        url: `http://127.0.0.1:${front.apiPort}/v1/api`,
        ops: `http://127.0.0.1:${front.opsPort}`,
        pid: process.pid,
        town: options.town,
        state: checkout.state,
      })
  }
  const code = await leaving.left
  await ports.works?.close()
  return code
}

/** `kronika serve`: holds the checkout, prints the ready line with the first snapshot, ends by signal (D2). */
export const serve =
  (output: Output, onReady: (line: ReadyLine) => void = () => undefined) =>
  async (options: ServeOptions): Promise<ExitCode> => {
    const checkout = await holdCheckout(options.repo, options.state, 'serve')
    if (isLeft(checkout)) {
      output.err(`kronika serve: ${checkout.left.reason}`)
      return checkout.left.code
    }
    try {
      return await runNode(options, checkout.right, line => {
        output.out(JSON.stringify(line))
        onReady(line)
      })
    } finally {
      await checkout.right.release()
    }
  }
