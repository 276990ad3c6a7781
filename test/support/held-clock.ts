import { renameSync, writeFileSync } from 'node:fs'

/** The clock of a spawned daemon, set by the test. */
export interface HeldClock {
  /** The environment that the daemon must be started with. */
  readonly env: Readonly<Record<string, string>>
  readonly setNowMs: (atMs: number) => void
}

/**
 * Controls the clock of a process by a module that is loaded before it: `Date.now`, the daemon's only source
 * of the day (`src/kernel/time/clock.ts`), returns the time in a file. Durations are not affected.
 */
export const openHeldClock = (path: string, atMs: number): HeldClock => {
  const setNowMs = (ms: number): void => {
    writeFileSync(`${path}.next`, String(ms))
    renameSync(`${path}.next`, path)
  }
  setNowMs(atMs)
  const held = `import { readFileSync } from 'node:fs'
Date.now = () => Number(readFileSync(${JSON.stringify(path)}, 'utf8'))`
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(held)}` }, setNowMs }
}
