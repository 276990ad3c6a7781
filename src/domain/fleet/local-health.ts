import type { ProbeResult } from './peer-record.js'

export const healthScoreMax = 7

/** What says something about this host rather than about a town. */
export type HealthSign = ProbeResult['_tag'] | 'Paused'

/**
 * The local health score after a sign, from 0 (healthy) to 7: a probe that was not sent and a pause of this host
 * raise it, an answered probe lowers it. A town that is dark says nothing about this host.
 */
export const healthScoreAfter = (score: number, sign: HealthSign): number => {
  switch (sign) {
    case 'NotSent':
    case 'Paused':
      return Math.min(healthScoreMax, score + 1)
    case 'Answered':
      return Math.max(0, score - 1)
    case 'Failed':
      return score
  }
}
