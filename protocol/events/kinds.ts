import * as t from 'io-ts'

const text = t.string
const texts = t.readonlyArray(t.string)
const commit = t.union([t.string, t.null])
const Touched = t.type({ kind: text, name: text })

/**
 * Every kind of event with the codec of its payload (A 6): the one source of the stream, the journal and the reference.
 * A payload never carries a secret or the text of the lore.
 */
export const eventKinds = {
  'snapshot:published': t.type({ generation: t.number, commit }),
  'write:committed': t.type({
    commit: text,
    route: text,
    actor: text,
    intent: text,
    subject: text,
    touches: t.readonlyArray(Touched),
  }),
  'adoption:done': t.type({ commit, files: t.number, findings: t.number }),
  'mode:changed': t.type({ mode: text, detail: t.union([text, t.null]), actor: text }),
  'sync:converged': t.type({ action: text, commit, incoming: t.number, outgoing: t.number }),
  'sync:failed': t.type({ action: text, detail: text }),
  'sync:parked': t.type({ ref: text, commit: text, files: texts, reason: text }),
  'job:started': t.type({ jobId: text, kind: text }),
  'job:progress': t.type({ jobId: text, kind: text, done: t.number, total: t.number, detail: text }),
  'job:ended': t.type({ jobId: text, kind: text, status: text, error: t.union([text, t.null]) }),
  'lint:recorded': t.type({ sha: commit, errors: t.number, warnings: t.number }),
  'hook:failed': t.type({ hook: text, commit: text, reason: text }),
} as const satisfies { readonly [kind: string]: t.Mixed }

export type EventKind = keyof typeof eventKinds
export type EventPayload<K extends EventKind> = t.TypeOf<(typeof eventKinds)[K]>
