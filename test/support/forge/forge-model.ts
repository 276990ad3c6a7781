import type { ForgeCall, ForgeOutcome, ForgeRequest } from '#protocol/host/forge.js'

/** What disturbs one call of the model; `lost` performs it and loses the answer. */
export type ModelFault =
  | 'lost'
  | 'not_sent'
  | 'refused'
  | 'timeout'
  | 'garbled'
  | 'limited'
  | 'faulty'
  | 'faulty_after'
  | 'checking'

const disturbance = (fault: ModelFault): ForgeOutcome => {
  switch (fault) {
    case 'not_sent':
    case 'refused':
    case 'timeout':
      return { _tag: 'NoAnswer', failure: fault }
    case 'lost':
      return { _tag: 'NoAnswer', failure: 'timeout' }
    case 'garbled':
      return { _tag: 'Garbled', isPage: false }
    case 'limited':
      return { _tag: 'Limited', waitMs: null }
    case 'checking':
    case 'faulty':
    case 'faulty_after':
      return { _tag: 'Faulty', status: 502, waitMs: 1_500 }
  }
}

const performs: ReadonlySet<ModelFault> = new Set(['lost', 'garbled', 'faulty_after'])

/** A forge in memory, with the requests of one branch. */
export class ForgeModel {
  requests: ReadonlyArray<ForgeRequest> = []
  opened = 0
  checksLeft: number

  constructor(
    readonly tip: string,
    checks: number,
  ) {
    this.checksLeft = checks
  }

  add(request: Partial<ForgeRequest>): void {
    const iid = this.requests.length + 1
    const base: ForgeRequest = {
      iid,
      url: `https://forge.example/lore/-/merge_requests/${iid}`,
      state: 'opened',
      sourceBranch: 'b',
      targetBranch: 'main',
      sha: this.tip,
      description: '',
      mergeStatus: 'mergeable',
      mergedAtMs: null,
      mergeCommit: null,
    }
    this.requests = [{ ...base, ...request }, ...this.requests]
  }

  private change(iid: number, change: Partial<ForgeRequest>): ForgeOutcome {
    this.requests = this.requests.map(one => (one.iid === iid ? { ...one, ...change } : one))
    return this.read(iid)
  }

  private read(iid: number): ForgeOutcome {
    const request = this.requests.find(one => one.iid === iid)
    if (request === undefined) return { _tag: 'Missing' }
    const mergeStatus = this.checksLeft > 0 ? 'checking' : request.mergeStatus
    return { _tag: 'Request', request: { ...request, mergeStatus } }
  }

  private merge(iid: number, sha: string): ForgeOutcome {
    const request = this.requests.find(one => one.iid === iid)
    if (request?.state !== 'opened' || this.checksLeft > 0) return { _tag: 'NotMergeable' }
    if (request.sha !== sha) return { _tag: 'Conflict' }
    return this.change(iid, { state: 'merged', mergedAtMs: 1, mergeCommit: 'm' })
  }

  private perform(call: ForgeCall): ForgeOutcome {
    switch (call._tag) {
      case 'OpenRequest':
        if (this.requests.some(({ state }) => state === 'opened')) return { _tag: 'Conflict' }
        this.opened += 1
        this.add({ sourceBranch: call.sourceBranch, targetBranch: call.targetBranch })
        return this.read(this.requests.length)
      case 'ListRequests':
        return { _tag: 'Requests', requests: this.requests }
      case 'ReadRequest': {
        const answer = this.read(call.iid)
        this.checksLeft = Math.max(0, this.checksLeft - 1)
        return answer
      }
      case 'MergeRequest':
        return this.merge(call.iid, call.sha)
      case 'CloseRequest':
        return this.change(call.iid, { state: 'closed', description: call.description })
      case 'StartPipeline':
      case 'ReadPipeline':
      case 'ListJobs':
      case 'ActOnJob':
      case 'ReadTrace':
        return { _tag: 'Missing' }
    }
  }

  answer(call: ForgeCall, fault: ModelFault | undefined): ForgeOutcome {
    if (fault === 'checking') this.checksLeft += 1
    if (fault === undefined || fault === 'checking') return this.perform(call)
    if (performs.has(fault)) this.perform(call)
    return disturbance(fault)
  }
}
