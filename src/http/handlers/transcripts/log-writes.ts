import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import {
  inlineLogsMax,
  type LogFetch,
  type LogParsed,
  type LogsJob,
  logWriteRoutes,
} from '#protocol/transcripts/log-writes.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import type { Session } from '#src/domain/sessions/session.js'
import { nameOfAddress } from '#src/domain/transcripts/archive.js'
import { judgeContent } from '#src/domain/transcripts/content-gate.js'
import { speakerResolver } from '#src/domain/transcripts/names-in-lines.js'
import { parserVersion } from '#src/domain/transcripts/parse.js'
import { isRawRequest, parseRawRequest } from '#src/domain/transcripts/raw-request.js'
import { decodeTranscript, encodeTranscript } from '#src/domain/transcripts/sidecar.js'
import type { Transcript } from '#src/domain/transcripts/transcript.js'
import { originOf } from '#src/http/checks/arrival.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Host } from '#src/ports/host.js'
import type { LogFetching, LogRequest } from '#src/ports/log-fetching.js'
import type { Jobs } from '#src/ports/records.js'
import type { LogFailures } from '#src/ports/transcripts.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { TaskOf } from '#src/writing/command.js'
import {
  citedAddresses,
  gateRulesOf,
  type ImportedLog,
  type ReparsedLogs,
  refuseSource,
  type TakenLogs,
  untaken,
} from '#src/writing/logs.js'
import { sessionNotFound } from '#src/writing/sessions/baselines.js'
import { logLine } from './logs.js'

type Node = Pick<Host, 'logFetching' | 'logFailures' | 'jobs'>

/** What takes transcripts into the archive (B 4.5). Fetching and judging come first; the write is planned from it. */
export const logWriteHandlers: Handlers<typeof logWriteRoutes, Node> = {
  'logs.fetch': async ({ snapshot, body, query, caller, claimed, node, dryRun, nowMs }) => {
    const target = targetOf(snapshot, body, caller)
    if (isLeft(target)) return target
    const { addresses, raw, isAgain } = target.right
    if (addresses === null && dryRun) return right({ prepared: listed(snapshot, node.logFailures, nowMs) })
    const isJob =
      addresses === null || ((query.async === true || addresses.length > inlineLogsMax) && raw === null)
    if (isJob && !dryRun) {
      const origin = originOf(logWriteRoutes['logs.fetch'], caller)
      return startFetch(node.jobs, { _tag: 'FetchLogs', origin, claimed: claimed(), addresses, isAgain })
    }
    return takeAll(snapshot, node.logFetching, {
      header: null,
      addresses: (addresses ?? []).slice(0, inlineLogsMax),
      raw,
      isKept: !dryRun,
    })
  },
  'sessions.logs.refresh': async ({ snapshot, path, body, query, caller, claimed, node, dryRun }) => {
    const session = snapshot.sessions.byKey.get(sessionKey(path.header))
    if (session === undefined) return left(sessionNotFound(snapshot, path.header))
    const isAgain = body.mode !== 'missing'
    const all = addressesOf(session)
    const wanted = isAgain ? all : all.filter(address => !isArchived(snapshot, address))
    if ((query.async === true || wanted.length > inlineLogsMax) && !dryRun) {
      const origin = originOf(logWriteRoutes['sessions.logs.refresh'], caller)
      return startFetch(node.jobs, {
        _tag: 'FetchLogs',
        origin,
        claimed: claimed(),
        addresses: wanted,
        isAgain,
      })
    }
    const addresses = wanted.slice(0, inlineLogsMax)
    const stands = all.filter(address => !wanted.includes(address))
    return takeAll(snapshot, node.logFetching, {
      header: session.header,
      addresses,
      raw: null,
      isKept: !dryRun,
      stands,
    })
  },
  'logs.import': async ({ snapshot, body, node }) => {
    const refused = refuseSource(snapshot, body.url)
    if (refused !== null) return left(refused)
    const content = {
      bytes: Buffer.from(body.content),
      contentType: null,
      host: new URL(body.url).hostname,
    }
    const judged = judgeContent(content, gateRulesOf(snapshot.config))
    if (isLeft(judged)) return left(contentRefused(judged.left))
    const name = nameOfAddress(snapshot.sessions, body.url)
    const archived = snapshot.archive.get(name) ?? null
    const before = archived === null ? null : await node.logFetching.read(archived.text)
    const read = await node.logFetching.parse(judged.right, name, body.url)
    return right({
      prepared: {
        text: judged.right.toString('utf8'),
        sidecar: encodeTranscript(read),
        same: before?.equals(judged.right) === true,
        format: read.format,
        lines: read.lines.length,
        segments: read.segments.length,
      } satisfies ImportedLog,
    })
  },
  'logs.parse': async ({ snapshot, body, caller, node: { logFetching } }) => {
    const { content, url } = body
    if (content !== undefined) {
      const read = await logFetching.parse(Buffer.from(content), '', '')
      return right({ body: parsedAnswer(snapshot.names, read) })
    }
    if (url === undefined)
      return left(bodyInvalid('Say what to parse.', { path: '$', expected: '`content` or `url`' }))
    const read = await parseAddress(snapshot, caller, logFetching, url)
    return isLeft(read) ? read : right({ body: parsedAnswer(snapshot.names, read.right) })
  },
  'logs.archive.reparse': async ({ snapshot, node: { logFetching } }) => {
    const addresses = addressesByName(snapshot)
    const logs: Array<ReparsedLogs['logs'][number]> = []
    for (const { name, text, sidecar } of snapshot.archive.values()) {
      const old = sidecar === null ? null : await logFetching.read(sidecar)
      const decoded = old === null ? left('absent') : decodeTranscript(old.toString('utf8'))
      if (!isLeft(decoded) && decoded.right.parser >= parserVersion) continue
      const bytes = await logFetching.read(text)
      const address = isLeft(decoded) ? (addresses.get(name) ?? '') : decoded.right.address
      if (bytes !== null)
        logs.push({
          name,
          text: text.blob,
          sidecar: encodeTranscript(await logFetching.parse(bytes, name, address)),
        })
    }
    return right({ prepared: { total: snapshot.archive.size, logs } satisfies ReparsedLogs })
  },
}

