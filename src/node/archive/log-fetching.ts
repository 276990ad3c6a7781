import { getOrElseW, isLeft, left } from 'fp-ts/lib/Either.js'
import type { LogFetcherMessage, LogFetcherPorts } from '#actors/log-fetcher.js'
import { requirePath } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { refuse } from '#protocol/refusal.js'
import { type GuardedFetch, openGuardedFetch } from '#src/adapters/outbound/guarded-fetch.js'
import { labelCode } from '#src/domain/outbound/outbound.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { isWorse, judgeContent } from '#src/domain/transcripts/content-gate.js'
import { parseTranscript } from '#src/domain/transcripts/parse.js'
import { encodeTranscript } from '#src/domain/transcripts/sidecar.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import { realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { LogAttempts, LogFetching, LogRequest, TakeLog, TakenLog } from '#src/ports/log-fetching.js'
import type { Meter } from '#src/ports/records.js'
import { fitsArchive, gateRulesOf } from '#src/writing/logs.js'
import type { HostNode } from '../tree/node.js'

export interface TakePorts extends Pick<LogFetching, 'read' | 'parse'> {
  readonly fetch: GuardedFetch
  readonly meter: Meter
}

/** Takes transcripts as the configuration of this host says. */
export const takeLogBy = ({ fetch, read, parse, meter }: TakePorts, config: Config): TakeLog => {
  const rules = gateRulesOf(config)
  const hosts = new Set(config['integrations.logs.hosts'])
  const judge = async (request: LogRequest, text: Buffer): Promise<TakenLog> => {
    const { address, name, archived } = request
    const before = archived === null ? null : await read(archived.text)
    if (archived !== null && before?.equals(text) === true) return { _tag: 'Same', over: archived.text.blob }
    const fresh = await parse(text, name, address)
    if (before !== null && isWorse(fresh, await parse(before, name, address))) return failed('worse', 200)
    const taken = { text: text.toString('utf8'), sidecar: encodeTranscript(fresh) }
    if (!fitsArchive(taken.text, taken.sidecar)) return failed('too_large', 200)
    return { _tag: 'Text', ...taken, over: archived?.text.blob ?? null }
  }
  return async (request, signal) => {
    const answer = await fetch(
      {
        url: request.address,
        hosts,
        headers: { accept: 'text/plain, text/*;q=0.9, application/json;q=0.8, */*;q=0.1' },
        ownHeaders: request.headers ?? {},
        timeoutMs: config['integrations.logs.fetch_timeout_ms'],
        bytesMax: config['scrape.max_payload_bytes'],
        isWhole: true,
        allowsPlain: true,
      },
      signal,
    )
    const code = answer._tag === 'Answer' ? labelCode(answer.status) : answer.reason
    meter.count('svc_outbound_requests_total', { target: 'logs', code })
    if (answer._tag === 'NoAnswer') return failed(answer.reason, null)
    if (answer.status !== 200) return failed('status', answer.status)
    const contentType = answer.headers['content-type'] ?? null
    const judged = judgeContent({ bytes: answer.bytes, contentType, host: answer.host }, rules)
    return isLeft(judged) ? failed(judged.left, answer.status) : judge(request, judged.right)
  }
}

/** Reads the archive and parses texts, in pieces. */
export const archiveReading = (
  source: HostNode['checkout']['source'],
  breathe: () => Promise<void> = daemonBreather(),
): Pick<LogFetching, 'read' | 'parse'> => ({
  read: file => source.read({ ...file, path: requirePath(file.path) }).catch(() => null),
  parse: (bytes, name, address) => runWithPauses(parseTranscript(bytes, { name, address }), breathe),
})

/** The ports of the actor that fetches. */
export const logFetcherPorts = (node: HostNode): LogFetcherPorts => {
  const { checkout, config, log, metrics } = node
  const attempts = logAttemptsOf(node)
  const { meter } = metrics
  return {
    take: takeLogBy({ ...archiveReading(checkout.source), fetch: openGuardedFetch(), meter }, config),
    count: result => meter.count('svc_logs_taken_total', { result }),
    mark: (address, failure) => {
      try {
        if (failure === null) attempts.taken(address)
        else attempts.failed(address, failure.reason, failure.status, realClock.nowMs())
      } catch (error) {
        log.error('log_attempt_not_recorded', { error })
      }
    },
  }
}

/** The fetching of transcripts on this host, for its handlers and jobs. */
export const logFetchingOf = (node: HostNode): LogFetching => ({
  take: takeThrough(node.refs.logs),
  ...archiveReading(node.checkout.source),
})

/** The failure markers of this host. */
export const logAttemptsOf = ({ checkout, config }: HostNode): LogAttempts =>
  checkout.runtime.logAttempts(config['integrations.logs.failed_ttl_hours'] * 3_600_000)

/** Asks the actor; a fetch waits for those that were asked before. */
const takeThrough =
  (fetcher: Ref<LogFetcherMessage>): LogFetching['take'] =>
  async (request, isKept) => {
    const asked = (replyTo: ReplyTo<Awaited<ReturnType<LogFetching['take']>>>): LogFetcherMessage => ({
      _tag: 'Take',
      request,
      isKept,
      replyTo,
    })
    const answer = await ask<LogFetcherMessage, Awaited<ReturnType<LogFetching['take']>>>(
      fetcher,
      asked,
      takeDeadlineMs,
    )
    return getOrElseW((failure: AskFailure) =>
      left(refuse('Overloaded', `${askTrouble('the fetching of transcripts', failure)}. Try again.`)),
    )(answer)
  }

/** Ends before the front refuses the request as late. */
const takeDeadlineMs = 240_000

const failed = (
  reason: Extract<TakenLog, { readonly _tag: 'Failed' }>['reason'],
  status: number | null,
): TakenLog => ({ _tag: 'Failed', reason, status })
