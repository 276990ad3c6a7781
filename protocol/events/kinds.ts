import * as t from 'io-ts'

const text = t.string
const texts = t.readonlyArray(t.string)
const commit = t.union([t.string, t.null])
const Touched = t.strict({ kind: text, name: text })

/**
 * Every kind of event with the codec of its payload (A 6): the one source of the stream, the journal and the
 * reference. A payload never contains a secret or text of the lore.
 */
export const eventKinds = {
  'snapshot:published': t.strict({ generation: t.number, commit }),
  'write:committed': t.strict({
    commit: text,
    route: text,
    actor: text,
    intent: text,
    subject: text,
    touches: t.readonlyArray(Touched),
  }),
  'governance:changed': t.strict({ commit: text, gameId: text, actor: text }),
  'adoption:done': t.strict({ commit, files: t.number, findings: t.number }),
  'mode:changed': t.strict({
    mode: text,
    detail: t.union([text, t.null]),
    actor: text,
    token: t.union([text, t.null]),
    tokenName: t.union([text, t.null]),
  }),
  'fleet:role': t.strict({
    town: text,
    role: text,
    before: text,
    apex: t.union([text, t.null]),
    term: t.union([t.number, t.null]),
  }),
  'sync:converged': t.strict({ action: text, commit, incoming: t.number, outgoing: t.number }),
  'sync:failed': t.strict({ action: text, detail: text }),
  'sync:parked': t.strict({ ref: text, commit: text, files: texts, reason: text }),
  'fleet:peer': t.strict({
    town: text,
    reachable: t.boolean,
    consecutiveMisses: t.number,
    failure: t.union([text, t.null]),
  }),
  'job:started': t.strict({ jobId: text, kind: text }),
  'job:progress': t.strict({ jobId: text, kind: text, done: t.number, total: t.number, detail: text }),
  'job:ended': t.strict({ jobId: text, kind: text, status: text, error: t.union([text, t.null]) }),
  'lint:recorded': t.strict({ sha: commit, errors: t.number, warnings: t.number }),
  'fleet:takeover': t.strict({
    id: text,
    town: text,
    apex: text,
    term: t.number,
    state: text,
    failure: t.union([text, t.null]),
    mrIid: t.union([t.number, t.null]),
  }),
  'hook:failed': t.strict({ hook: text, commit: text, reason: text }),
} as const satisfies { readonly [kind: string]: t.Mixed }

export type EventKind = keyof typeof eventKinds
export type EventPayload<K extends EventKind> = t.TypeOf<(typeof eventKinds)[K]>
