import { renameSync, writeFileSync } from 'node:fs'

/** The clock of a spawned daemon, which stands where a test puts it. */
export interface HeldClock {
  /** What the daemon is started with. */
  readonly env: Readonly<Record<string, string>>
  readonly setNowMs: (atMs: number) => void
}

/**
 * Holds the clock of a process by a module that is loaded before it: `Date.now`, which is all that the daemon reads of the
 * day (`src/kernel/time/clock.ts`), answers what a file says. Durations go on.
 */
export const heldClock = (path: string, atMs: number): HeldClock => {
  const setNowMs = (ms: number): void => {
    writeFileSync(`${path}.next`, String(ms))
    renameSync(`${path}.next`, path)
  }
  setNowMs(atMs)
  const held = `import { readFileSync } from 'node:fs'
Date.now = () => Number(readFileSync(${JSON.stringify(path)}, 'utf8'))`
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(held)}` }, setNowMs }
}
