import type { IncomingMessage } from 'node:http'
import { type Bucket, type BucketRule, isFull, takeRequest } from '#src/domain/limits/token-bucket.js'
import type { ClientNetwork } from './client-network.js'

/**
 * Counts a request to a public sign-in row. Null where it may pass, otherwise how many ms the client has to
 * wait.
 */
export type SignInLimit = (req: IncomingMessage, nowMs: number) => number | null

/** The most clients that are remembered at once: about 2 MB. */
const clientsMax = 10_000

/**
 * Rate-limit buckets by client, least recently seen first. At the limit, full buckets are dropped first,
 * since they carry no information; where all are in use, the least recently seen one is. So memory is
 * bounded, and a new client is never refused for lack of space.
 */
export const openBuckets = (
  rule: BucketRule,
  most = clientsMax,
): { readonly take: (client: string, nowMs: number) => number | null; readonly size: () => number } => {
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
    size: () => buckets.size,
  }
}

/** The limit of this host; 0 a minute means no limit. */
export const openSignInLimit = (rule: BucketRule, network: ClientNetwork): SignInLimit => {
  if (rule.perMinute === 0) return () => null
  const buckets = openBuckets({ ...rule, burst: Math.max(1, rule.burst) })
  return (req, nowMs) => buckets.take(network(req), nowMs)
}
