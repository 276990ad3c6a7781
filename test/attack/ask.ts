import { type IncomingHttpHeaders, request } from 'node:http'
import { reasonToGiveUp } from './bars.js'
import type { AttackSubject } from './subject.js'

/** A request of an attack. The path is below `/v1/api`, raw, with its query. */
export interface Shot {
  readonly method: string
  readonly path: string
  readonly body?: object | string
  readonly token: string | null
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** What the caller tries here, when it has no right to: a 2xx is then a violation. */
  readonly forbidden?: string
  /** What the request may cost, ms of processor time; absent: the bar of its method. */
  readonly cpuMs?: number
  /** Bytes a second that the caller reads; absent: as fast as they come. */
  readonly readBytesPerS?: number
}

export interface ShotReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** `Hung`: the harness stopped waiting. `Cut`: the connection ended without a whole answer. */
export type ShotOutcome =
  | { readonly _tag: 'Answered'; readonly reply: ShotReply }
  | { readonly _tag: 'Hung'; readonly reason: string }
  | { readonly _tag: 'Cut'; readonly reason: string }

const watchMs = 500

const textOf = (body: Shot['body']): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body)

/** Pauses a stream so that it gives no more than so many bytes a second. */
const slowly = (stream: NodeJS.ReadableStream, bytesPerS: number): void => {
  stream.on('data', (chunk: Buffer) => {
    stream.pause()
    setTimeout(() => stream.resume(), (chunk.length / bytesPerS) * 1_000)
  })
}

/** Sends a shot and waits for the answer, for a bounded time of the daemon's processor. Never rejects. */
export const shoot = async (subject: AttackSubject, shot: Shot): Promise<ShotOutcome> => {
  const fromMs = await subject.spentMs()
  const beganMs = performance.now()
  return new Promise(resolve => {
    const sent = textOf(shot.body)
    const req = request(
      {
        host: '127.0.0.1',
        port: subject.port,
        path: `/v1/api${shot.path}`,
        method: shot.method,
        agent: false,
        headers: {
          ...(shot.token === null ? {} : { Authorization: `Bearer ${shot.token}` }),
          ...(sent === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) }),
          ...shot.headers,
        },
      },
      res => {
        const chunks: Array<Buffer> = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        if (shot.readBytesPerS !== undefined) slowly(res, shot.readBytesPerS)
        res.on('error', error => finish({ _tag: 'Cut', reason: error.message }))
        const done = (): void => {
          const text = Buffer.concat(chunks).toString('utf8')
          finish({ _tag: 'Answered', reply: { status: res.statusCode ?? 0, headers: res.headers, text } })
        }
        // A stream of events has no end: what came first is the answer.
        if (res.headers['content-type'] === 'text/event-stream') setTimeout(done, 50)
        else res.on('end', done)
      },
    )
    const watch = setInterval(() => {
      void subject.spentMs().then(ms => {
        const reason = reasonToGiveUp(ms - fromMs, performance.now() - beganMs)
        if (reason !== null) finish({ _tag: 'Hung', reason })
      })
    }, watchMs)
    const finish = (outcome: ShotOutcome): void => {
      clearInterval(watch)
      resolve(outcome)
      req.destroy()
    }
    req.on('error', error => finish({ _tag: 'Cut', reason: error.message }))
    req.end(sent)
  })
}
