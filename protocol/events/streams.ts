import * as t from 'io-ts'

/** The log streams of `GET /logs/{stream}` (B 4.5). */
export const logStreams = ['operational', 'request', 'audit'] as const
export type LogStream = (typeof logStreams)[number]

export const LogStream = t.keyof({ operational: null, request: null, audit: null }, 'LogStream')

/**
 * A page of a stream, newest first. Each record has `seq`, `at` and the fields of its kind; `next` is the
 * `before` of the page with older records, null when there are none.
 */
export const LogPage = t.type(
  {
    stream: LogStream,
    count: t.number,
    items: t.readonlyArray(t.UnknownRecord),
    next: t.union([t.number, t.null]),
  },
  'LogPage',
)
export type LogPage = t.TypeOf<typeof LogPage>
