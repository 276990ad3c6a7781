import type { RequestSight } from './request-sight.js'

/** What a host remembers of its own asking, for one version of the topology. */
export interface FailoverMemory {
  /** The commit of the version; null before the first sweep that calls for a takeover. */
  readonly fenceCommit: string | null
  /** Takeovers that this host asked for. */
  readonly asks: number
  /** Sweeps that pass before the next look. */
  readonly restSweeps: number
  /** The open request that the last looks showed, and how many of them. */
  readonly open: { readonly iid: number | null; readonly looks: number } | null
}

export const freshFailover: FailoverMemory = { fenceCommit: null, asks: 0, restSweeps: 0, open: null }

/** A host looks at least once in this many sweeps, however often its jobs failed. */
const sweepsMost = 4
/** Looks in a row at which one open request holds this host back. */
const looksHeld = 2

/**
 * Returns the memory after a sweep that calls for a takeover of this version, and whether the host looks at the
 * forge now. After the n-th job that failed, 2^(n−1) − 1 sweeps pass, 3 at most.
 */
export const passSweep = (
  memory: FailoverMemory,
  fenceCommit: string,
): { readonly memory: FailoverMemory; readonly isDue: boolean } => {
  const known = memory.fenceCommit === fenceCommit ? memory : { ...freshFailover, fenceCommit }
  return known.restSweeps > 0
    ? { memory: { ...known, restSweeps: known.restSweeps - 1 }, isDue: false }
    : { memory: known, isDue: true }
}

/**
 * Returns the memory after a look at the forge, and whether the host asks. An open request is the work of another
 * host: it holds this one back for two looks, and then counts as abandoned.
 */
export const passLook = (
  memory: FailoverMemory,
  { seen, iid }: RequestSight,
): { readonly memory: FailoverMemory; readonly asks: boolean } => {
  if (seen === 'unknown') return { memory, asks: false }
  if (seen !== 'open') return { memory: { ...memory, open: null }, asks: seen === 'none' }
  const looks = memory.open?.iid === iid ? memory.open.looks + 1 : 1
  return { memory: { ...memory, open: { iid, looks } }, asks: looks > looksHeld }
}

/** The memory after a takeover was asked for. */
export const passAsk = (memory: FailoverMemory): FailoverMemory => {
  const restSweeps = Math.min(sweepsMost, 2 ** memory.asks) - 1
  return { ...memory, asks: memory.asks + 1, restSweeps }
}
