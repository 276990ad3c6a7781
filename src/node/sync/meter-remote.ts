import type { PushRejection, SyncAction } from '#protocol/sync.js'
import type { PublishGit, Pushed, Remote } from '#src/ports/git.js'
import type { Meter } from '#src/ports/records.js'

/** What the actions of a push that failed mean; every other one is a fault of git here. */
const reasons: Readonly<Partial<Record<SyncAction, PushRejection>>> = {
  auth_failed: 'auth',
  push_rejected: 'hook',
  unreachable: 'network',
  timeout: 'network',
}

const rejectionOf = (pushed: Exclude<Pushed, { readonly _tag: 'Pushed' }>): PushRejection => {
  if (pushed._tag !== 'Failed') return pushed._tag === 'Behind' ? 'non_ff' : 'network'
  return reasons[pushed.action] ?? 'other'
}

/**
 * Returns a function that meters how a push ended, and returns it. The pushes until one arrives are counted together.
 */
export const meterPushes = (meter: Meter): ((pushed: Pushed) => Pushed) => {
  let pushes = 0
  return pushed => {
    pushes += 1
    if (pushed._tag === 'Pushed') {
      meter.observe('svc_sync_push_attempts', {}, pushes)
      pushes = 0
    } else meter.count('svc_sync_push_rejections_total', { reason: rejectionOf(pushed) })
    return pushed
  }
}

/** A remote whose fetches show how far this host is behind, and whose pushes are metered. */
export const meterRemote = (remote: Remote, meter: Meter): Remote => {
  const note = meterPushes(meter)
  const noteBehind = <F extends Awaited<ReturnType<Remote['fetch']>>>(fetched: F): F => {
    if (fetched._tag === 'Fetched') meter.gauge('svc_sync_behind_commits', {}, fetched.incoming)
    return fetched
  }
  return {
    ...remote,
    fetch: async signal => noteBehind(await remote.fetch(signal)),
    compare: async branch => noteBehind(await remote.compare(branch)),
    push: async (...given) => note(await remote.push(...given)),
  }
}

/** The git part of mode `mr`, with its pushes metered. */
export const meterPublishGit = (git: PublishGit, meter: Meter): PublishGit => {
  const note = meterPushes(meter)
  return { ...git, push: async (...given) => note(await git.push(...given)) }
}
