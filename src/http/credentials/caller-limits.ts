import type { IncomingMessage } from 'node:http'
import {
  type Bucket,
  type BucketRule,
  isFull,
  returnRequest,
  takeRequest,
} from '#src/domain/limits/token-bucket.js'
import type { ClientNetwork } from './client-address.js'

/**
 * Counts a request to a public sign-in row. Null where it may pass, otherwise how many ms the client has to
 * wait.
 */
export type SignInLimit = (req: IncomingMessage, nowMs: number) => number | null

/** The limit of the writes of people, by the key of each person whom a write counts for. */
export interface WriteLimit {
  /** Counts a write for all of these people. Otherwise it counts for none, and the result is the ms to wait. */
  readonly take: (people: ReadonlyArray<string>, nowMs: number) => number | null
  /** Takes a counted write back, because nothing was written. Call it once at most. */
  readonly giveBack: (people: ReadonlyArray<string>, nowMs: number) => void
}

/**
 * Rate-limit buckets by client, least recently seen first. At the limit, full buckets are dropped first,
 * since they carry no information; where all are in use, the least recently seen one is. So memory is
 * bounded, and a new client is never refused for lack of space.
 */
export const openBuckets = (rule: BucketRule, most = clientsMax): Buckets => {
  const buckets = new Map<string, Bucket>()
  const makeRoom = (nowMs: number): void => {
    for (const [client, bucket] of buckets) {
      if (buckets.size < most && !isFull(rule, bucket, nowMs)) return
      buckets.delete(client)
    }
  }
  return {
    take: (client, nowMs) => {
      const { bucket, waitMs } = takeRequest(rule, buckets.get(client) ?? null, nowMs)
      buckets.delete(client)
      makeRoom(nowMs)
      buckets.set(client, bucket)
      return waitMs
    },
    // A bucket that was dropped counts as full: nothing is missing in it.
    giveBack: (client, nowMs) => {
      const bucket = buckets.get(client)
      if (bucket !== undefined) buckets.set(client, returnRequest(rule, bucket, nowMs))
    },
    size: () => buckets.size,
  }
}

/** The limit of this host; 0 a minute means no limit. */
export const openSignInLimit = (rule: BucketRule, network: ClientNetwork): SignInLimit => {
  if (rule.perMinute === 0) return () => null
  const buckets = openBuckets(withBurst(rule))
  return (req, nowMs) => buckets.take(network(req), nowMs)
}

/** The limit of this host, which counts from its start; 0 a minute means no limit. */
export const openWriteLimit = (rule: BucketRule): WriteLimit => {
  if (rule.perMinute === 0) return { take: () => null, giveBack: () => undefined }
  const buckets = openBuckets(withBurst(rule))
  const giveBack: WriteLimit['giveBack'] = (people, nowMs) => {
    for (const one of people) buckets.giveBack(one, nowMs)
  }
  return {
    take: (people, nowMs) => {
      for (const [at, one] of people.entries()) {
        const waitMs = buckets.take(one, nowMs)
        if (waitMs === null) continue
        giveBack(people.slice(0, at), nowMs)
        return waitMs
      }
      return null
    },
    giveBack,
  }
}

interface Buckets {
  readonly take: (client: string, nowMs: number) => number | null
  readonly giveBack: (client: string, nowMs: number) => void
  readonly size: () => number
}

/** The most clients that are remembered at once: about 2 MB. */
const clientsMax = 10_000

const withBurst = (rule: BucketRule): BucketRule => ({ ...rule, burst: Math.max(1, rule.burst) })
