import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { BlobId, type RepoPath, requirePath, type Tree } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import {
  type FetchSummary,
  LogFault,
  type LogImported,
  type logWriteRoutes,
  type RefreshedLog,
  stateOfFault,
} from '#protocol/transcripts/log-writes.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { listedAddress } from '#src/domain/outbound/outbound.js'
import {
  type ArchivedLog,
  type ArchiveFolder,
  archivePaths,
  loreArchiveFolder,
  nameOfAddress,
} from '#src/domain/transcripts/archive.js'
import type { GateRules } from '#src/domain/transcripts/content-gate.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { writtenBytesMaxOf } from './batch/hooks.js'
import { decodePrepared, type Planners } from './command.js'

const BlobOrNull = t.union([BlobId, t.null])

const Outcome = t.union([
  t.type({ _tag: t.literal('Text'), text: t.string, sidecar: t.string, over: BlobOrNull }),
  t.type({ _tag: t.literal('Same'), over: BlobId }),
  t.type({ _tag: t.literal('Failed'), reason: LogFault, status: t.union([t.number, t.null]) }),
  /** Not fetched: the archive has it. */
  t.type({ _tag: t.literal('Archived') }),
  /** Not fetched: it failed too often lately. */
  t.type({ _tag: t.literal('Skipped'), reason: LogFault, status: t.union([t.number, t.null]) }),
])

/** Transcripts that were taken, or not, for the command that archives them. No header of a request is in it. */
export const TakenLogs = t.type(
  {
    header: t.union([t.string, t.null]),
    logs: t.readonlyArray(t.type({ address: t.string, outcome: Outcome })),
  },
  'TakenLogs',
)
export type TakenLogs = t.TypeOf<typeof TakenLogs>

/** A copy of a transcript that the content gate let through. */
export const ImportedLog = t.type(
  {
    text: t.string,
    sidecar: t.string,
    same: t.boolean,
    format: t.string,
    lines: t.number,
    segments: t.number,
  },
  'ImportedLog',
)
export type ImportedLog = t.TypeOf<typeof ImportedLog>

/** Sidecars that were made anew. */
export const ReparsedLogs = t.type(
  {
    total: t.number,
    logs: t.readonlyArray(t.type({ name: t.string, text: BlobId, sidecar: t.string })),
  },
  'ReparsedLogs',
)
export type ReparsedLogs = t.TypeOf<typeof ReparsedLogs>

/** The rules of the content gate that a configuration sets. */
export const gateRulesOf = (config: Config): GateRules => ({
  sniffChars: config['content_gate.sniff_chars'],
  binaryShare: config['content_gate.binary_share'],
  pageHosts: new Map(
    config['integrations.logs.page_hosts'].map(one => {
      const [host = '', container = ''] = one.split(' ')
      return [host, container] as const
    }),
  ),
})

/** Every transcript that a session cites, once, in the order of the sessions. */
export const citedAddresses = ({ sessions }: Pick<Snapshot, 'sessions'>): ReadonlyArray<string> => [
  ...new Set(sessions.all.flatMap(({ logs }) => logs.map(log => log.trim()))),
]

/**
 * What happens to a transcript without asking for it: an archived one stands, and one that failed too often waits until
 * its marker expires. Null for one that is fetched.
 */
export const untaken = (
  { archive, sessions, config }: Snapshot,
  markers: ReadonlyMap<string, FailedAttempts>,
  address: string,
): TakenLogs['logs'][number]['outcome'] | null => {
  if (archive.has(nameOfAddress(sessions, address))) return { _tag: 'Archived' }
  const marker = markers.get(address)
  return marker !== undefined && marker.attempts >= config['integrations.logs.failed_max_attempts']
    ? { _tag: 'Skipped', reason: marker.reason, status: marker.upstreamStatus }
    : null
}

/** The last attempts to take a transcript. */
interface FailedAttempts {
  readonly reason: LogFault
  readonly upstreamStatus: number | null
  readonly attempts: number
}

/** The refusal of an address that is of no listed host; null for one that is. */
export const refuseSource = (
  snapshot: Pick<Snapshot, 'config'>,
  address: string,
): RefusalOf<'LogSourceRefused'> | null =>
  listedAddress(address, new Set(snapshot.config['integrations.logs.hosts']), undefined, true) === null
    ? refuse(
        'LogSourceRefused',
        'The address is no http or https address of a host of integrations.logs.hosts, without a port and credentials.',
      )
    : null

