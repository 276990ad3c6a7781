import { right } from 'fp-ts/lib/Either.js'
import type { ForgeAnswer, ForgeOutcome, ForgeRequest, GitlabRequest } from '#protocol/host/forge.js'
import type { Exchanged } from '#src/adapters/outbound/exchange.js'
import { forgeHttp } from '#src/adapters/outbound/forge-http.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { FleetMember } from '../fleet-host.js'
import type { SimFleet } from '../fleet-world.js'
import { forgeThrough } from './network.js'

const wireOf = (request: ForgeRequest): GitlabRequest => ({
  iid: request.iid,
  web_url: request.url,
  state: request.state,
  source_branch: request.sourceBranch,
  target_branch: request.targetBranch,
  sha: request.sha,
  description: request.description,
  detailed_merge_status: request.mergeStatus,
  merged_at: request.mergedAtMs === null ? null : new Date(request.mergedAtMs).toISOString(),
  merge_commit_sha: request.mergeCommit,
})

const waitHeader = (waitMs: number | null): Readonly<Record<string, string>> =>
  waitMs === null ? {} : { 'retry-after': String(waitMs / 1_000) }

interface WireAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const answerOf = (outcome: Exclude<ForgeOutcome, { _tag: 'NoAnswer' }>): WireAnswer => {
  switch (outcome._tag) {
    case 'Request':
      return { status: 200, body: wireOf(outcome.request) }
    case 'Requests':
      return { status: 200, body: outcome.requests.map(wireOf) }
    case 'Limited':
      return { status: 429, headers: waitHeader(outcome.waitMs) }
    case 'Faulty':
      return { status: outcome.status, headers: waitHeader(outcome.waitMs) }
    case 'Denied':
    case 'Refused':
      return { status: outcome.status }
    case 'Missing':
      return { status: 404 }
    case 'NotMergeable':
      return { status: 405 }
    case 'Conflict':
      return { status: 409 }
    case 'Garbled':
    case 'Pipeline':
    case 'Jobs':
    case 'Job':
    case 'Trace':
      return { status: 200, body: '' }
  }
}

const exchangedOf = ({ outcome, dateMs }: ForgeAnswer): Exchanged => {
  if (outcome._tag === 'NoAnswer') return { _tag: 'NoAnswer', reason: outcome.failure }
  const { status, headers = {}, body } = answerOf(outcome)
  const date = dateMs === null ? {} : { date: new Date(dateMs).toUTCString() }
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
  return { _tag: 'Answer', status, headers: { ...headers, ...date }, body: right(bytes) }
}

/** The real client of the forge with the token of the host, over the network of the world. */
export const forgeClient = (world: SimFleet, host: FleetMember): ForgePort => {
  const port = forgeThrough(world, host)
  const { secrets } = world.checks.fleet
  const setup = {
    address: 'https://forge.example/api/v4/projects/lore',
    token: secrets.tokenOf(host.name),
    userAgent: 'Kronika (simulated)',
    nowMs: host.clock.nowMs,
  }
  return (call, timeoutMs, signal) =>
    forgeHttp(setup, async (address, request) => {
      secrets.calls(host.name, address, request)
      return exchangedOf(await port(call, timeoutMs, signal))
    })(call, timeoutMs, signal)
}
