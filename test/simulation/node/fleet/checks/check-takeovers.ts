import { isLeft } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { ForgeCall } from '#protocol/host/forge.js'
import type { Takeovers } from '#src/ports/fleet.js'
import type { TakeoverStore, TakeoverVerdict } from '#src/ports/records.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { Life } from '#test/simulation/node/weather.js'
import type { FleetMember } from '../fleet-host.js'
import type { FleetHistory } from '../model/fleet-history.js'
import type { SimRequest } from '../model/sim-forge.js'
import { readPlainTopology } from '../model/topology-files.js'
import { type LastProbeChecks, lastProbeChecks } from './check-last-probes.js'

type RequestTakeover = Takeovers['request']

/** The takeovers of the fleet, held against S3, S5 to S7, the veto, and L3. */
export interface TakeoverChecks {
  /** The jobs of a process, with what is to be checked of their ends. */
  readonly watch: (host: FleetMember, life: Life, store: TakeoverStore) => TakeoverStore
  /** A host calls the forge, and the forge performs it. */
  readonly calls: (host: FleetMember, call: ForgeCall) => void
  /** A probe of a host ended. */
  readonly probed: LastProbeChecks['probed']
  readonly opened: (request: SimRequest) => void
  readonly merged: (request: SimRequest, from: CommitId, to: CommitId) => void
  readonly closed: (request: SimRequest) => void
  /** The desk of a process, as its own failover asks it. */
  readonly asks: (host: FleetMember, request: RequestTakeover) => RequestTakeover
  /** A takeover of this host read the followed branch. */
  readonly fetched: (host: FleetMember) => void
  /** A person changed the file of the fleet in the published branch. */
  readonly edited: () => void
  /** Whether the cooldown of the last takeover runs, by the true time. */
  readonly isCooling: () => boolean
  readonly atRest: (host: FleetMember) => void
  readonly count: () => number
}

export interface TakeoverCheckParts {
  readonly trace: Trace
  readonly history: FleetHistory
  readonly nowMs: () => number
  readonly cooldownMs: number
  readonly requests: () => ReadonlyArray<SimRequest>
}

/** A job works nine minutes and closes one; then it waits for a converge, whose actions have bounds of their own. */
const jobMsMax = (600_000 + 60_000) * 1.12
/** The longest time between the fetch of a job and its merge: what a person does meanwhile may be overtaken. */
const fetchMsMax = 120_000

export const versionOf = ({ description }: Pick<SimRequest, 'description'>): string =>
  /^kronika-version: (\S+)$/mu.exec(description)?.[1] ?? ''