/** Planners of what archives transcripts (B 4.5). */
export const logPlanners: Planners<typeof logWriteRoutes> = {
  'logs.fetch': (snapshot, { prepared }) => {
    const { logs } = decodePrepared(TakenLogs, prepared)
    const plan = planLogs(snapshot, logs)
    const answer = summaryOf(plan.logs)
    return right({ ...plan.set, answer, preview: answer })
  },
  'sessions.logs.refresh': (snapshot, { prepared }) => {
    const { header, logs } = decodePrepared(TakenLogs, prepared)
    const plan = planLogs(snapshot, logs)
    const answer = { header: header ?? '', logs: plan.logs }
    return right({ ...plan.set, answer, preview: answer })
  },
  'logs.import': (snapshot, { body, prepared, dryRun }) => {
    const refused = refuseSource(snapshot, body.url)
    return refused === null
      ? planImport(snapshot, body, decodePrepared(ImportedLog, prepared), dryRun)
      : left(refused)
  },
  'logs.archive.reparse': (snapshot, { prepared }) =>
    right(planReparse(snapshot, decodePrepared(ReparsedLogs, prepared))),
}

type TakenOne = TakenLogs['logs'][number]

/** A plan of transcripts without its answer. */
type PlannedSet = Omit<ChangeSet<unknown>, 'answer' | 'preview'>

const planLogs = (
  snapshot: Snapshot,
  logs: ReadonlyArray<TakenOne>,
): { readonly set: PlannedSet; readonly logs: ReadonlyArray<RefreshedLog> } => {
  const edits: Array<FileEdit> = []
  const names: Array<string> = []
  const planned = logs.map(({ address, outcome }): RefreshedLog => {
    const name = nameOfAddress(snapshot.sessions, address)
    const archived = snapshot.archive.get(name) ?? null
    const one = { Url: address, Reason: null, UpstreamStatus: null }
    if (outcome._tag === 'Text' && !names.includes(name)) {
      const change = archiveEdits(snapshot, name, archived, outcome)
      if (change === null) return failedLog(one, archived, { reason: 'changed', status: null }, 'Failed')
      if (change.length === 0) return { ...one, State: 'Archived', Outcome: 'Unchanged' }
      edits.push(...change)
      names.push(name)
      return { ...one, State: 'Archived', Outcome: 'Fetched' }
    }
    if (outcome._tag === 'Failed' || outcome._tag === 'Skipped')
      return failedLog(one, archived, outcome, outcome._tag)
    return { ...one, State: 'Archived', Outcome: outcome._tag === 'Archived' ? 'Archived' : 'Unchanged' }
  })
  return {
    set: setOf(
      snapshot,
      edits,
      names,
      names.length === 1 ? `logi: ${names[0] ?? ''}` : `logi: ${names.length} transcripts`,
    ),
    logs: planned,
  }
}

/** A transcript that was not taken: an archived one stands. */
const failedLog = (
  one: Pick<RefreshedLog, 'Url'>,
  archived: ArchivedLog | null,
  { reason, status }: { readonly reason: LogFault; readonly status: number | null },
  outcome: 'Failed' | 'Skipped',
): RefreshedLog => ({
  ...one,
  State: archived === null ? stateOfFault(reason) : 'Archived',
  Outcome: outcome,
  Reason: reason,
  UpstreamStatus: status,
})

/** The edits of the files of a transcript; null where the archive has another text than it was judged over. */
const archiveEdits = (
  snapshot: Pick<Snapshot, 'config'>,
  name: string,
  archived: ArchivedLog | null,
  { text, sidecar, over }: { readonly text: string; readonly sidecar: string; readonly over: BlobId | null },
): ReadonlyArray<FileEdit> | null => {
  if ((archived?.text.blob ?? null) !== over) return null
  const paths = pathsOf(snapshot, name)
  return [
    { _tag: 'Whole', path: paths.text, before: over, after: text },
    { _tag: 'Whole', path: paths.sidecar, before: archived?.sidecar?.blob ?? null, after: sidecar },
  ]
}