/** What a fetch is about; `addresses` is null for every transcript that the archive lacks. */
interface Target {
  readonly addresses: ReadonlyArray<string> | null
  /** The headers of a raw request, for the one address. */
  readonly raw: LogRequest['headers']
  readonly isAgain: boolean
}

type AimRefusal = RefusalOf<'BodyInvalid' | 'CapabilityRequired' | 'LogSourceRefused'>
type TargetRefusal = AimRefusal | RefusalOf<'SessionNotFound'>

const targetOf = (
  snapshot: Snapshot,
  { request, url, header }: LogFetch,
  caller: Pick<Caller, 'holds'>,
): Either<TargetRefusal, Target> => {
  const named = [request, url, header].filter(one => one !== undefined)
  if (named.length > 1)
    return left(
      bodyInvalid('A fetch has one target.', { path: '$', expected: 'one of `request`, `url` and `header`' }),
    )
  if (header !== undefined) {
    const session = snapshot.sessions.byKey.get(sessionKey(header))
    return session === undefined
      ? left(sessionNotFound(snapshot, header))
      : right({ addresses: addressesOf(session), raw: null, isAgain: true })
  }
  if (request === undefined && url === undefined) return right({ addresses: null, raw: null, isAgain: false })
  const field = request === undefined ? 'url' : 'request'
  return aimAt(snapshot, caller, request ?? url ?? '', field)
}

/** The one address of a text, which may be a raw request: then more is needed, before anything is read of it. */
const aimAt = (
  snapshot: Snapshot,
  caller: Pick<Caller, 'holds'>,
  text: string,
  field: 'url' | 'request',
): Either<AimRefusal, Target> => {
  const isRaw = field === 'request' || isRawRequest(text)
  if (isRaw && !holds(caller, 'log.fetch.request')) return left(capabilityRequired('log.fetch.request'))
  const parsed = isRaw ? parseRawRequest(text) : right({ url: text.trim(), headers: null })
  if (isLeft(parsed))
    return left(bodyInvalid('The raw request cannot be read.', { path: `$.${field}`, expected: parsed.left }))
  const refused = refuseSource(snapshot, parsed.right.url)
  return refused === null
    ? right({ addresses: [parsed.right.url], raw: parsed.right.headers, isAgain: true })
    : left(refused)
}

const holds = (caller: Pick<Caller, 'holds'>, capability: 'log.fetch' | 'log.fetch.request'): boolean =>
  gradeOf(caller.holds, capability) === 'full'

const capabilityRequired = (required: string): RefusalOf<'CapabilityRequired'> =>
  refuse('CapabilityRequired', `This request needs the capability ${required} too. Nothing was sent.`, {
    required,
  })

const contentRefused = (reason: string): RefusalOf<'LogContentRefused'> =>
  refuse(
    'LogContentRefused',
    `The content gate refuses the text: ${reason}. Send the text of a transcript.`,
    {
      reason,
    },
  )

