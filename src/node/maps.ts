import { setTimeout as pause } from 'node:timers/promises'
import { left, right } from 'fp-ts/lib/Either.js'
import type { Config } from '#protocol/host/config.js'
import { refuse } from '#protocol/refusal.js'
import { openGuardedFetch } from '#src/adapters/outbound/guarded-fetch.js'
import { openPictureSize } from '#src/adapters/outbound/picture-size.js'
import { labelCode } from '#src/domain/outbound/outbound.js'
import type { MapPicture, MapsMeasured, MeasureMaps, MeasurePicture } from '#src/ports/host.js'
import type { Meter, Publish } from '#src/ports/records.js'
import { isTransportFault, judgeSize } from '#src/writing/map-dimensions.js'

export interface MeasurePorts {
  readonly measure: MeasurePicture
  readonly pause: (ms: number) => Promise<unknown>
  readonly monotonicMs: () => number
  readonly publish: Publish
}

/**
 * Measures maps one after the other, with a pause before each but the first. Ends when its time is over, when its
 * caller has left, and after as many transport faults in a row as the budget has. One run at a time: two would ask the
 * servers twice as often. Publishes its progress twice a second at most, and at its end.
 */
export const openMeasureMaps = (
  { measure, pause, monotonicMs, publish }: MeasurePorts,
  { delayMs, failureBudget }: { readonly delayMs: number; readonly failureBudget: number },
): MeasureMaps => {
  let isRunning = false
  const run: RunMaps = async (maps, { maxMs, signal, isWanted, ...before }) => {
    const beganMs = monotonicMs()
    const report = reporter(publish, monotonicMs, maps.length)
    const sizes: Array<MapPicture & { readonly wymiary: string }> = []
    const failed: Array<MapsMeasured['failed'][number]> = []
    let failures = before.failures
    let reached = 0
    const isStopped = (): boolean => signal.aborted || !isWanted()
    for (const { name, url } of maps) {
      if (failures >= failureBudget || isStopped()) break
      if (reached > 0) {
        if (monotonicMs() - beganMs + delayMs >= maxMs) break
        await pause(delayMs)
      }
      const size = await measure(url, signal)
      if (isStopped()) break
      reached += 1
      const judged = size._tag === 'Size' ? judgeSize(size) : { _tag: 'Fault' as const, reason: size.reason }
      if (judged._tag === 'Tiles') sizes.push({ name, url, wymiary: judged.wymiary })
      else failed.push({ name, reason: judged.reason })
      failures = judged._tag === 'Fault' && isTransportFault(judged.reason) ? failures + 1 : 0
      report(reached, sizes.length, false)
    }
    report(reached, sizes.length, true)
    return { sizes, failed, reached, failures, budgetExhausted: failures >= failureBudget }
  }
  return async (maps, limits) => {
    if (isRunning) return left(refuse('Overloaded', busy))
    isRunning = true
    try {
      return right(await run(maps, limits))
    } finally {
      isRunning = false
    }
  }
}

/** Measures maps as the configuration of this host says. */
export const hostMeasureMaps = (config: Config, meter: Meter, publish: Publish): MeasureMaps => {
  const limits = {
    hosts: new Set(config['integrations.game.map_hosts']),
    timeoutMs: config['integrations.game.map_checkup.timeout_ms'],
    pauseMs: config['integrations.game.map_checkup.request_delay_ms'],
    stepsMax: config['integrations.game.map_checkup.max_probe_steps'],
  }
  const requested = (result: number | string): void =>
    meter.count('svc_outbound_requests_total', {
      target: 'maps',
      code: typeof result === 'number' ? labelCode(result) : result,
    })
  return openMeasureMaps(
    {
      measure: openPictureSize(openGuardedFetch(), limits, requested),
      pause,
      monotonicMs: () => performance.now(),
      publish,
    },
    {
      delayMs: limits.pauseMs,
      failureBudget: config['integrations.game.map_checkup.failure_budget'],
    },
  )
}

type RunMaps = (...given: Parameters<MeasureMaps>) => Promise<MapsMeasured>

const busy =
  'This host is measuring maps already. Try again when it has ended; the event mapdimensions:progress shows it.'

/** The shortest time between two progress events of a run. */
const reportMs = 500

const reporter = (publish: Publish, monotonicMs: () => number, total: number) => {
  let last = { atMs: Number.NEGATIVE_INFINITY, done: -1 }
  return (done: number, measured: number, isEnd: boolean): void => {
    const atMs = monotonicMs()
    if (isEnd ? last.done === done : atMs - last.atMs < reportMs) return
    last = { atMs, done }
    publish('mapdimensions:progress', {
      done,
      total,
      detail: `${measured} measured, ${done - measured} failed`,
    })
  }
}
