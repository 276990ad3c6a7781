import { sseLoad } from './sse-load.js'

/** `npm run sse-load`: 200 clients of the live stream, 20 of which read nothing (issue, Shows). */
const load = { clients: 200, stalled: 20, events: 1_000, eventBytes: 16_000 }
const mib = 1024 * 1024
const moreMibMax = 48

const startedMs = performance.now()
const figures = await sseLoad(load)
const moreMib = figures.moreBytes / mib
const seconds = (performance.now() - startedMs) / 1000
process.stdout.write(
  [
    `clients ${load.clients}, stalled ${load.stalled}, events ${load.events} of ${load.eventBytes} bytes`,
    `closed as slow ${figures.closedAsSlow}, open at the end ${figures.openAtTheEnd}`,
    `resident memory at most ${moreMib.toFixed(1)} MiB more (bound ${moreMibMax})`,
    `holes ${figures.faults}, missing after resuming ${figures.missing}, ${seconds.toFixed(1)} s`,
    '',
  ].join('\n'),
)
const isGood =
  figures.closedAsSlow === load.stalled &&
  figures.openAtTheEnd === load.clients - load.stalled &&
  figures.faults === 0 &&
  figures.missing === 0 &&
  moreMib <= moreMibMax
process.exitCode = isGood ? 0 : 1