const addressesOf = ({ logs }: Pick<Session, 'logs'>): ReadonlyArray<string> => [
  ...new Set(logs.map(log => log.trim())),
]

const isArchived = ({ archive, sessions }: Snapshot, address: string): boolean =>
  archive.has(nameOfAddress(sessions, address))

const requestOf = (snapshot: Snapshot, address: string, headers: LogRequest['headers']): LogRequest => {
  const name = nameOfAddress(snapshot.sessions, address)
  return { address, name, headers, archived: snapshot.archive.get(name) ?? null }
}

/** Takes each address in its turn; what is not to be fetched stands. */
const takeAll = async (
  snapshot: Snapshot,
  fetching: LogFetching,
  wanted: {
    readonly header: string | null
    readonly addresses: ReadonlyArray<string>
    readonly raw: LogRequest['headers']
    readonly isKept: boolean
    readonly stands?: ReadonlyArray<string>
  },
): Promise<Either<RefusalOf<'Overloaded'>, { readonly prepared: TakenLogs }>> => {
  const { header, addresses, raw, isKept, stands = [] } = wanted
  const taken = await Promise.all(
    addresses.map(address => fetching.take(requestOf(snapshot, address, raw), isKept)),
  )
  const logs: Array<TakenLogs['logs'][number]> = stands.map(address => ({
    address,
    outcome: { _tag: 'Archived' },
  }))
  for (const [at, one] of taken.entries()) {
    if (isLeft(one)) return one
    logs.push({ address: addresses[at] ?? '', outcome: one.right })
  }
  return right({ prepared: { header, logs } })
}

/** What a mass fetch would find, without a request to any host. */
const listed = (snapshot: Snapshot, failures: LogFailures, nowMs: number): TakenLogs => {
  const markers = failures.all(nowMs)
  const cited = citedAddresses(snapshot)
  return {
    header: null,
    logs: cited.flatMap(address => {
      const outcome = untaken(snapshot, markers, address)
      return outcome === null ? [] : [{ address, outcome }]
    }),
  }
}

const startFetch = async (
  jobs: Jobs,
  task: TaskOf<'FetchLogs'>,
): Promise<
  Either<RefusalOf<'Overloaded' | 'JobRunning'>, { readonly body: LogsJob; readonly status: 202 }>
> => {
  const started = await jobs.startSingle('logs.fetch', task)
  if (isLeft(started)) return started
  const { jobId, status, statusUrl } = started.right
  return right({ body: { job: jobId, kind: 'logs.fetch', status, statusUrl }, status: 202 })
}

/** The transcript of an address: of the archive, or fetched for a caller who may; nothing is recorded of it. */
const parseAddress = async (
  snapshot: Snapshot,
  caller: Pick<Caller, 'holds'>,
  fetching: LogFetching,
  url: string,
): Promise<Either<AimRefusal | RefusalOf<'LogNotFetched' | 'Overloaded'>, Transcript>> => {
  if (!isRawRequest(url)) {
    const { name, archived } = requestOf(snapshot, url, null)
    const bytes = archived === null ? null : await fetching.read(archived.text)
    if (bytes !== null) return right(await fetching.parse(bytes, name, url))
  }
  if (!holds(caller, 'log.fetch')) return left(capabilityRequired('log.fetch'))
  const target = aimAt(snapshot, caller, url, 'url')
  if (isLeft(target)) return target
  const [address = ''] = target.right.addresses ?? []
  const request = { ...requestOf(snapshot, address, target.right.raw), archived: null }
  const taken = await fetching.take(request, false)
  if (isLeft(taken)) return taken
  if (taken.right._tag === 'Text')
    return right(await fetching.parse(Buffer.from(taken.right.text), request.name, address))
  const { reason, status } = taken.right._tag === 'Failed' ? taken.right : { reason: 'changed', status: null }
  return left(
    refuse('LogNotFetched', `The host of the address gave no transcript: ${reason}.`, {
      reason,
      upstreamStatus: status,
    }),
  )
}

const addressesByName = (snapshot: Snapshot): ReadonlyMap<string, string> =>
  new Map(
    citedAddresses(snapshot)
      .toReversed()
      .map(address => [nameOfAddress(snapshot.sessions, address), address] as const),
  )

/** A speaker is resolved by every stage but the one that guesses. */
const parsedAnswer = (names: NameIndex, { format, lines, segments }: Transcript): LogParsed => ({
  Format: format,
  LineCount: lines.length,
  Lines: lines.map(line => logLine(line, speakerResolver(names))),
  LocationSegments: segments.map(({ place, first, last }) => ({ Place: place, First: first, Last: last })),
})