/** Where the archive is: in the lore, or in a separate tree, at whose root its files are. */
const placeOf = ({
  config,
}: Pick<Snapshot, 'config'>): { readonly tree: Tree; readonly folder: ArchiveFolder } =>
  config['corpora.logi'] === '' ? { tree: 'lore', folder: loreArchiveFolder } : { tree: 'logi', folder: '' }

const pathsOf = (
  snapshot: Pick<Snapshot, 'config'>,
  name: string,
): { readonly text: RepoPath; readonly sidecar: RepoPath } => {
  const { text, sidecar } = archivePaths(name, placeOf(snapshot).folder)
  return { text: requirePath(text), sidecar: requirePath(sidecar) }
}

/** Whether both files of a transcript are small enough to be committed. */
export const fitsArchive = (text: string, sidecar: string): boolean =>
  [text, sidecar].every(one => Buffer.byteLength(one) <= writtenBytesMaxOf(archivePaths('log').text))

const setOf = (
  snapshot: Pick<Snapshot, 'config'>,
  edits: ReadonlyArray<FileEdit>,
  names: ReadonlyArray<string>,
  subject: string,
): PlannedSet => ({
  tree: placeOf(snapshot).tree,
  edits,
  claims: names.map(name => `log:${name.toLowerCase()}`),
  touches: names.map(name => ({ kind: 'transcript', name })),
  subject,
})

const summaryOf = (logs: ReadonlyArray<RefreshedLog>): FetchSummary => {
  const count = (outcome: RefreshedLog['Outcome']): number =>
    logs.filter(one => one.Outcome === outcome).length
  return {
    Total: logs.length,
    Fetched: count('Fetched'),
    Unchanged: count('Unchanged'),
    Archived: count('Archived'),
    Failed: count('Failed'),
    Skipped: count('Skipped'),
    FailedUrls: logs.filter(({ Outcome }) => Outcome === 'Failed').map(({ Url }) => Url),
  }
}

/** The summary of several that are about different transcripts. */
export const addSummaries = (one: FetchSummary, other: FetchSummary): FetchSummary => ({
  Total: one.Total + other.Total,
  Fetched: one.Fetched + other.Fetched,
  Unchanged: one.Unchanged + other.Unchanged,
  Archived: one.Archived + other.Archived,
  Failed: one.Failed + other.Failed,
  Skipped: one.Skipped + other.Skipped,
  FailedUrls: [...one.FailedUrls, ...other.FailedUrls],
})

const planImport = (
  snapshot: Snapshot,
  { url, force = false }: { readonly url: string; readonly force?: boolean },
  copy: ImportedLog,
  dryRun: boolean,
): Either<RefusalOf<'LogContentRefused'>, ChangeSet<LogImported>> => {
  const name = nameOfAddress(snapshot.sessions, url)
  const archived = snapshot.archive.get(name) ?? null
  const stands = archived !== null && (!force || copy.same)
  const status = archived === null || !stands ? 'Imported' : force ? 'Unchanged' : 'Archived'
  const edits = stands
    ? []
    : archiveEdits(snapshot, name, archived, { ...copy, over: archived?.text.blob ?? null })
  const answer: LogImported = {
    Status: status,
    Name: name,
    Url: url,
    Format: copy.format,
    LineCount: copy.lines,
    Segments: copy.segments,
  }
  const set = setOf(snapshot, edits ?? [], stands ? [] : [name], `logi: import ${name}`)
  return right({
    ...set,
    answer: dryRun ? { ...answer, Status: 'DryRun' } : answer,
    preview: { ...answer, Status: 'DryRun' },
  })
}

const planReparse = (snapshot: Snapshot, { total, logs }: ReparsedLogs) => {
  const edits = logs.flatMap(({ name, text, sidecar }): ReadonlyArray<FileEdit> => {
    const archived = snapshot.archive.get(name)
    return archived?.text.blob === text
      ? [
          {
            _tag: 'Whole',
            path: pathsOf(snapshot, name).sidecar,
            before: archived.sidecar?.blob ?? null,
            after: sidecar,
          },
        ]
      : []
  })
  const answer = { Total: total, Rewritten: edits.length, Current: total - edits.length }
  const set = setOf(
    snapshot,
    edits,
    logs.map(({ name }) => name),
    `logi: ${edits.length} sidecars of a newer parser`,
  )
  return { ...set, answer, preview: answer }
}