export const takeoverChecks = (parts: TakeoverCheckParts): TakeoverChecks => {
  const { trace, history, nowMs, cooldownMs, requests } = parts
  const { violation, mark, say } = trace
  const lastProbes = lastProbeChecks(parts)
  const mergedVersions = new Set<string>()
  const vetoes = new Map<string, number>()
  const lists = new Map<string, number>()
  const began = new Map<string, number>()
  const fetches = new Map<string, number>()
  let lastMergeMs: number | null = null
  let editedMs = Number.NEGATIVE_INFINITY
  let count = 0

  const checkDone = (host: FleetMember, id: string, iid: number, store: TakeoverStore): void => {
    const job = store.active().find(one => one.job.id === id)?.job
    const request = requests().find(one => one.iid === iid)
    if (job === undefined || request === undefined) return
    if (request.state !== 'merged' || versionOf(request) !== job.fence.commit)
      violation(`${host.name}: job ${id} is done, and !${iid} is not the merge of its version (S6)`)
    if (request.openedBy !== host.name) mark('a request of another host was adopted')
    const apex = request.mergeCommit === null ? null : readPlainTopology(textOf(request))?.apex
    if (apex !== undefined && apex !== null && apex !== job.town) mark('a claim of another town was finished')
  }
  const textOf = ({ mergeCommit }: SimRequest): string | undefined => {
    const commit = merges.get(mergeCommit ?? '')
    return commit === undefined ? undefined : history.textAt(commit)
  }
  const merges = new Map<string, CommitId>()

  /** A job that is superseded closes its request, unless it or an earlier job owes that: someone could merge it later. */
  const checkLeft = (host: FleetMember, version: string | undefined, store: TakeoverStore): void => {
    const owed = store.owed()
    // A job that found its request only while it closed it has no request on record: it looks for it by its branch.
    const isOwed = (iid: number): boolean =>
      owed.some(({ job, request }) => (request === null ? job.fence.commit === version : request.iid === iid))
    const left = requests().find(
      one =>
        one.state === 'opened' &&
        one.openedBy === host.name &&
        versionOf(one) === version &&
        !isOwed(one.iid),
    )
    if (left !== undefined)
      violation(`${host.name} fails a job and leaves its request !${left.iid} open (L3)`)
  }

  const checkEnd = (host: FleetMember, id: string, verdict: TakeoverVerdict, store: TakeoverStore): void => {
    const startMs = began.get(`${host.name}.${host.lives} ${id}`)
    const tookMs = startMs === undefined ? 0 : host.clock.ranMs() - startMs
    say(`${host.name} ends ${id} ${verdict._tag === 'Done' ? 'done' : verdict.failure}`)
    if (tookMs > jobMsMax) violation(`${host.name}: job ${id} took ${Math.round(tookMs / 1_000)} s (L3)`)
    if (verdict._tag === 'Done') checkDone(host, id, verdict.iid, store)
    else {
      if (verdict.failure === 'superseded') mark('a job was superseded')
      if (verdict.failure === 'vetoed') mark('a job was vetoed')
      if (verdict.failure === 'apex_answers') mark('the apex answered the last probe')
      if (verdict.owesClosing) mark('a failed job owed the closing of its request')
      else if (verdict.failure === 'superseded')
        checkLeft(host, store.active().find(one => one.job.id === id)?.job.fence.commit, store)
    }
  }

  const checkFlip = (request: SimRequest, from: CommitId, to: CommitId): void => {
    const [before, after] = [from, to].map(commit => readPlainTopology(history.textAt(commit)))
    if (before?.term === undefined || after?.term !== before.term + 1)
      violation(`!${request.iid} takes the term from ${before?.term} to ${after?.term} (D46)`)
    const fetchedMs = fetches.get(request.mergedBy ?? '') ?? 0
    const isSeen = fetchedMs > editedMs || nowMs() - editedMs > fetchMsMax
    if (history.lastChange(from) !== versionOf(request) && isSeen)
      violation(`!${request.iid} is merged after its version of the file was changed (S6)`)
    const [own, apex] = [before?.towns[after?.apex ?? ''], after?.apex]
    const canLead = apex !== before?.apex && own?.eligible === true && own.steppingDown !== true
    if (!canLead && isSeen) violation(`!${request.iid} makes ${apex} the apex, which cannot be (S4)`)
    const sinceMs = lastMergeMs === null ? null : nowMs() - lastMergeMs
    if (sinceMs !== null && sinceMs < cooldownMs)
      violation(`!${request.iid} is merged ${Math.round(sinceMs / 1_000)} s after another takeover (S7)`)
  }

  return {
    watch: (host, life, store) => ({
      ...store,
      begin: (id, atMs) => {
        // A begin that the disk refuses throws: the job has not begun.
        const isBegun = store.begin(id, atMs)
        lastProbes.begins(host)
        const key = `${host.name}.${life.number} ${id}`
        if (!began.has(key)) began.set(key, host.clock.ranMs())
        return isBegun
      },
      end: (id, verdict, atMs) => {
        const isOnRecord = store.active().some(one => one.job.id === id)
        if (!life.isOver && isOnRecord) checkEnd(host, id, verdict, store)
        // Where the disk refuses this, the job begins again.
        began.delete(`${host.name}.${life.number} ${id}`)
        return store.end(id, verdict, atMs)
      },
    }),
    asks: (host, request) => (wish, actor, dryRun) => {
      const answer = request(wish, actor, dryRun)
      if (!isLeft(answer)) mark('a host asked by itself')
      say(`${host.name} asks by itself: ${isLeft(answer) ? answer.left._tag : 'accepted'}`)
      return answer
    },
    probed: lastProbes.probed,
    calls: (host, call) => {
      const job = host.disk
        .look()
        .active()
        .find(({ state }) => state === 'running')?.job
      if (job !== undefined) lastProbes.calls(host, call, job)
      if (call._tag === 'ListRequests') lists.set(`${host.name} ${call.sourceBranch}`, nowMs())
    },
    opened: request => {
      say(`forge opens !${request.iid} by ${request.openedBy}`)
      const version = versionOf(request)
      const twin = requests().find(
        one => one.iid !== request.iid && one.state === 'opened' && versionOf(one) === version,
      )
      if (twin !== undefined) violation(`!${twin.iid} and !${request.iid} are open for one version (S3)`)
      const vetoMs = vetoes.get(version)
      const listMs = lists.get(`${request.openedBy} ${request.sourceBranch}`) ?? 0
      if (vetoMs !== undefined && vetoMs < listMs)
        violation(`${request.openedBy} opens !${request.iid} and had seen the veto of its version (D48)`)
    },
    merged: (request, from, to) => {
      merges.set(to, to)
      const version = versionOf(request)
      say(`forge merges !${request.iid} by ${request.mergedBy}`)
      if (mergedVersions.has(version)) violation(`!${request.iid} is the second merge of its version (S3)`)
      mergedVersions.add(version)
      // A person may have made the same flip: then the merge changes nothing.
      if (history.textAt(from) === history.textAt(to)) return
      count += 1
      checkFlip(request, from, to)
      lastMergeMs = nowMs()
    },
    closed: request => {
      say(`forge closes !${request.iid} by ${request.closedBy}`)
      if (request.closedBy === 'person') vetoes.set(versionOf(request), nowMs())
    },
    fetched: host => void fetches.set(host.name, nowMs()),
    edited: () => {
      lastMergeMs = null
      editedMs = nowMs()
    },
    isCooling: () => lastMergeMs !== null && nowMs() - lastMergeMs < cooldownMs + 60_000,
    atRest: host => {
      const store = host.disk.look()
      for (const { job, state } of store.active())
        violation(`${host.name}: job ${job.id} is ${state} long after the forge is well (L3)`)
      for (const { job } of store.owed())
        violation(`${host.name}: job ${job.id} owes a closing long after the forge is well (L3)`)
    },
    count: () => count,
  }
}
