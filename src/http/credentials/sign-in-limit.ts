import type { IncomingMessage } from 'node:http'
import { type Bucket, type BucketRule, isFull, take } from '#src/domain/limits/token-bucket.js'
import type { ClientNetwork } from './client-network.js'

/** Counts a request of a public sign-in row: null where it may pass, else how many ms its client has to wait. */
export type SignInLimit = (req: IncomingMessage, nowMs: number) => number | null

/** Clients that are remembered at once: about 2 MB. */
const clientsMax = 10_000

/**
 * Buckets by client, the longest unseen first. Full ones go first, since they are as good as none; where all are in
 * use the longest unseen one goes, so that memory is bounded and a stranger is never refused for want of a place.
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
      const { bucket, waitMs } = take(rule, buckets.get(client) ?? null, nowMs)
      buckets.delete(client)
      makeRoom(nowMs)
      buckets.set(client, bucket)
      return waitMs
    },
    size: () => buckets.size,
  }
}

/** The limit of this host: 0 a minute is none. */
export const openSignInLimit = (rule: BucketRule, network: ClientNetwork): SignInLimit => {
  if (rule.perMinute === 0) return () => null
  const buckets = openBuckets({ ...rule, burst: Math.max(1, rule.burst) })
  return (req, nowMs) => buckets.take(network(req), nowMs)
}
