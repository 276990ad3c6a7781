import type { EndedConverge, Incoming } from '#actors/repository-sync/state.js'
import { isConverged } from '#protocol/sync.js'
import { describeConverge } from '#src/domain/chat/attempts.js'
import {
  describeTakeoverEnd,
  describeTownNotice,
  type EndedTakeover,
  seenTownOf,
  type TownWatch,
  watchTowns,
} from '#src/domain/fleet/monitor.js'
import type { PeerTable } from '../fleet/peer-table.js'
import { type NoticeSetup, noticePost } from './post-notice.js'

export interface NodeNoticesSetup extends NoticeSetup {
  readonly peers: Pick<PeerTable, 'records' | 'isIsolated'>
  readonly monotonicMs: () => number
  /** The name of the author of each commit that came in, by the id of the commit. */
  readonly authorsOf: (range: Incoming, signal: AbortSignal) => Promise<ReadonlyMap<string, string>>
}

/** What this host tells the chat by itself. No function of it rejects or throws. */
export interface NodeNotices {
  /** Compares the other towns with what was reported. */
  readonly onProbed: () => Promise<void>
  readonly onTakeoverEnded: (ended: EndedTakeover) => Promise<void>
  readonly onConverged: (ended: EndedConverge, signal: AbortSignal) => Promise<void>
}

/** The notices of this host. The duty and the channels are looked up for each. */
export const nodeNotices = (setup: NodeNoticesSetup): NodeNotices => {
  const { config, hasDuty, peers, monotonicMs, authorsOf } = setup
  const post = noticePost(setup)
  const afterSweeps = config['fleet.auto_failover.after_sweeps']
  let watch: TownWatch = null
  return {
    onProbed: async () => {
      const sweeps = peers.isIsolated() ? Number.POSITIVE_INFINITY : afterSweeps
      const seen = new Map([...peers.records()].map(([town, record]) => [town, seenTownOf(record, sweeps)]))
      const looked = watchTowns(watch, seen, hasDuty(), monotonicMs())
      watch = looked.watch
      for (const notice of looked.notices)
        await post('peer-watch', [notice.kind, notice.town, notice.bootId ?? ''], () =>
          describeTownNotice(notice),
        )
    },
    onTakeoverEnded: async ended => {
      const { town, term, failure } = ended
      await post('peer-watch', ['takeover', town, String(term), failure ?? ''], () =>
        describeTakeoverEnd(ended),
      )
    },
    onConverged: async ({ action, head, run }, signal) => {
      if (!config['integrations.chat.converge_announce.enabled']) return
      if (!isConverged(action) || run.incoming.length === 0) return
      await post('converge-announce', [head ?? ''], async () => {
        const brought = await Promise.all(run.incoming.map(range => authorsOf(range, signal)))
        const authors = [...new Map(brought.flatMap(one => [...one])).values()]
        if (authors.length === 0) return null
        const authorsMax = config['integrations.chat.converge_announce.max_authors']
        return describeConverge({ commits: authors.length, authors }, authorsMax)
      })
    },
  }
}
